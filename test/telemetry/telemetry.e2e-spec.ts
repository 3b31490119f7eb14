// The readings of a tank: what they look like; wrong ones are removed, and all that depends on them follows. What all lists share is in
// common/lists.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { startService } from '../support/app.js';
import { insertCustomer, insertFleetOf, insertReadings } from '../support/builders.js';
import { parameterProblem, problem } from '../support/problems.js';

const service = await startService();
const { api, sql } = service;
const key = await service.createKey({ scopes: ['telemetry:write'] });
const writer = service.agent(key);

const MINUTE = 60_000;
const START = Math.floor(Date.now() / MINUTE) * MINUTE - 120 * MINUTE;
const at = (minute: number) => new Date(START + minute * MINUTE).toISOString();
const address = (from: number, to: number, tank = 'tank') =>
  `/v1/tanks/${tank}/telemetry?created_at_gte=${at(from)}&created_at_lte=${at(to)}`;

beforeEach(async () => {
  await insertFleetOf(sql, { owner: ['tank', 'neighbour'] });
  const readings = [50, 49, 48, 3].map((fill_percentage, i) => ({ created_at: at(i), fill_percentage }));
  await insertReadings(sql, 'tank', readings);
  await insertReadings(sql, 'neighbour', readings);
});

const minutesOf = async (tank: string) => {
  const { body } = await api.get(`/v1/tanks/${tank}/telemetry?size=100`).expect(200);
  expect(body.total_items).toBe(body.data.length);
  return body.data.map(({ created_at }: { created_at: string }) => (Date.parse(created_at) - START) / MINUTE);
};

describe('DELETE /v1/tanks/:id/telemetry', () => {
  it('removes the readings of the range, both ends included, of this tank only, and says how many', async () => {
    const { body } = await writer.delete(address(1, 2)).expect(200);

    expect(body).toStrictEqual({ object: 'deletion', deleted: 2 });
    expect(await minutesOf('tank')).toEqual([3, 0]);
    expect(await minutesOf('neighbour')).toEqual([3, 2, 1, 0]);
    expect((await writer.delete(address(1, 2)).expect(200)).body).toEqual({ object: 'deletion', deleted: 0 });
  });

  it('takes no right to the tables: who may only remove does so with those of their owner', async () => {
    const client = await sql.connect();
    const removal = `remove_readings('tank', null, '${at(1)}', '${at(3)}', 9, '{"actor":"key"}')`;
    try {
      await client.query(`begin; create role remover; grant execute on function remove_readings to remover`);
      await client.query('set local role remover');
      const { rows } = await client.query(`select outcome, removed from ${removal}`);
      expect(rows).toEqual([{ outcome: 'removed', removed: 2 }]);
    } finally {
      client.release(true); // and nothing has happened
    }
  });

  it('leaves the state that the rest would have, and tells followers', async () => {
    const before = await api.get('/v1/fleet/tanks/tank').expect(200);
    expect(before.body).toMatchObject({ fill_percentage: 3, low: true, reported_at: at(3) });
    await sql.query('select place_changes()');
    const { next } = (await api.get('/v1/changes?after=latest').expect(200)).body;

    await writer.delete(address(3, 3)).expect(200);

    const after = await api.get('/v1/fleet/tanks/tank').expect(200);
    expect(after.body).toMatchObject({ fill_percentage: 48, low: false, reported_at: at(2) });
    expect((await api.get('/v1/fleet').expect(200)).body).toMatchObject({ tanks: 2, reported: 2, low: 1 });
    await sql.query('select place_changes()');
    const { body } = await api.get(`/v1/changes?types=telemetry&after=${next}`).expect(200);
    expect(body.data).toEqual([
      {
        object: 'change',
        type: 'telemetry',
        id: 'tank',
        created_at: expect.any(String),
        data: { created_at_gte: at(3), created_at_lte: at(3), readings: [] },
      },
    ]);
  });

  it('leaves a tank without readings as one that has never reported', async () => {
    expect((await writer.delete(address(0, 60)).expect(200)).body).toEqual({
      object: 'deletion',
      deleted: 4,
    });
    const { body } = await api.get('/v1/fleet/tanks/tank').expect(200);
    expect(body).toMatchObject({ reported: false, reported_at: null, fill_percentage: null, low: false });
  });

  it('removes 10,000 at once, and of a range with more nothing', async () => {
    await sql.query(
      `insert into telemetry select key, '2025-01-01Z'::timestamptz + n * interval '1 second', 50
       from tanks cross join generate_series(1, 10001) n where id = 'tank'`,
    );
    const all = '/v1/tanks/tank/telemetry?created_at_lte=2025-12-31';
    const { body } = await writer.delete(`${all}&created_at_gte=2025-01-01`).expect(400);
    expect(body).toEqual(
      problem(
        400,
        'range_too_large',
        'The range holds more than 10000 readings; choose a shorter one. Nothing was removed.',
      ),
    );
    const some = await writer.delete(`${all}&created_at_gte=2025-01-01T00:00:02Z`).expect(200);
    expect(some.body).toEqual({ object: 'deletion', deleted: 10_000 });
    expect((await api.get('/v1/tanks/tank/telemetry').expect(200)).body).toMatchObject({ total_items: 5 });
  });

  it('refuses a deleted tank, and does not know one that another has', async () => {
    await insertCustomer(sql, { id: 'other' });
    const bound = service.agent(
      await service.createKey({ customerId: 'other', scopes: ['telemetry:write'] }),
    );
    const unknown = problem(404, 'not_found', 'There is no tank with this id.');
    expect((await bound.delete(address(0, 9)).expect(404)).body).toEqual(unknown);
    expect((await writer.delete(address(0, 9, 'nowhere')).expect(404)).body).toEqual(unknown);
    expect((await writer.delete(address(0, 9, 'a%00b')).expect(404)).body).toEqual(unknown);

    await sql.query(`update tanks set deleted = true where id = 'tank'`);
    expect((await writer.delete(address(0, 9)).expect(409)).body).toEqual(
      problem(409, 'deleted', 'This tank is deleted; a PUT restores it.'),
    );
    expect(await minutesOf('tank')).toEqual([3, 2, 1, 0]);
  });

  it('wants both ends of the range', async () => {
    const detail = 'is missing';
    const missing = ['created_at_gte', 'created_at_lte'].map((parameter) => ({ parameter, detail }));
    const none = await writer.delete('/v1/tanks/tank/telemetry').expect(400);
    expect(none.body).toEqual(parameterProblem(...missing));

    expect(await minutesOf('tank')).toEqual([3, 2, 1, 0]);
  });
});

it('GET /v1/tanks/:id/telemetry lists whole readings, without an identifier, of a deleted tank, too', async () => {
  await sql.query("update tanks set deleted = true where id = 'tank'");
  const { body } = await api.get('/v1/tanks/tank/telemetry').expect(200);

  const data = [3, 48, 49, 50].map((fill_percentage, i) => ({
    object: 'telemetry',
    created_at: at(3 - i),
    fill_percentage,
  }));
  const totals = { page: 1, size: 10, total_pages: 1, total_items: 4 };
  expect(body).toStrictEqual({ object: 'list', data, ...totals });
});
