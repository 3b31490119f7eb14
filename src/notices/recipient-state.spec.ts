import { describe, expect, it } from '@jest/globals';
import { nextDaily } from './recipient-state.js';

const at = (daily_at: string, time_zone: string, now: string, daily_day: number | null = null) =>
  nextDaily({ daily_at, time_zone, daily_day }, new Date(now))?.toISOString();

describe('the next daily mail', () => {
  it.each([
    ['07:00', 'UTC', '2026-11-18T06:59:59Z', '2026-11-18T07:00:00.000Z', 'today'],
    ['07:00', 'UTC', '2026-11-18T07:00:00Z', '2026-11-19T07:00:00.000Z', 'tomorrow, when it is past'],
    ['07:00', 'Europe/Vienna', '2026-11-18T00:00:00Z', '2026-11-18T06:00:00.000Z', 'in the time zone'],
    [
      '02:30',
      'Europe/Vienna',
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:00:00.000Z',
      'at the next time that exists',
    ],
    ['02:30', 'Europe/Vienna', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z', 'at the first of two'],
    [
      '00:30',
      'America/Sao_Paulo',
      '2018-11-03T12:00:00Z',
      '2018-11-04T03:00:00.000Z',
      'after a midnight that is missing',
    ],
    [
      '23:59',
      'Pacific/Kiritimati',
      '2026-11-18T10:00:00Z',
      '2026-11-19T09:59:00.000Z',
      'on a day that is tomorrow elsewhere',
    ],
  ])('of %s in %s after %s is at %s: %s', (time, zone, now, next) => {
    expect(at(time, zone, now)).toBe(next);
  });

  it('is on another local day than the last one', () => {
    const today = Date.parse('2026-11-18') / 86_400_000;
    expect(at('09:00', 'UTC', '2026-11-18T08:00:00Z', today)).toBe('2026-11-19T09:00:00.000Z');
  });
});
