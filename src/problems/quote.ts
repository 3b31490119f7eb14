// A value a caller sent, inside a message: short, on one line, unmistakable.

export function quote(value: unknown): string {
  const text = asJson(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}

/** Deeper ones are not shown: writing them could exhaust the stack. */
const MAX_LEVELS = 100;

function asJson(value: unknown): string {
  if (hasMoreLevels(value, MAX_LEVELS)) return 'a value of too many levels';
  return JSON.stringify(value) ?? String(value);
}

function hasMoreLevels(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => hasMoreLevels(inner, levels - 1));
}
