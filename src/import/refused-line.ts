// A line that is not taken, and why. The reason groups lines in the summary, so it holds nothing of the line itself;
// the detail tells what is wrong with this one.

export class RefusedLine extends Error {
  constructor(
    readonly reason: string,
    readonly detail = '',
  ) {
    super(detail === '' ? reason : `${reason}: ${detail}`);
  }
}

/** A value of the line inside a message: short, on one line, unmistakable. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}
