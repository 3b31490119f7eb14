// What the sensor saw of a delivery, as a table of cases.
import { describe, expect, it } from '@jest/globals';
import type { Reading } from '../rules.js';
import { Measurement, RefillFinder, type Delivery } from './measured.js';

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 10, 18, 12);

/** `hours:level`, from the time that was entered. */
const series = (text: string): Reading[] =>
  text.split(' ').map((part) => {
    const [hours = '', fill = ''] = part.split(':');
    return { at: NOON + Number(hours) * HOUR, fill: Number(fill) };
  });
const to = (more: Partial<Delivery> = {}): Delivery => ({
  run_id: 'run',
  at: NOON,
  delivered: 600,
  capacity: 1000,
  ...more,
});
const measured = (text: string, delivery = to(), others: Delivery[] = []) => {
  const measurement = new Measurement(delivery, [delivery, ...others]);
  for (const reading of series(text)) measurement.add(reading);
  return measurement.result();
};

const found = (text: string) => {
  const finder = new RefillFinder();
  const refills = [...series(text).map((reading) => finder.add(reading)), finder.end()];
  return refills.flatMap((refill) =>
    refill === undefined ? [] : [[refill.first.fill, refill.last.fill, refill.isWaiting]],
  );
};

describe('a refill', () => {
  it.each([
    ['is a rise of 5 points', '-2:20 -1:20 0:25 1:25', [[20, 25, false]]],
    ['is none below 5 points', '-2:20 -1:20 0:24.9 1:24', []],
    ['is 5 points after rounding', '-2:12.4 -1:12.4 0:17.4 1:17', [[12.4, 17.4, false]]],
    ['has steps of at least 1 point', '-3:20 -2:20 -1:21 0:23 1:40 2:40.9', [[20, 40, false]]],
    ['is none of smaller steps', '-3:20 -2:20 -1:20.9 0:21.8 1:22.7 2:23.6 3:24.5 4:25.4', []],
    ['begins where its first step does', '-3:22 -2:20 -1:30 0:60 1:59', [[20, 60, false]]],
    ['is none where a wrong low reading is over', '-3:60 -2:20 -1:60 0:60', []],
    ['is one above the reading before it, too', '-3:55 -2:20 -1:60 0:60', [[20, 60, false]]],
    ['is none without a reading before it', '-1:20 0:80 1:80', []],
    ['may lose 20 points at once', '-2:20 -1:20 0:80 1:60', [[20, 80, false]]],
    ['is none if more is lost: a wrong high reading', '-2:20 -1:20 0:80 1:59.9', []],
    ['waits for the next reading', '-2:20 -1:20 0:80', [[20, 80, true]]],
    ['may follow another', '-3:20 -2:20 -1:50 0:49 1:80 2:80', [[20, 50, false], [49, 80, false]]], // prettier-ignore
  ])('%s', (_, text, refills) => {
    expect(found(text)).toEqual(refills);
  });
});

describe('a delivery', () => {
  it('is what its refill says, beside what was entered', () => {
    expect(measured('-3:20.5 -2:20 -1:50 0:78 1:77.9')).toEqual({
      volume: 580,
      before: { created_at: '2026-11-18T10:00:00.000Z', fill_percentage: 20 },
      after: { created_at: '2026-11-18T12:00:00.000Z', fill_percentage: 78 },
      difference_percent: -3.3,
      discrepancy: false,
    });
  });

  it('is the sum of its refills', () => {
    const volume = { volume: 610, before: { fill_percentage: 20 }, after: { fill_percentage: 80 } };
    expect(measured('-3:20 -2:20 -1:50 0:49 1:80 2:80')).toMatchObject(volume);
  });

  it.each([
    ['24 hours before', '-26:20 -25:20 -24:80 -23:80', 600],
    ['longer before', '-27:20 -26:20 -24.1:80 -23:80 13:70', 0],
    ['12 hours after', '10:20 12:20 13:80 14:80', 600],
    ['later', '-25:21 10:21 12.1:20 13:80 14:80', 0],
  ])('is looked for until %s', (_, text, volume) => {
    expect(measured(text)).toMatchObject({ volume });
  });

  it.each([
    ['its refill is not over', '-2:20 -1:20 0:80'],
    ['no reading is at or before the beginning', '-23.9:50 12:49'],
    ['no reading is at or after the end', '-24:50 11.9:49'],
    ['there are no readings', '0:50'],
  ])('says nothing while %s', (_, text) => {
    expect(measured(text)).toBeNull();
  });

  it('that should have been seen and was not did not come', () => {
    const nothing = { volume: 0, difference_percent: -100, discrepancy: true };
    const [before, after] = [{ fill_percentage: 50 }, { fill_percentage: 47 }];
    expect(measured('-30:51 -24:50 0:48 12:47 15:46')).toMatchObject({ ...nothing, before, after });
    expect(measured('-24:50 12:47', to({ delivered: 100 }))).toMatchObject(nothing);
    expect(measured('-24:50 12:47', to({ delivered: 99.99 }))).toBeNull();
  });

  it.each([
    [600, 78, false], // -20 of 600
    [600, 77, false], // -30, which is 5 percent
    [600, 76.9, true],
    [300, 52, false], // +20 of 300 are more than 5 percent, and 2 points
    [300, 52.1, true],
    [0, 40, true],
  ])('of %d with a level of %d then is a discrepancy: %s', (delivered, level, discrepancy) => {
    const result = measured(`-2:20 -1:20 0:${level} 1:${level}`, to({ delivered }));
    expect(result?.discrepancy).toBe(discrepancy);
    expect(result?.difference_percent === null).toBe(delivered === 0);
  });

  it('shares no refill: the nearest to its last reading has it, then the earlier', () => {
    const refill = '-25:20 -1:20 0:80 1:80 14:70';
    const [self, hour] = [to(), (hours: number) => to({ run_id: 'other', at: NOON + hours * HOUR })];
    expect(measured(refill, self, [hour(1)])).toMatchObject({ volume: 600 });
    expect(measured(refill, hour(1), [self])).toBeNull(); // a refill touches its time, though it is another's
    expect(measured(refill, self, [hour(-20), hour(30)])).toMatchObject({ volume: 600 });
    const late = to({ at: NOON + 2 * HOUR });
    expect(measured(refill, late, [hour(-2)])).toBeNull();
    expect(measured(refill, hour(-2), [late])).toMatchObject({ volume: 600 });
  });
});
