// Whose season it is.
import { describe, expect, it } from '@jest/globals';
import { FleetIndex, type SeasonTank } from './fleet-index.js';
import { Tank } from './tank.js';

const FIRST = 20_000;
const DAYS = 60;
const NIGHT = FIRST + DAYS;

/** Tanks that use this much a day, by the day. */
function tanksOf(
  owner_id: string,
  count: number,
  useOf: (day: number) => number,
  from = FIRST,
): SeasonTank[] {
  return Array.from({ length: count }, () => {
    const moments = Array.from({ length: (NIGHT - from) * 4 }, (_, i) => from + i / 4);
    let level = 95;
    const fills = moments.map((t) => (level -= useOf(Math.floor(t)) / 4));
    const tank = new Tank(0);
    tank.advance(moments, fills, NIGHT);
    return { owner_id, tank };
  });
}

const late = (day: number): number => (day < FIRST + DAYS / 2 ? 0.5 : 1.5);
const early = (day: number): number => 2 - late(day);

function learned(...customers: SeasonTank[][]) {
  const fleet = new FleetIndex();
  for (let step = 0; step < 8; step += 1) fleet.learn(customers.flat(), NIGHT);
  return fleet.asOf(NIGHT);
}

/** How many times as much is used on a late day as on an early one. */
function ratioOf(...customers: SeasonTank[][]): number {
  const outlook = learned(...customers);
  return outlook.indexOf(FIRST + 45) / outlook.indexOf(FIRST + 15);
}

describe('the season', () => {
  const others = ['a', 'b', 'c', 'd'].map((owner) => tanksOf(owner, 2, late));

  it('of five customers is to a fifth that of one, however many tanks it has', () => {
    expect(ratioOf(...others)).toBeCloseTo(3, 1);
    const ofAll = (0.8 * 1.5 + 0.2 * 0.5) / (0.8 * 0.5 + 0.2 * 1.5);
    expect(ratioOf(...others, tanksOf('e', 60, early))).toBeCloseTo(ofAll, 1);
  });

  it('of five customers holds nothing of days that one brought along alone', () => {
    const before = FIRST - 30;
    const outlook = learned(
      ...others,
      tanksOf('e', 60, (day) => (day < FIRST ? 0.9 : early(day)), before),
    );
    expect(outlook.indexOf(before + 10)).toBeNaN();
    expect(outlook.indexOf(FIRST + 10)).toBeGreaterThan(0);
  });

  it('of fewer is that of their tanks together', () => {
    expect(ratioOf(...others.slice(1), tanksOf('e', 60, early))).toBeLessThan(0.5);
  });
});
