// What is wrong with one thing that was sent. Imports and requests report it in the same words.

export interface Fault {
  /** Holds nothing of what was sent, so that faults can be counted by it. */
  readonly reason: string;
  /** Shows what is wrong with this one; may be empty. */
  readonly detail: string;
}

export function fault(reason: string, detail = ''): Fault {
  return { reason, detail };
}

export function messageOf({ reason, detail }: Fault): string {
  return detail === '' ? reason : `${reason}: ${detail}`;
}
