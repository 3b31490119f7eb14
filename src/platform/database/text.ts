// PostgreSQL's text holds any string but one with a NUL: such a value can be asked for, and never found.
export function isStorable(text: string): boolean {
  return !text.includes('\0');
}
