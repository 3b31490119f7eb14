// What a body gives of an object's fields, or what an object has: without those of the service's own, and what was left out.

const OWN = [
  'id',
  'key',
  'object',
  'created_at',
  'updated_at',
  'deleted',
  'tank_count',
  'search_text',
] as const;
const OWN_NAMES: ReadonlySet<string> = new Set(OWN);

export function given<T extends object>(body: T): Omit<T, (typeof OWN)[number]> {
  const entries = Object.entries(body).filter(([name, value]) => value !== undefined && !OWN_NAMES.has(name));
  return Object.fromEntries(entries) as Omit<T, (typeof OWN)[number]>;
}
