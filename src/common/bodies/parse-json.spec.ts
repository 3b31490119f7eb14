import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../test/support/cases.js';
import { isNestedTooMuch, MAX_DEPTH, parseJson } from './parse-json.js';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const ANY = Infinity;

describe('how a text is nested', () => {
  it.each([
    ['nothing', '', 0, false],
    ['no brackets', '"a"', 0, false],
    ['as many brackets as it may have', '{"a":[{},[]]}', 4, false],
    ['one more', '{"a":[{},[]]}', 3, true],
    ['as many levels as it may have', nested(MAX_DEPTH), ANY, false],
    ['one more', nested(MAX_DEPTH + 1), ANY, true],
    [
      'many side by side',
      `[${Array.from({ length: 1000 }, () => nested(MAX_DEPTH - 1)).join()}]`,
      ANY,
      false,
    ],
    ['levels that nothing ends', '{"a":'.repeat(MAX_DEPTH + 1), ANY, true],
    ['brackets in a string', `"${'[{'.repeat(100)}"`, 0, false],
    ['brackets in a name', `{"${'[{'.repeat(100)}":1}`, 1, false],
    ['brackets behind an escaped quote', String.raw`["\"[[\\\"[["]`, 1, false],
    ['brackets behind a string that ends in a backslash', String.raw`["\\",[]]`, 1, true],
    ['a string that nothing ends', `"${'['.repeat(100)}`, 0, false],
    ['one that ends in an escaped quote', String.raw`"[[\"`, 0, false],
  ])('of %s is known', (_, text, maxBrackets, isTooMuch) => {
    expect(isNestedTooMuch(text, maxBrackets)).toBe(isTooMuch);
  });

  it('of any JSON is what parsing it would find', () => {
    const json = fc.json({ depthSize: 'large', maxDepth: 30 });
    fc.assert(
      fc.property(json, fc.nat(20), (text, maxBrackets) => {
        const { depth, brackets } = measure(JSON.parse(text));
        expect(isNestedTooMuch(text, maxBrackets)).toBe(depth > MAX_DEPTH || brackets > maxBrackets);
      }),
    );
  });
});

/** The naive way. */
function measure(value: unknown): { depth: number; brackets: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, brackets: 0 };
  const inner = Object.values(value).map(measure);
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    brackets: inner.reduce((sum, { brackets }) => sum + brackets, 1),
  };
}

it('a body that is nested too much is refused with what it may be', () => {
  expect(() => parseJson(nested(MAX_DEPTH + 1), 50)).toThrow(
    'The body is nested too much: send at most 20 levels, and at most 50 arrays and objects in all.',
  );
  expect(parseJson('{"a":[1,"[["]}', 2)).toEqual({ a: [1, '[['] });
});
