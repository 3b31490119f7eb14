// Makes foreign text safe for a terminal: characters that move the cursor or change the direction of text become escapes.

/** C0, DEL and C1 controls; marks and overrides of the direction of text; separators that end a line. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
