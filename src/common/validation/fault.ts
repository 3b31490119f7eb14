// What is wrong with a value, in the same words for imports and requests.

export interface Fault {
  /** Holds nothing of the value, so that faults can be counted by it. */
  readonly reason: string;
  /** May be empty. A function where it quotes what was sent: of thousands of faults only the first are shown. */
  readonly detail: string | (() => string);
}

/** How many are shown. */
export const MAX_FAULTS = 100;

export function fault(reason: string, detail: Fault['detail'] = ''): Fault {
  return { reason, detail };
}

export function writeMessage({ reason, detail }: Fault): string {
  const shown = typeof detail === 'string' ? detail : detail();
  return shown === '' ? reason : `${reason}: ${shown}`;
}

/** A value a caller sent, inside a message: short, on one line, unmistakable. */
export function quote(value: unknown): string {
  const text = asJson(typeof value === 'string' ? value.slice(0, 60) : value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}

function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return 'a value of too many levels'; // writing it would exhaust the stack
  }
}
