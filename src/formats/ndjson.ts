// Rows as NDJSON: each object as JSON shows it, on a line of its own.
export function writeNdjson(items: readonly object[]): string {
  let text = '';
  for (const item of items) text += `${JSON.stringify(item)}\n`;
  return text;
}
