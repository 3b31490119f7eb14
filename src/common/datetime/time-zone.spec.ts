import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../test/support/cases.js';
import { DAY_MS } from './datetime.js';
import { dayAt, isTimeZone, nearestTimeZone, startOfDay } from './time-zone.js';

const dayOf = (date: string): number => Date.parse(date) / DAY_MS;

describe('a day of a time zone', () => {
  it.each([
    ['UTC', '2026-03-29', '2026-03-29T00:00:00.000Z', 'as it is written'],
    ['Europe/Vienna', '2026-03-29', '2026-03-28T23:00:00.000Z', 'of 23 hours'],
    ['Europe/Vienna', '2026-03-30', '2026-03-29T22:00:00.000Z', 'after it'],
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', 'at 01:00, since there is no midnight'],
    [
      'America/Sao_Paulo',
      '2018-02-18',
      '2018-02-18T03:00:00.000Z',
      'after the hour before it was there twice',
    ],
    ['Asia/Beirut', '2022-03-27', '2022-03-26T22:00:00.000Z', 'at 01:00'],
    ['America/St_Johns', '2006-10-29', '2006-10-29T02:30:00.000Z', 'at the first of two midnights'],
    ['Africa/Monrovia', '1972-01-07', '1972-01-07T00:44:30.000Z', 'at 00:44:30'],
    ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00.000Z', 'on the one side of the date line'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', 'with the next, since it was skipped'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z', 'on the other side'],
    ['Asia/Kolkata', '2026-01-01', '2025-12-31T18:30:00.000Z', 'by half an hour'],
  ])('%s %s starts at %s: %s', (zone, date, start) => {
    expect(new Date(startOfDay(zone, dayOf(date))).toISOString()).toBe(start);
  });

  it('starts at the first instant that shows its date, whatever the zone does', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    const day = fc.oneof(
      fc.integer({ min: dayOf('1900-01-01'), max: dayOf('2050-01-01') }),
      fc.integer({ min: dayOf('0002-01-01'), max: dayOf('9998-12-31') }),
    );
    const property = fc.property(fc.constantFrom(...zones), day, (zone, number) => {
      const start = startOfDay(zone, number);
      expect(dayAt(zone, start)).toBe(startOfDay(zone, number + 1) === start ? number + 1 : number);
      for (let before = start - 1; before > start - DAY_MS; before -= 7_200_000) {
        expect(dayAt(zone, before)).toBeLessThan(number);
      }
    });
    fc.assert(property);
  });
});

describe('the name of a time zone', () => {
  it.each(['UTC', 'Europe/Vienna', 'Asia/Kolkata', 'Europe/Kyiv', 'US/Pacific', 'Etc/GMT+5', 'EST', 'GB'])(
    'is one of the IANA database: %s',
    (name) => expect(isTimeZone(name)).toBe(true),
  );

  it.each([
    '',
    'PST',
    'ist',
    'CEST',
    'SystemV/PST8',
    '+01:00',
    'Vienna',
    "UTC'; select 1 --",
    'a\0',
    ['UTC'],
    7,
  ])('is nothing else: %j', (name) => expect(isTimeZone(name)).toBe(false));

  it.each([
    ['Europe/Viena', 'Europe/Vienna'],
    ['America/New York', 'America/New_York'],
    ['Asia/Kolkatta', 'Asia/Kolkata'],
    ['CEST', undefined],
    [`Europe/Vienna${'a'.repeat(10_000)}`, undefined],
  ])('may be found by one that is near: %.20s', (name, meant) => {
    expect(nearestTimeZone(name)).toBe(meant);
  });
});
