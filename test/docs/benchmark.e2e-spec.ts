// The benchmark's own word: a run whose figures cannot be reaches nothing.
import { expect, it } from '@jest/globals';

interface Line {
  readonly reached: boolean | null;
}
type Ask = (what: string, target: number, value: number | null, more?: object) => Line;
const { atLeast, atMost, judged } = (await import(`${process.cwd()}/bench/reach.js`)) as {
  atLeast: Ask;
  atMost: Ask;
  judged: (lines: Line[]) => { lines: Line[]; faults: string[] };
};

const read = (toBare: number): Line => atLeast('service / bare', 0.65, toBare, { most: 1 });
const reached = (lines: Line[]) => judged(lines).lines.map((line) => line.reached);

it('a run of figures that can be reaches and misses what it asks', () => {
  const none = atMost('failed requests', 0, 0);
  const lines = [read(0.7), read(0.6), read(1.09), none, atLeast('not asked', 1, null)];

  expect(reached(lines)).toEqual([true, false, true, true, null]);
});

it.each([
  ['service / bare: 1.39 is past its bound of 1', read(1.39)],
  ['memory: measured nothing (0.00 MB)', atMost('memory', 200, 0, { unit: ' MB' })],
  ['webhooks: measured nothing (NaN)', atLeast('webhooks', 0.8, NaN)],
])('a run with "%s" says so and reaches nothing', (fault, line) => {
  const lines = [read(0.7), line];

  expect(judged(lines).faults).toEqual([fault]);
  expect(reached(lines)).toEqual([null, null]);
});
