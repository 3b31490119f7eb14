// A value a caller sent, inside a message: short, on one line, unmistakable.

export function quote(value: unknown): string {
  const text = asJson(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}

function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return 'a value of too many levels'; // writing it would exhaust the stack
  }
}
