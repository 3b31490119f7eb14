// Days are those of the visitor's calendar, also those with 23 or 25 hours.
import { describe, expect, it } from '@jest/globals';
import { dateOf, daysUntil, endOf, isDate, midnight, startOf } from './calendar.js';

describe('a day', () => {
  it('begins at its own midnight and ends a moment before the next, on every day of a year', () => {
    for (let day = 0; day < 365; day += 1) {
      const noon = new Date(2026, 0, 1 + day, 12);
      const date = dateOf(noon.getTime());
      expect([new Date(startOf(date)).getHours(), new Date(endOf(date) + 1).getHours()]).toEqual([0, 0]);
      expect(dateOf(startOf(date))).toBe(date);
      expect(dateOf(endOf(date))).toBe(date);
      expect(daysUntil(endOf(date) + 1, noon.getTime())).toBe(1);
    }
  });

  it('is counted by midnights, not by hours', () => {
    const late = new Date(2026, 6, 15, 23, 59).getTime();
    expect(daysUntil(new Date(2026, 6, 16, 0, 1).getTime(), late)).toBe(1);
    expect(daysUntil(new Date(2026, 6, 14, 23, 58).getTime(), late)).toBe(-1);
    expect(midnight(late, 7)).toBe(new Date(2026, 6, 22).getTime());
  });

  it.each([
    ['2026-07-31', true],
    ['2026-7-31', false],
    ['2026-13-01', false],
    ['tomorrow', false],
    ['2026-07-31T00:00', false],
  ])('%s is one: %s', (text, is) => {
    expect(isDate(text)).toBe(is);
  });
});
