// GET /v1/tanks/:id/telemetry/series: what a series looks like, which buckets it has, and what it never hides.
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Series } from 'tank-monitoring-client';
import { startService } from '../support/app.js';
import { insertCustomer, insertFleetOf, insertReadings, keepStates } from '../support/builders.js';
import { parameterProblem, problem } from '../support/problems.js';

const service = await startService();
const { api, sql } = service;
const PATH = '/v1/tanks/tank/telemetry/series';

beforeEach(() => insertFleetOf(sql, { owner: ['tank'] }));

async function seriesOf(query: Record<string, string | number>): Promise<Series> {
  return (await api.get(PATH).query(query).expect(200)).body as Series;
}

const reading = (created_at: string, fill_percentage: number) => ({ created_at, fill_percentage });

describe('GET /v1/tanks/:id/telemetry/series', () => {
  it('shows every bucket of the range, its gaps and its refills', async () => {
    await insertReadings(sql, 'tank', [
      reading('2026-01-01T05:59:59.999Z', 50),
      reading('2026-01-01T06:00:00.000Z', 40),
      reading('2026-01-01T07:00:00.000Z', 38.5),
      reading('2026-01-01T11:59:59.999Z', 30),
      reading('2026-01-01T18:00:00.000Z', 17.4),
      reading('2026-01-02T00:00:00.000Z', 12.4),
      reading('2026-01-02T01:00:00.000Z', 17.4),
    ]);

    const range = { created_at_gte: '2026-01-01T06:00:00.000Z', created_at_lte: '2026-01-02T01:00:00.000Z' };
    const body = await seriesOf({ ...range, interval: '6h' });

    const empty = { count: 0, first: null, last: null, min: null, max: null, mean: null, used: null };
    const one = { count: 1, first: 17.4, last: 17.4, min: 17.4, max: 17.4, mean: 17.4, used: 12.6 };
    const two = { count: 2, first: 12.4, last: 17.4, min: 12.4, max: 17.4, mean: 14.9, used: 5 };
    const three = { count: 3, first: 40, last: 30, min: 30, max: 40, mean: 36.166666667, used: 20 };
    expect(body).toStrictEqual({
      object: 'series',
      tank_id: 'tank',
      ...range,
      time_zone: 'UTC',
      interval: '6h',
      interval_seconds: 21_600,
      total_items: 6,
      data: [
        { start: '2026-01-01T06:00:00.000Z', ...three },
        { start: '2026-01-01T12:00:00.000Z', ...empty },
        { start: '2026-01-01T18:00:00.000Z', ...one },
        { start: '2026-01-02T00:00:00.000Z', ...two },
      ],
      // Silent after 3 × the median of 1 ms, 1 h, 5 h, 6 h, 6 h, 1 h, so after 9 h; since the last reading it is.
      gaps: [{ from: '2026-01-02T01:00:00.000Z', to: null }],
      refills: [{ at: '2026-01-02T01:00:00.000Z', from: 12.4, to: 17.4 }],
      gaps_total: 1,
      refills_total: 1,
    });
  });

  // Which buckets each zone and interval has is in src/telemetry/series-range.spec.ts.
  it.each([
    [
      { time_zone: 'Europe/Vienna', interval: '1d' }, // one day has 23 hours
      ['2026-03-28', '2026-03-30'],
      ['2026-03-27T23:00:00.000Z', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
      ['2026-03-27T23:00:00.000Z', '2026-03-30T21:59:59.999Z'],
    ],
  ])('counts days as people do: %j', async (asked, [from = '', to = ''], starts, [gte, lte]) => {
    const series = await seriesOf({ ...asked, created_at_gte: from, created_at_lte: to });

    expect(series.data.map(({ start }) => start)).toEqual(starts);
    expect(series).toMatchObject({ created_at_gte: gte, created_at_lte: lte, ...asked });
  });

  it('judges the open gap now: a tank that still reports has none', async () => {
    const now = Date.now();
    const hours = Array.from({ length: 12 }, (_, i) =>
      reading(new Date(now - i * 3_600_000).toISOString(), 50),
    );
    await insertReadings(sql, 'tank', hours);

    expect(await seriesOf({})).toMatchObject({ gaps: [], gaps_total: 0, total_items: 12 });
  });

  it('shows the newest 1,000 gaps and refills, with their totals', async () => {
    // A refill every 12 hours, and a day's silence twice a week would be gaps: here every second pair is 2 h apart.
    await sql.query(`
      insert into telemetry (tank_key, created_at, fill_percentage)
      select key, timestamptz '2026-01-01' + n * interval '2 hours' + (n % 2) * interval '-110 minutes', (n % 2) * 50
      from tanks, generate_series(0, 2203) n where id = 'tank'`);
    await sql.query(`
      insert into telemetry (tank_key, created_at, fill_percentage)
      select key, timestamptz '2026-08-01' + n * interval '10 minutes', 50 from tanks, generate_series(0, 10) n where id = 'tank'`);
    await keepStates(sql);

    const series = await seriesOf({
      created_at_gte: '2026-01-01',
      created_at_lte: '2026-07-31',
      interval: '30d',
    });

    expect(series).toMatchObject({ total_items: 2204, refills_total: 1102, gaps_total: 1102 });
    expect(series.gaps).toHaveLength(1000);
    expect(series.refills).toHaveLength(1000);
    expect(series.refills[999]).toEqual({ at: '2026-07-03T12:10:00.000Z', from: 0, to: 50 });
    expect(series.gaps[999]).toEqual({ from: '2026-07-03T12:10:00.000Z', to: '2026-08-01T00:00:00.000Z' });
  });

  it('shows a bound key its own tanks only', async () => {
    await insertCustomer(sql, { id: 'other' });
    for (const [customerId, status] of Object.entries({ owner: 200, other: 404 }))
      expect(await service.status(PATH, await service.createKey({ customerId }))).toBe(status);
  });
});

function tooMany(count: number, interval: string, advice: string): string {
  return `needs ${count} buckets of ${interval} for this range, more than 2000; ${advice}`;
}

const NO_ZONE = 'must be a time zone of the IANA database, such as Europe/Vienna, not';

describe('a bad question about a series', () => {
  it.each<[query: string, errors: Readonly<Record<string, unknown>>]>([
    [
      '?points=10&interval=1d',
      {
        points: 'cannot be combined with interval; send one of them',
        interval: 'cannot be combined with points; send one of them',
      },
    ],
    ['?interval=5m', { interval: tooMany(8641, '5m', 'the finest interval that fits is 1h') }],
    [
      '?created_at_gte=0001-01-01&created_at_lte=2026-01-01',
      { created_at_gte: tooMany(24_655, '30d', 'choose a shorter range') },
    ],
    [
      '?time_zone=Europe/Viena&created_at_gte=2026-01-01',
      { time_zone: `${NO_ZONE} "Europe/Viena"; did you mean Europe/Vienna?` },
    ],
  ])('names every bad parameter, before the tank is looked for: %s', async (query, errors) => {
    const { body } = await api.get(`/v1/tanks/nothing/telemetry/series${query}`).expect(400);

    const told = Object.entries(errors as Record<string, string>);
    expect(body).toEqual(parameterProblem(...told.map(([parameter, detail]) => ({ parameter, detail }))));
  });

  it('is one about more than a million readings, which are counted and not read', async () => {
    await sql.query(`
      insert into telemetry_counts (tank_key, level, start, n)
      select key, level, start, 1000001 from tanks,
        (values (0, date '-infinity'), (1, date '2026-01-01'), (2, date '2026-01-05')) counted (level, start)
      where id = 'tank'`);

    const { body } = await api.get(`${PATH}?created_at_gte=2026-01-01&created_at_lte=2026-01-31`).expect(400);
    await api.get(`${PATH}?created_at_gte=2026-01-06&created_at_lte=2026-01-31`).expect(200);

    expect(body).toEqual(
      problem(
        400,
        'range_too_large',
        'The range holds 1000001 readings, and a series is made of at most 1000000; choose a shorter range.',
      ),
    );
    await sql.query('delete from telemetry_counts');
  });
});
