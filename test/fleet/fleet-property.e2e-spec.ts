// The fleet against a plain model in memory: every filter, order and page over random fleets, and the consumption over random
// histories.
import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { USE_CASES } from '../../src/tanks/tank.entity.js';
import { startService } from '../support/app.js';
import {
  aTank,
  clear,
  insertCustomers,
  aCustomer,
  insertReadings,
  insertTanks,
} from '../support/builders.js';
import { holds, PROPERTY_TIMEOUT_MS } from '../support/properties.js';

// What is asked here is whether answers are right: a machine that is busy with other things may take its time.
const service = await startService({ environment: { ANSWER_TIMEOUT_MS: '60000' } });
const { api, sql } = service;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const id = fc.string({ unit: fc.constantFrom('a', 'B', 'b', '0', '-', 'é'), minLength: 1, maxLength: 4 });
const tank = fc.record({
  id,
  owner: fc.constantFrom('one', 'two', 'gone'),
  use_case: fc.constantFrom(null, ...USE_CASES),
  name: fc.constantFrom('Öl', 'ölofen', 'Kessel', 'x'),
  city: fc.constantFrom(null, 'Köln', 'Oslo'),
  created: fc.integer({ min: 0, max: 3 }),
  deleted: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  threshold: fc.constantFrom(0, 20, 100),
  /** Hours since its one reading; with one reading silence is a day away. */
  reading: fc.option(
    fc.record({ hours: fc.constantFrom(0, 1, 23, 25, 100), fill: fc.constantFrom(0, 20, 20.5, 100) }),
  ),
});
type FleetTank = typeof tank extends fc.Arbitrary<infer T> ? T : never;

const flag = fc.constantFrom(undefined, undefined, 'true', 'false');
const question = fc.record({
  low: flag,
  silent: flag,
  reported: flag,
  owner_id: fc.constantFrom(undefined, undefined, 'one', 'gone', 'nobody'),
  use_case: fc.constantFrom(undefined, undefined, ...USE_CASES),
  q: fc.constantFrom(
    undefined,
    undefined,
    undefined,
    'ÖL',
    'kol',
    'tw owner',
    'ow',
    'ö owner',
    'example kessel',
    '31 OSLO',
  ),
  sort: fc.constantFrom(undefined, 'fill_percentage', 'reported_at', 'created_at'),
  page: fc.integer({ min: 1, max: 4 }),
  size: fc.integer({ min: 1, max: 12 }),
});
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;

const isLow = ({ reading, threshold }: FleetTank) => reading !== null && reading.fill <= threshold;
const isSilent = ({ reading }: FleetTank) => reading !== null && reading.hours > 24;
const ownerName = ({ owner }: FleetTank) => (owner === 'gone' ? null : `Owner ${owner}`);

const is = (wanted: string | undefined, actual: boolean) => wanted === undefined || wanted === String(actual);

const folded = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase();

function matches(one: FleetTank, asked: Partial<Question>): boolean {
  const ofOwner = one.owner === 'gone' ? [] : [`Owner ${one.owner}`, `${one.owner}@example.com`, '+31'];
  const texts = [one.name, one.city, `device of ${one.id}`, ...ofOwner].map((text) => folded(text ?? ''));
  const words = asked.q === undefined ? [] : folded(asked.q).split(' ');
  return (
    !one.deleted &&
    is(asked.low, isLow(one)) &&
    is(asked.silent, isSilent(one)) &&
    is(asked.reported, one.reading !== null) &&
    (asked.owner_id === undefined || asked.owner_id === one.owner) &&
    (asked.use_case === undefined || asked.use_case === one.use_case) &&
    words.every((word) => texts.some((text) => text.includes(word)))
  );
}

function place(one: FleetTank, sort: string | undefined): number {
  if (sort === 'created_at') return -one.created;
  if (sort === 'reported_at') return one.reading === null ? -Infinity : -one.reading.hours;
  return one.reading === null ? Infinity : one.reading.fill;
}

function listed(fleet: readonly FleetTank[], asked: Question): FleetTank[] {
  const byId = (a: FleetTank, b: FleetTank) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id));
  return fleet
    .filter((one) => matches(one, asked))
    .toSorted((a, b) => {
      const [here, there] = [place(a, asked.sort), place(b, asked.sort)];
      return here === there ? byId(a, b) : here < there ? -1 : 1;
    });
}

async function build(fleet: readonly FleetTank[]): Promise<void> {
  await clear(sql);
  await insertCustomers(
    sql,
    ['one', 'two', 'gone'].map((owner) =>
      aCustomer({
        id: owner,
        name: `Owner ${owner}`,
        email: `${owner}@example.com`,
        phone: '+31',
        deleted: owner === 'gone',
      }),
    ),
  );
  const now = Date.now();
  await insertTanks(
    sql,
    fleet.map((one) =>
      aTank(one.owner, {
        id: one.id,
        use_case: one.use_case,
        name: one.name,
        city: one.city,
        assigned_device_id: `device of ${one.id}`,
        created_at: new Date(Date.UTC(2026, 0, 1 + one.created)).toISOString(),
        deleted: one.deleted,
        min_fill_alert_percentage: one.threshold,
      }),
    ),
  );
  for (const { id: tankId, reading } of fleet) {
    if (reading === null) continue;
    const created_at = new Date(now - reading.hours * HOUR).toISOString();
    await insertReadings(sql, tankId, [{ created_at, fill_percentage: reading.fill }]);
  }
}

it(
  'the fleet lists, sorts, filters and counts as the model does',
  async () => {
    const fleet = fc.uniqueArray(tank, { selector: (one) => one.id, maxLength: 20 });
    const property = fc.asyncProperty(
      fleet,
      fc.array(question, { minLength: 25, maxLength: 25 }),
      async (tanks, questions) => {
        await build(tanks);
        for (const asked of questions) {
          const all = listed(tanks, asked);
          const first = (asked.page - 1) * asked.size;
          const parameters = Object.entries(asked).flatMap(([name, value]) =>
            value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
          );
          const { body } = await api.get(`/v1/fleet/tanks?${parameters.join('&')}`).expect(200);
          expect({
            total: body.total_items,
            data: body.data.map((item: Record<string, unknown>) => ({
              id: item['tank_id'],
              low: item['low'],
              silent: item['silent'],
              owner: item['owner_name'],
            })),
          }).toEqual({
            total: all.length,
            data: all.slice(first, first + asked.size).map((one) => ({
              id: one.id,
              low: isLow(one),
              silent: isSilent(one),
              owner: ownerName(one),
            })),
          });
        }
        for (const { owner_id, use_case, q } of questions.slice(0, 5)) {
          const asked = { owner_id, use_case, q };
          const parameters = new URLSearchParams(JSON.parse(JSON.stringify(asked)) as Record<string, string>);
          const { body } = await api.get(`/v1/fleet?${parameters.toString()}`).expect(200);
          const live = tanks.filter((one) => matches(one, asked));
          expect(body).toMatchObject({
            tanks: live.length,
            reported: live.filter(({ reading }) => reading !== null).length,
            low: live.filter(isLow).length,
            silent: live.filter(isSilent).length,
            low_and_silent: live.filter((one) => isLow(one) && isSilent(one)).length,
          });
        }
      },
    );
    expect(await holds(property, 12)).toBe(true);
  },
  PROPERTY_TIMEOUT_MS,
);

interface Reading {
  readonly at: number;
  /** In hundredths of a point, so that the model does not round. */
  readonly fill: number;
}

function expectedConsumption(
  readings: readonly Reading[],
  silentAfterMs: number,
  threshold: number,
): unknown {
  const sorted = readings.toSorted((a, b) => a.at - b.at);
  const newest = sorted.at(-1);
  if (newest === undefined) return null;
  const recent = sorted.filter(({ at }) => at >= newest.at - 14 * DAY);
  const pairs = recent.slice(1).flatMap((after, i) => {
    const before = recent[i];
    if (before === undefined) return [];
    const fall = before.fill - after.fill;
    return after.at - before.at > silentAfterMs || fall <= -500 || fall > 2_000
      ? []
      : [{ fall, ms: after.at - before.at, from: before.at }];
  });
  const used = pairs.reduce((sum, { fall }) => sum + fall, 0);
  const ms = pairs.reduce((sum, pair) => sum + pair.ms, 0);
  if (ms < 3 * DAY || used < 100) return null;
  const perDay = used / 100 / (ms / DAY);
  const level = newest.fill / 100;
  return {
    percent_per_day: expect.closeTo(perDay, 1),
    days_left: expect.closeTo(level / perDay, 0),
    days_to_alert: expect.closeTo(Math.max(level - threshold, 0) / perDay, 0),
    since: new Date(pairs[0]?.from ?? 0).toISOString(),
  };
}

it(
  'the consumption is what the readings of two weeks tell',
  async () => {
    const gap = fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(HOUR, 6 * HOUR) },
      { weight: 2, arbitrary: fc.constant(HOUR / 4) },
      { weight: 1, arbitrary: fc.constantFrom(20 * HOUR, 2 * DAY, 8 * DAY) },
    );
    const change = fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(-150, -100, -25, 10) },
      { weight: 1, arbitrary: fc.constantFrom(499, 500, 501, -2_000, -2_001, 4_000) },
    );
    const history = fc.oneof(
      fc.array(fc.tuple(gap, change), { maxLength: 15 }),
      fc.array(fc.tuple(gap, change), { minLength: 35, maxLength: 70 }),
    );
    const seen = { known: 0, unknown: 0 };
    const property = fc.asyncProperty(history, async (steps) => {
      await clear(sql);
      await insertCustomers(sql, [aCustomer({ id: 'owner' })]);
      await insertTanks(sql, [aTank('owner', { id: 'tank', min_fill_alert_percentage: 20 })]);
      let at = Date.now();
      let fill = 4_000;
      const readings: Reading[] = [];
      for (const [ms, difference] of steps) {
        readings.push({ at, fill });
        at -= ms;
        fill = Math.min(Math.max(fill - difference, 0), 10_000); // from the newest to the oldest
      }
      await insertReadings(
        sql,
        'tank',
        readings.map((one) => ({
          created_at: new Date(one.at).toISOString(),
          fill_percentage: one.fill / 100,
        })),
      );
      const { body } = await api.get('/v1/fleet/tanks/tank').expect(200);
      const expected = expectedConsumption(readings, body.silent_after_seconds * 1000, 20);
      seen[expected === null ? 'unknown' : 'known'] += 1;
      expect(body.consumption).toEqual(expected);
    });
    expect(await holds(property, 150)).toBe(true);
    expect(Math.min(seen.known, seen.unknown)).toBeGreaterThan(5);
  },
  PROPERTY_TIMEOUT_MS,
);
