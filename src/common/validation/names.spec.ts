// How much of a body is checked, however much was sent.
import { expect, it } from '@jest/globals';
import { Allow } from 'class-validator';
import { IsListOf, IsText } from './field-rules.js';
import { prepared } from './names.js';

class Part {
  @IsText()
  note?: unknown;
}

class Whole {
  @Allow()
  ignored?: unknown;

  @IsListOf(Part, { max: 3 })
  parts?: unknown;
}

const unknown = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`x${i}`, [i]]));

it('a hundred unknown fields are looked at, wherever they are, and none of their values', () => {
  const part = { note: 'a', ...unknown(60) };
  const { value, dropped } = prepared({ parts: [part, part, { note: 'b' }], ...unknown(10) }, Whole);
  const of = (n: number) => Object.fromEntries(Object.keys(unknown(n)).map((name) => [name, null]));
  expect(value).toEqual({ parts: [{ note: 'a', ...of(60) }, { note: 'a', ...of(40) }, { note: 'b' }] });
  expect(dropped).toBe(30);
});

it('of a list one more is looked at than may be, and nothing of what no rule looks at', () => {
  const parts = Array.from({ length: 1_000 }, () => ({ note: 'a' }));
  const { value } = prepared({ ignored: [unknown(1_000)], parts }, Whole);
  expect(value).toEqual({ ignored: {}, parts: parts.slice(0, 4) });
});
