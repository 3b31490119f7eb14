// A plan has each tank on its day, and amounts that can be added up.
import { describe, expect, it } from '@jest/globals';
import type { TankStatus } from 'tank-monitoring-client';
import { daysOf, roomIn, roomInWords } from './stops.js';

const NOW = new Date(2026, 6, 15, 10, 0).getTime();
const END = new Date(2026, 6, 22, 23, 59).getTime();
const at = (day: number, hour = 12) => new Date(2026, 6, day, hour).toISOString();

function tank(name: string, p50: string | null | undefined, more: Partial<TankStatus> = {}): TankStatus {
  const alert = { p10: null, p50: p50 ?? null, p90: null };
  const forecast = p50 === undefined ? null : { alert };
  // Only what a plan looks at.
  return { name, low: false, forecast, capacity: 1_000, capacity_unit: 'liters', ...more } as TankStatus;
}

describe('the days of a plan', () => {
  it('begin with what reached its alert, go by the likely day, and end with what may be earlier than likely', () => {
    const tanks = [
      tank('low', undefined, { low: true }),
      tank('past', at(14)),
      tank('this hour', at(15, 9)),
      tank('today', at(15, 18)),
      tank('tomorrow', at(16)),
      tank('friday', at(17)),
      tank('friday too', at(17, 20)),
      tank('after the end', at(23)),
      tank('some day', null),
    ];
    const days = daysOf(tanks, END, NOW).map(([title, those]) => [title, those.map(({ name }) => name)]);
    expect(days).toEqual([
      ['Overdue', ['low', 'past']],
      ['Today', ['this hour', 'today']],
      ['Tomorrow', ['tomorrow']],
      [expect.stringMatching(/^Fri.*17/), ['friday', 'friday too']],
      ['Later', ['after the end', 'some day']],
    ]);
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
