// GET /v1/telemetry: all readings in one walk.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { startService } from '../support/app.js';
import { clear, insertCustomer, insertReadings, insertTank, writeReadings } from '../support/builders.js';
import { parameterProblem } from '../support/problems.js';

const service = await startService();
const { api, sql } = service;

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
const reading = (tank_id: string, minute: number) => ({
  object: 'telemetry',
  tank_id,
  created_at: at(minute),
  fill_percentage: minute % 101,
});
const readings = (minutes: readonly number[]) =>
  minutes.map((minute) => ({ created_at: at(minute), fill_percentage: minute % 101 }));

/** In the order of their making: that of their keys, not of their ids. */
beforeEach(async () => {
  await clear(sql);
  await insertCustomer(sql, { id: 'owner' });
  await insertCustomer(sql, { id: 'other' });
  await insertTank(sql, 'owner', { id: 'z' });
  await insertTank(sql, 'other', { id: 'm' });
  await insertTank(sql, 'owner', { id: 'empty' });
  await insertTank(sql, 'owner', { id: 'a' });
  await insertReadings(sql, 'z', readings([3, 1, 2]));
  await insertReadings(sql, 'm', readings([10, 20]));
  await insertReadings(sql, 'a', readings([5, 0]));
});
const ALL = [
  ...[1, 2, 3].map((minute) => reading('z', minute)),
  ...[10, 20].map((minute) => reading('m', minute)),
  ...[0, 5].map((minute) => reading('a', minute)),
];

type Reading = ReturnType<typeof reading>;

async function walk(parameters: string, key?: string, onPage?: () => Promise<unknown>): Promise<Reading[]> {
  const agent = key === undefined ? api : service.agent(key);
  const walked: Reading[] = [];
  for (let after: string | null = ''; after !== null;) {
    const { body }: { body: { data: Reading[]; next: string | null } } = await agent
      .get(`/v1/telemetry?${parameters}${after === '' ? '' : `&after=${after}`}`)
      .expect(200);
    walked.push(...body.data);
    after = body.next;
    await onPage?.();
  }
  return walked;
}

describe('GET /v1/telemetry', () => {
  it('gives whole readings by tank, then oldest first, and no way on from the last page', async () => {
    // Never "not modified": nobody can have kept it.
    const { body, headers } = await api.get('/v1/telemetry').set('If-None-Match', '*').expect(200);

    expect(body).toStrictEqual({ object: 'readings', data: ALL, next: null });
    expect(headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(headers).not.toHaveProperty('etag');
    expect(headers).not.toHaveProperty('link');
  });

  it.each([1, 2, 3, 7, 8])('in pages of %d gives the same', async (size) => {
    expect(await walk(`size=${size}`)).toEqual(ALL);
    const { body } = await api.get('/v1/telemetry?size=7').expect(200);
    expect(body.next).toBeNull(); // it ends exactly with the last reading
  });

  it.each([
    [`created_at_gte=${at(2)}&created_at_lte=${at(5)}`, [ALL[1], ALL[2], ALL[6]]],
    [`created_at_gte=${at(5)}`, [ALL[3], ALL[4], ALL[6]]],
    ['created_at_lte=2025-12-31', []],
    [`created_at_gte=${at(5)}&created_at_lte=${at(1)}`, []],
    ['owner_id=other', ALL.slice(3, 5)],
    ['owner_id=nobody', []],
    ['owner_id=%00', []],
  ])('with %s gives those only', async (parameters, expected) => {
    expect(await walk(`size=1&${parameters}`)).toEqual(expected);
  });

  it('leaves out deleted tanks, and goes on behind one that is deleted meanwhile', async () => {
    const { body } = await api.get('/v1/telemetry?size=4').expect(200);
    await sql.query(`update tanks set deleted = true where id = 'm'`);

    const rest = await api.get(`/v1/telemetry?after=${body.next}`).expect(200);
    expect(rest.body).toEqual({ object: 'readings', data: ALL.slice(5), next: null });
    expect(await walk('')).toEqual([...ALL.slice(0, 3), ...ALL.slice(5)]);
  });

  it('gives a bound key its own, also from a place in a tank of another', async () => {
    const key = await service.createKey({ customerId: 'owner' });
    const { body } = await api.get('/v1/telemetry?size=4').expect(200);

    expect(await walk('size=2', key)).toEqual([...ALL.slice(0, 3), ...ALL.slice(5)]);
    expect(await walk('owner_id=other', key)).toEqual([]);
    const rest = await service.agent(key).get(`/v1/telemetry?after=${body.next}`).expect(200);
    expect(rest.body).toEqual({ object: 'readings', data: ALL.slice(5), next: null });
  });

  it('speaks NDJSON and CSV, with the way on in a link that keeps the parameters', async () => {
    const asked = `/v1/telemetry?size=2&created_at_gte=${at(0)}`;
    const ndjson = await api.get(asked).set('Accept', 'application/x-ndjson').expect(200);
    expect(ndjson.text).toBe(
      ALL.slice(0, 2)
        .map((item) => `${JSON.stringify(item)}\n`)
        .join(''),
    );
    expect(ndjson.headers).not.toHaveProperty('etag');

    const link = /^<(\/v1\/telemetry\?[^>]+)>; rel="next"$/.exec(ndjson.headers['link'] ?? '')?.[1] ?? '';
    const next = await api.get(link).set('Accept', 'text/csv').expect(200);
    expect(next.text).toBe(
      ['tank_id,created_at,fill_percentage', `z,${at(3)},3`, `m,${at(10)},10`, ''].join('\r\n'),
    );
    expect(next.headers['link']).toContain(
      `&size=2&created_at_gte=${encodeURIComponent(at(0))}>; rel="next"`,
    );
  });

  it('gives a page that is read in several parts whole and in order, in every format', async () => {
    await sql.query(
      `insert into telemetry select key, '2025-01-01Z'::timestamptz + n * interval '1.1 second', n % 1000 / 10.0
       from tanks cross join generate_series(1, 2600) n where id <> 'empty'`,
    );
    const asked = '/v1/telemetry?size=7800';
    const { body } = await api.get(asked).expect(200);
    const { rows } = await sql.query<{ id: string; at: string; fill: number }>(
      `select id, to_char(telemetry.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, fill_percentage as fill
       from telemetry join tanks on key = tank_key order by tank_key, telemetry.created_at limit 7800`,
    );
    const expected = rows.map(({ id, at: created_at, fill }) => ({
      object: 'telemetry',
      tank_id: id,
      created_at,
      fill_percentage: fill,
    }));
    expect(body).toEqual({ object: 'readings', data: expected, next: expect.any(String) });
    const { text } = await api.get(asked).set('Accept', 'application/x-ndjson').expect(200);
    expect(text).toBe(expected.map((item) => `${JSON.stringify(item)}\n`).join(''));
  });

  it('neither skips nor repeats what is there all the time, under the fire of writers', async () => {
    const there = Array.from({ length: 300 }, (_, i) => 100 + i * 3);
    for (const id of ['z', 'm', 'a']) await writeReadings(sql, id, readings(there));
    const lasting = new Set(there.map(at));
    let shot = 0;
    const fire = async () => {
      shot += 1;
      for (const id of ['z', 'm', 'empty', 'a']) {
        await writeReadings(sql, id, readings([5_000 + shot, shot * 3 - 1 + 100, shot * 3 + 401]));
        await sql.query(
          `delete from telemetry where created_at = $2 and tank_key = (select key from tanks where id = $1)`,
          [id, at(shot * 3 - 1 + 100)],
        );
        await sql.query(`update tanks set name = name || '!', owner_id = 'owner' where id = $1`, [id]);
      }
    };
    const walked = await walk('size=37', undefined, fire);

    expect(new Set(walked.map(({ tank_id, created_at }) => `${tank_id} ${created_at}`)).size).toBe(
      walked.length,
    );
    for (const id of ['z', 'm', 'a'])
      expect(
        walked.filter(({ tank_id, created_at }) => tank_id === id && lasting.has(created_at)),
      ).toHaveLength(300);
  });

  it.each([
    ['size=10001', 'size', 'must be a whole number from 1 to 10000, in plain digits, not "10001"'],
    ['after=1-1-0000', 'after', 'must be the `next` of an answer, not "1-1-0000"'],
  ])('refuses %s', async (parameters, parameter, detail) => {
    const { body } = await api.get(`/v1/telemetry?${parameters}`).expect(400);
    expect(body).toEqual(parameterProblem({ parameter, detail }));
  });

  it('refuses a place in the feed of changes, and the feed refuses one in the walk', async () => {
    const feed = await api.get('/v1/changes?after=latest').expect(200);
    const { body } = await api.get('/v1/telemetry?size=1').expect(200);
    expect(await service.status(`/v1/telemetry?after=${feed.body.next}`)).toBe(400);
    expect(await service.status(`/v1/changes?after=${body.next}`)).toBe(400);
  });
});
