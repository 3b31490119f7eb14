// The parts of a header's value, in one pass: its values (`,`), or the parameters of one (`;`).

/** Trimmed parts; a separator within a quoted string is none. */
export function headerParts(text: string, separator: ',' | ';'): string[] {
  if (!text.includes('"')) return text.split(separator).map((part) => part.trim());
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i];
    if (isQuoted && character === '\\') i += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && character === separator) {
      parts.push(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  return [...parts, text.slice(start).trim()];
}
