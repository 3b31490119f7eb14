// A plan has each tank on its day, and amounts that can be added up.
import { describe, expect, it } from '@jest/globals';
import type { TankStatus } from 'tank-monitoring-client';
import { daysOf, loadOn, roomIn, roomInWords } from './stops.js';

const NOW = new Date(2026, 6, 15, 10, 0).getTime();
const END = new Date(2026, 6, 22, 23, 59).getTime();
const at = (day: number, hour = 12) => new Date(2026, 6, day, hour).toISOString();

function tank(name: string, may: string | null | undefined, more: Partial<TankStatus> = {}): TankStatus {
  const instants = { p10: may ?? null, p50: may ?? null, p90: null };
  const forecast = may === undefined ? null : { alert: more.low === true ? null : instants, empty: instants };
  // Only what a plan looks at.
  return { name, low: false, forecast, capacity: 1_000, capacity_unit: 'liters', ...more } as TankStatus;
}

const TANKS = [
  tank('low', at(17), { low: true }),
  tank('low, who knows how long', undefined, { low: true }),
  tank('past', at(14)),
  tank('today', at(15, 18)),
  tank('tomorrow', at(16)),
  tank('friday', at(17, 20)),
  tank('after the end', at(23)),
  tank('some day', null),
];
const namesBy = (by: 'empty_at' | 'alert_at') =>
  daysOf(TANKS, by, END, NOW).map(([title, those]) => [title, those.map(({ name }) => name)]);

describe('the days of a plan', () => {
  it('are those on which tanks may be empty, those in no forecast last', () => {
    expect(namesBy('empty_at')).toEqual([
      ['May be empty today', ['past', 'today']],
      ['May be empty tomorrow', ['tomorrow']],
      [expect.stringMatching(/^May be empty Fri.*17/), ['low', 'friday']],
      [expect.stringMatching(/^May be empty Thu.*23/), ['after the end']],
      ['Reached its alert', ['low, who knows how long']],
      ['Later', ['some day']],
    ]);
  });

  it('or those of their alerts, which some have reached', () => {
    expect(namesBy('alert_at')).toEqual([
      ['Reached its alert', ['low', 'low, who knows how long']],
      ['Alert today', ['past', 'today']],
      ['Alert tomorrow', ['tomorrow']],
      [expect.stringMatching(/^Alert Fri.*17/), ['friday']],
      ['Later', ['after the end', 'some day']],
    ]);
  });
});

describe('a load', () => {
  const [small, large] = [{ fill_percentage: 50 }, { fill_percentage: 0, capacity: 4_000 }];
  it('is all that fits, in one unit, beside what the truck holds', () => {
    expect(loadOn(10_000, [tank('a', null, small), tank('b', null, large)], 90)).toEqual({
      share: 0.4,
      isOver: false,
      text: '4,000 L of 10,000 L',
    });
    const gallons = tank('c', null, { ...small, capacity_unit: 'gallons' });
    expect(loadOn(1_000, [gallons], 90).text).toBe('400 gal of 1,000 gal');
    expect(loadOn(1_000, [gallons, tank('a', null, small)], 90)).toMatchObject({
      isOver: true,
      text: '1,914 L of 1,000 L, 914 L too much',
    });
  });
});

describe('what fits into a tank', () => {
  it('is never below nothing, and nothing where the level is not known', () => {
    expect(roomIn(tank('a', null, { fill_percentage: 20 }), 90)).toBe(700);
    expect(roomIn(tank('b', null, { fill_percentage: 95 }), 90)).toBe(0);
    expect(roomIn(tank('c', null, { fill_percentage: null }), 90)).toBe(0);
  });

  it('is added up by unit', () => {
    const tanks = [
      tank('a', null, { fill_percentage: 20 }),
      tank('b', null, { fill_percentage: 50, capacity: 500, capacity_unit: 'gallons' }),
      tank('c', null, { fill_percentage: 0, capacity: 4_000 }),
    ];
    expect(roomInWords(tanks, 90)).toBe('4,300 L and 200 gal');
  });
});
