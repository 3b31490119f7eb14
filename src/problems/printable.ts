// Text that others wrote, made safe to show to people: what would move a terminal's cursor, or make text read in another order, is
// shown as an escape.

/** C0, DEL and C1 controls; marks and overrides of the direction of text; separators that end a line. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
