// What is wrong with a value, in the same words for imports and requests.

export interface Fault {
  /** Holds nothing of the value, so that faults can be counted by it. */
  readonly reason: string;
  /** May be empty. */
  readonly detail: string;
}

export function fault(reason: string, detail = ''): Fault {
  return { reason, detail };
}

export function messageOf({ reason, detail }: Fault): string {
  return detail === '' ? reason : `${reason}: ${detail}`;
}
