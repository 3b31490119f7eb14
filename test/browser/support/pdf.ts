// The text on the pages of a PDF that Chromium has made, which has a glyph's number where one expects a letter.
import { inflateSync } from 'node:zlib';

/** Each page's text as it was drawn, runs of it apart by a space. */
export function textOfPages(pdf: Buffer): string[] {
  const text = pdf.toString('latin1');
  const streamOf = (object: number) => {
    const start = new RegExp(`(?:^|\\n)${object} 0 obj\\s*<<([^>]*)>>\\s*stream\\r?\\n`).exec(text);
    const length = Number(/\/Length (\d+)/.exec(start?.[1] ?? '')?.[1]);
    const at = (start?.index ?? 0) + (start?.[0].length ?? 0);
    return inflateSync(pdf.subarray(at, at + length)).toString('latin1');
  };
  const letters = new Map<string, Map<string, string>>();
  for (const [, font = ''] of text.matchAll(/\/F(\d+) \1 0 R/g)) {
    const [, map] = new RegExp(`\\n${font} 0 obj[^]*?/ToUnicode (\\d+) 0 R`).exec(text) ?? [];
    if (!letters.has(font)) letters.set(font, lettersOf(streamOf(Number(map))));
  }
  return [...text.matchAll(/\/Contents (\d+) 0 R/g)].map(([, page]) => {
    let font: Map<string, string> | undefined;
    return [...streamOf(Number(page)).matchAll(/\/F(\d+) \S+ Tf|<([0-9A-F]+)> Tj|\bET\b/g)]
      .map(([, name, glyphs]) => {
        if (name !== undefined) font = letters.get(name);
        if (glyphs === undefined) return name === undefined ? ' ' : '';
        return glyphs.replaceAll(/.{4}/g, (glyph) => font?.get(glyph) ?? '?');
      })
      .join('')
      .replaceAll(/\s+/g, ' ')
      .trim();
  });
}

/** By glyph: single ones, and ranges of glyphs that follow each other as their letters do. */
function lettersOf(map: string): Map<string, string> {
  const ranges = /^<([0-9A-F]{4})> (?:<([0-9A-F]{4})> )?<([0-9A-F]{4})>$/gm;
  const letters = new Map<string, string>();
  for (const [, from = '', to = from, code = ''] of map.matchAll(ranges)) {
    for (let i = 0; i <= Number.parseInt(to, 16) - Number.parseInt(from, 16); i += 1) {
      const glyph = (Number.parseInt(from, 16) + i).toString(16).toUpperCase().padStart(4, '0');
      letters.set(glyph, String.fromCodePoint(Number.parseInt(code, 16) + i));
    }
  }
  return letters;
}
