import { describe, expect, it } from '@jest/globals';
import { fc } from '../../test/support/cases.js';
import { computeFill, SHAPES, type Shape, type Table, type TwoPoints } from './calibration.js';

const twoPoints = (given: Partial<TwoPoints> = {}): TwoPoints => ({
  empty: 0,
  full: 1000,
  unit: 'mm',
  shape: 'upright',
  ...given,
});
const mm = (value: number) => ({ value, unit: 'mm' }) as const;
const at = (height: number, shape: Shape) => computeFill(mm(height * 1000), twoPoints({ shape }));

describe('two points', () => {
  it.each([
    ['upright', 0.25, 25],
    ['upright', 0.5, 50],
    ['upright', 1 / 3, 33.33],
    ['horizontal_cylinder', 0.1, 5.2],
    ['horizontal_cylinder', 0.25, 19.55],
    ['horizontal_cylinder', 0.5, 50],
    ['horizontal_cylinder', 0.75, 80.45],
    ['horizontal_cylinder', 0.9, 94.8],
    ['sphere', 0.1, 2.8],
    ['sphere', 0.25, 15.63],
    ['sphere', 0.5, 50],
    ['sphere', 0.75, 84.38],
    ['sphere', 0.9, 97.2],
  ] as const)('of a tank that is %s, %d high, hold %d percent', (shape, height, fill) => {
    expect(at(height, shape)).toBe(fill);
  });

  it.each(SHAPES)('are 0 and 100 at the ends (%s)', (shape) => {
    expect([at(0, shape), at(1, shape)]).toEqual([0, 100]);
  });

  it.each(SHAPES)('never fall while the level rises, and are mirrored at the middle (%s)', (shape) => {
    const height = fc.double({ min: 0, max: 1, noNaN: true });
    const numberAt = (h: number) => Number(at(h, shape));
    const check = fc.check(
      fc.property(height, height, (a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        return numberAt(low) <= numberAt(high) && Math.abs(numberAt(a) + numberAt(1 - a) - 100) < 0.011;
      }),
    );
    expect(check.counterexample).toBeNull();
  });

  it.each(SHAPES)('may be in either direction: a distance from above is a level from below (%s)', (shape) => {
    const fromAbove = twoPoints({ empty: 1600, full: 150, shape });
    const fromBelow = twoPoints({ empty: 0, full: 1450, shape });
    for (const level of [0, 100, 362.5, 725, 1000, 1450]) {
      expect(computeFill(mm(1600 - level), fromAbove)).toBe(computeFill(mm(level), fromBelow));
    }
  });

  it('take what is up to 5 percent outside for the end, to six decimals, and nothing further', () => {
    expect([-50, -50.0004, 1050, 1050.0004].map((value) => computeFill(mm(value), twoPoints()))).toEqual([
      0, 0, 100, 100,
    ]);
    expect([-50.001, 1050.001, -1e308, 1e308].map((value) => computeFill(mm(value), twoPoints()))).toEqual(
      Array(4).fill('out_of_range'),
    );
  });

  it('that are too far apart for numbers give no reading, and no error', () => {
    expect(computeFill(mm(1e308), twoPoints({ empty: -1e308, full: 1e308 }))).toBe('out_of_range');
  });
});

describe('units', () => {
  it.each([
    [{ value: 25, unit: 'cm' }, 25],
    [{ value: 0.25, unit: 'm' }, 25],
    [{ value: 10, unit: 'in' }, 25.4],
    [{ value: 1, unit: 'ft' }, 30.48],
  ] as const)('of a length are converted: %j', (measured, fill) => {
    expect(computeFill(measured, twoPoints())).toBe(fill);
  });

  it('of the calibration may be any length', () => {
    expect(computeFill(mm(304.8), twoPoints({ empty: 0, full: 4, unit: 'ft' }))).toBe(25);
  });

  it('of a length need a calibration in a length', () => {
    expect(computeFill(mm(500), null)).toBe('no_calibration');
    expect(computeFill(mm(500), twoPoints({ unit: 'percent' }))).toBe('no_calibration');
  });

  it.each([
    [null, 42.5, 42.5],
    [null, -5, 0],
    [null, 105, 100],
    [null, 105.001, 'out_of_range'],
    [twoPoints(), 64, 64],
    [twoPoints({ empty: 10, full: 90, unit: 'percent' }), 50, 50],
    [twoPoints({ empty: 10, full: 90, unit: 'percent', shape: 'sphere' }), 30, 15.63],
  ] as const)('in percent need none, and use one in percent: %j at %d is %s', (calibration, value, fill) => {
    expect(computeFill({ value, unit: 'percent' }, calibration)).toBe(fill);
  });
});

describe('a table', () => {
  const rising: Table = { table: [[100, 0], [300, 20], [500, 20], [1100, 100]], unit: 'mm' }; // prettier-ignore
  const falling: Table = { table: [...rising.table].toReversed(), unit: 'mm' };
  const fromAbove: Table = { table: [[100, 100], [300, 20], [1100, 0]], unit: 'cm' }; // prettier-ignore

  it.each([rising, falling])('is linear between its points: %j', (table) => {
    const values = [100, 200, 300, 400, 500, 800, 1100].map((value) => computeFill(mm(value), table));
    expect(values).toEqual([0, 10, 20, 20, 20, 60, 100]);
  });

  it('may fall while its values rise', () => {
    expect([1000, 2000, 7000].map((value) => computeFill(mm(value), fromAbove))).toEqual([100, 60, 10]);
  });

  it.each([
    [50, 0],
    [49.99, 'out_of_range'],
    [1150, 100],
    [1150.01, 'out_of_range'],
  ] as const)('ends at its ends, and at 5 percent of its span beyond them: %d is %s', (value, fill) => {
    for (const table of [rising, falling]) expect(computeFill(mm(value), table)).toBe(fill);
  });
});

it('whatever the numbers, a fill is from 0 to 100 with two decimals, or says why not', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  const calibration = fc.record({
    empty: number,
    full: number,
    unit: fc.constantFrom('mm', 'percent', 'ft'),
    shape: fc.constantFrom(...SHAPES),
  });
  const unit = fc.constantFrom('mm', 'percent', 'in');
  const check = fc.check(
    fc.property(number, unit, fc.option(calibration), (value, unitOf, one) => {
      const fill = computeFill({ value, unit: unitOf }, one);
      return typeof fill === 'string' || (fill >= 0 && fill <= 100 && fill === Number(fill.toFixed(2)));
    }),
  );
  expect(check.counterexample).toBeNull();
});
