import { describe, expect, it } from '@jest/globals';
import { CsvRecords, type CsvCell } from './csv.js';

/** The records with the numbers of their first lines; a line whose quotes do not fit as it came. */
function recordsOf(text: string): [number, CsvCell[] | string][] {
  const found: [number, CsvCell[] | string][] = [];
  const records = new CsvRecords({
    record: (cells, _, line) => found.push([line, cells]),
    badQuotes: (line, number) => found.push([number, line]),
  });
  text.split('\n').forEach((line, i) => records.line(line, i + 1));
  records.end();
  return found;
}

describe('a record', () => {
  it.each([
    ['plain', 'a,b,c', ['a', 'b', 'c']],
    ['of one column', 'a', ['a']],
    ['of empty columns', ',,', [undefined, undefined, undefined]],
    ['quoted', '"a","b","c"', ['a', 'b', 'c']],
    ['with commas and quotes', '"a,""b""",c', ['a,"b"', 'c']],
    ['of empty quotes, which are a text', '"",,""', ['', undefined, '']],
    ['of quotes alone', '"""",""""""', ['"', '""']],
    ['that ends in a comma', '"a",', ['a', undefined]],
    ['with CRLF at its end', '"a",b\r', ['a', 'b']],
    ['with a carriage return inside', 'a\rb,"c\r"', ['a\rb', 'c\r']],
    ['with spaces, which are part of it', ' a , b', [' a ', ' b']],
  ])('may be %s', (_, line, cells) => {
    expect(recordsOf(line)).toEqual([[1, cells]]);
  });

  it('may have several lines, and has the number of the first', () => {
    expect(recordsOf('a,b\n"c\n\r\n\nd",e\r\n"f\n","\n"\ng')).toEqual([
      [1, ['a', 'b']],
      [2, ['c\n\r\n\nd', 'e']],
      [6, ['f\n', '\n']],
      [9, ['g']],
    ]);
  });

  it('is no blank line', () => {
    expect(recordsOf('\n \na\r\n\r\n\t\n')).toEqual([[3, ['a']]]);
  });
});

describe('a line whose quotes do not fit', () => {
  it.each([
    ['text behind a quoted column', '"a"b,c'],
    ['a space behind it', '"a" ,c'],
    ['a space before it', ' "a",c'],
    ['a quote in plain text', 'a"b,c'],
    ['two of them', 'a"b"c'],
    ['a single one', '5" pipe,c'],
    ['a quoted column that nothing ends', '"a,b'],
    ['one with doubled quotes', 'a,"b""'],
  ])('is refused alone: %s', (_, bad) => {
    const next = ['n', 'e'];
    expect(recordsOf(`a,b\n${bad}\r\nn,e\nn,e`)).toEqual([
      [1, ['a', 'b']],
      [2, bad],
      [3, next],
      [4, next],
    ]);
    expect(recordsOf(`${bad}\n"n","e"\n${bad}\n${bad}\n"n",e`)).toEqual([
      [1, bad],
      [2, next],
      [3, bad],
      [4, bad],
      [5, next],
    ]);
  });

  it('is the first of them when a column goes on behind it, and the others are read anew', () => {
    expect(recordsOf('"a\nb"c,d\ne,f')).toEqual([
      [1, '"a'],
      [2, 'b"c,d'],
      [3, ['e', 'f']],
    ]);
  });

  it('is one with quotes that is far longer than a reading, and is not even split', () => {
    const longest = `"${'""'.repeat(32_766)}",`;
    expect(recordsOf(`${longest}\na`)).toEqual([
      [1, ['"'.repeat(32_766), undefined]],
      [2, ['a']],
    ]);

    const longer = `"${'""'.repeat(1_000_000)}",`;
    expect(recordsOf(`${longer}\na`)).toEqual([
      [1, longer],
      [2, ['a']],
    ]);
  });

  it('swallows nothing of a long file: what is not closed after a while was not meant to be', () => {
    const lines = Array.from({ length: 300_000 }, (_, i) => `${i},x`);
    const found = recordsOf(['"a', ...lines, 'b",c'].join('\n'));

    expect(found).toHaveLength(lines.length + 2);
    expect(found[0]).toEqual([1, '"a']);
    expect(found[1]).toEqual([2, ['0', 'x']]);
    expect(found.at(-2)).toEqual([lines.length + 1, ['299999', 'x']]);
    expect(found.at(-1)).toEqual([lines.length + 2, 'b",c']);
  });
});

/** Of the process alone, so that a busy machine does not count. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('lines made to be hard to read', () => {
  it.each([
    ['"a"b,c,d', '"a"b,c,d'],
    ['a"b,c,d', 'a"b,c,d'],
    ['open quotes', '"a,b,c'],
    ['open quotes behind a comma', 'a,b,"c'],
    ['closed and opened ones', '"a","b"c,"'],
    ['doubled ones', '""a""'],
    ['quotes alone', '"""'],
  ])('are read in no time, a hundred thousand of them: %s', (_, line) => {
    const text = `x,"y\n${`${line}\n`.repeat(100_000)}`;

    expect(cpuMs(() => recordsOf(text))).toBeLessThan(5_000);
  });
});
