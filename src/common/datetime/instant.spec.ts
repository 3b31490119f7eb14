import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../test/support/cases.js';
import { parseDatetime, parseInstant } from './datetime.js';

describe('parseInstant', () => {
  it('reads what the API writes as the API reads it, in every year there is', () => {
    const instants = fc.date({
      min: new Date('0001-01-01T00:00:00.000Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instants, (date) => {
        expect(parseInstant(date.toISOString())).toBe(date.getTime());
        expect(parseInstant(date.toISOString().replace(/\.\d+/, ''))).toBe(
          Math.floor(date.getTime() / 1000) * 1000,
        );
      }),
    );
  });

  it('agrees with parseDatetime on any digits in the right places, possible or not', () => {
    const two = fc.integer({ min: 0, max: 99 }).map((value) => String(value).padStart(2, '0'));
    fc.assert(
      fc.property(fc.tuple(two, two, two, two, two, two, two), ([century, ...parts]) => {
        const [year, month, day, hour, minute, second] = parts;
        const written = `${century}${year}-${month}-${day}T${hour}:${minute}:${second}.5Z`;
        for (const text of [written, written.replace('.5Z', 'Z'), written.replace('.5Z', '.500Z')]) {
          expect(parseInstant(text)).toBe(
            century === '00' && year === '00' ? undefined : parseDatetime(text)?.milliseconds,
          );
        }
      }),
    );
  });

  it.each([
    ['2026-01-31T08:15:30+02:00', '2026-01-31T06:15:30.000Z'],
    ['2026-01-31t08:15:30z', '2026-01-31T08:15:30.000Z'],
    ['2026-01-31T08:15:30', '2026-01-31T08:15:30.000Z'],
    ['2026-01-31T08:15:30.1239Z', '2026-01-31T08:15:30.123Z'],
    ['1969-12-31T23:59:59.9999Z', '1969-12-31T23:59:59.999Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ])('reads %s', (text, instant) => {
    expect(parseInstant(text)).toBe(Date.parse(instant));
  });

  it.each([
    '2026-01-31',
    '2026-02-29T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T08:15:3xZ',
    '2026-01-31 08:15:30Z',
    '0000-06-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    'now',
    '',
  ])('refuses %p', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});
