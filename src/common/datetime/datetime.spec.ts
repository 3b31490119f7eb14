// Datetimes in and out, down to the edges of what can be written. How they act as bounds of a list is tested over HTTP.
import { describe, expect, it } from '@jest/globals';
import { isoFromPostgres, isoOrNull, parseDatetime, postgresBound } from './datetime.js';

describe('parseDatetime', () => {
  it.each([
    ['2026-01-31T08:15:30.123Z', '2026-01-31T08:15:30.123Z'],
    ['2026-01-31T08:15:30.5Z', '2026-01-31T08:15:30.500Z'],
    ['2026-01-31T08:15:30', '2026-01-31T08:15:30.000Z'],
    ['2026-01-31T08:15:30+02:00', '2026-01-31T06:15:30.000Z'],
    ['2026-01-31T23:15:30-02:30', '2026-02-01T01:45:30.000Z'],
    ['2026-01-31T08:15', '2026-01-31T08:15:00.000Z'],
    ['2026-01-31T08:15Z', '2026-01-31T08:15:00.000Z'],
    ['2026-01-31t08:15-02:30', '2026-01-31T10:45:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['0050-06-01T00:00:00Z', '0050-06-01T00:00:00.000Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('reads %s as %s', (text, instant) => {
    const parsed = parseDatetime(text);

    expect(parsed).toEqual({ milliseconds: expect.any(Number), hasRemainder: false, isDate: false });
    expect(new Date(parsed?.milliseconds ?? 0).toISOString()).toBe(instant);
  });

  it('reads a date as the first instant of a whole day', () => {
    expect(parseDatetime('2026-01-31')).toEqual({
      milliseconds: Date.UTC(2026, 0, 31),
      hasRemainder: false,
      isDate: true,
    });
  });

  it.each(['.1231', '.123000001', '.1230000000000000000000000001'])(
    'notices what is finer than a millisecond: %s',
    (fraction) => {
      expect(parseDatetime(`2026-01-31T08:15:30${fraction}Z`)).toEqual({
        milliseconds: Date.UTC(2026, 0, 31, 8, 15, 30, 123),
        hasRemainder: true,
        isDate: false,
      });
    },
  );

  it.each([
    '1900-02-29',
    '2026-02-29',
    '2026-06-31',
    '2026-13-01',
    '2026-00-01',
    '2026-01-00',
    '',
    'now',
    '2026-01',
    '20260131',
    '2026-1-31',
    '2026-01-32',
    '2026-01-31T08:15:30.Z',
    '2026-01-31T08:15:30,5Z',
    '2026-01-31T08:15:30+02:60',
    '2026-01-31T08:15:30+0200',
    '2026-01-31T08:15:30ZZ',
    '2026-01-31 08:15:30Z',
    '2026-01-31+02:00',
    ' 2026-01-31',
    '12026-01-31',
    '-2026-01-31',
    '01/31/2026',
    '1767225600',
    '2026-01-31T24:00:00Z',
    '2026-01-31T08',
    '2026-01-31T08Z',
    '2026-01-31T08:60',
    '2026-01-31T08:15.5Z',
    '2026-01-31T08:15:',
    '2026-01-31T08:15:30+24:00',
    '2026-01-31T08:15:30Z\n',
  ])('does not read %j', (text) => {
    expect(parseDatetime(text)).toBeUndefined();
  });

  it('takes no longer for a longer text', () => {
    expect(parseDatetime(`2026-01-31T08:15:30.${'0'.repeat(100_000)}x`)).toBeUndefined();
  });
});

describe('isoFromPostgres', () => {
  it.each([
    ['2026-01-31 08:15:30+00', '2026-01-31T08:15:30.000Z'],
    ['2026-01-31 08:15:30.1+00', '2026-01-31T08:15:30.100Z'],
    ['2026-01-31 08:15:30.12+00', '2026-01-31T08:15:30.120Z'],
    ['2026-01-31 08:15:30.123+00', '2026-01-31T08:15:30.123Z'],
    ['0001-01-01 00:00:00+00', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31 23:59:59.999+00', '9999-12-31T23:59:59.999Z'],
  ])('writes %s as %s', (text, iso) => {
    expect(isoFromPostgres(text)).toBe(iso);
    expect(isoOrNull(text)).toBe(iso);
  });

  it('leaves null alone', () => {
    expect(isoOrNull(null)).toBeNull();
  });
});

describe('postgresBound', () => {
  it('is infinity beyond the years 1 to 9999, in which everything lies', () => {
    const firstMillisecond = new Date('0001-01-01T00:00:00.000Z').getTime();
    const lastMillisecond = new Date('9999-12-31T23:59:59.999Z').getTime();

    expect(postgresBound(firstMillisecond)).toBe('0001-01-01T00:00:00.000Z');
    expect(postgresBound(firstMillisecond - 1)).toBe('-infinity');
    expect(postgresBound(lastMillisecond)).toBe('9999-12-31T23:59:59.999Z');
    expect(postgresBound(lastMillisecond + 1)).toBe('infinity');
  });
});
