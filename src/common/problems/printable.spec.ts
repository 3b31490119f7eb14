import { describe, expect, it } from '@jest/globals';
import { printable } from './printable.js';

describe('printable', () => {
  it.each([
    ['a clear screen', 'a\u001b[2Jb', 'a\\u001b[2Jb'],
    ['an eight-bit control sequence', '\u009b2J', '\\u009b2J'],
    ['line breaks and tabs', 'a\r\n\tb', 'a\\u000d\\u000a\\u0009b'],
    ['an override of direction', '\u202egnp.exe\u202c', '\\u202egnp.exe\\u202c'],
    ['isolates and marks', '\u2066\u2069\u200e\u200f\u061c', '\\u2066\\u2069\\u200e\\u200f\\u061c'],
  ])('shows %s as escapes', (_, text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it('leaves text of any script alone', () => {
    const text = 'Müller & Söhne, 東京, عمارة, 🛢️ "x"';
    expect(printable(text)).toBe(text);
  });
});
