// Runs over HTTP: created, replaced, changed, driven and deleted.
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Activity, Run, Stop } from 'tank-monitoring-client';
import { SCOPES } from '../../src/common/auth/scope.js';
import { until } from '../faults/support/until.js';
import { startService } from '../support/app.js';
import { aTank, clear, insertCustomer, insertFleetOf, insertTanks } from '../support/builders.js';
import { outcomeOf, pointersOf, tagOf } from '../support/manage.js';

const service = await startService();
const { sql } = service;
const api = service.agent(await service.createKey({ scopes: SCOPES, name: 'Office' }));

const DATE = '2026-11-24';
const LONG = 'x'.repeat(1001);
const stop = (tank_id: string, planned = 1000, more: object = {}) => ({ tank_id, planned, ...more });
const aRun = (tanks: string, more: object = {}) => ({
  date: DATE,
  stops: tanks.split('').map((id) => stop(id)),
  ...more,
});
const put = (id: string, run: object) => api.put(`/v1/runs/${id}`).send(run);
const patch = (id: string, fields: object) => api.patch(`/v1/runs/${id}`).send(fields);
const enter = (id: string, tank: string, fields: object) =>
  api.patch(`/v1/runs/${id}/stops/${tank}`).send(fields);
const get = async (id: string) => (await api.get(`/v1/runs/${id}`).expect(200)).body as Run;
const tanksOf = ({ stops }: Run) => stops.map(({ tank_id: id }) => id).join('');
const list = async (query = '') =>
  (await api.get(`/v1/runs?size=100${query}`).expect(200)).body as { data: Run[]; total_items: number };
const idsIn = async (query = '') => (await list(query)).data.map(({ id }) => id);
const activity = async () =>
  ((await api.get('/v1/activity?type=run&size=100').expect(200)).body as { data: Activity[] }).data;

const taken = (tank_id: string, run_id: string) => ({ code: 'already_planned', tank_id, run_id });
const place = (id: string, latitude: number | null, longitude = 16) =>
  sql.query('update tanks set latitude = $2, longitude = $3 where id = $1', [id, latitude, longitude]);
const order = async (id: string) => (await api.post(`/v1/runs/${id}/order`).expect(200)).body as Run;
/** Somewhere from 0 to 1. */
const at = (i: number, prime: number) => ((i * prime) % 997) / 997;

beforeEach(async () => {
  await sql.query('delete from runs; delete from activity');
  await clear(sql);
  await insertCustomer(sql, { id: 'ours', name: 'Hotel', phone: '+43 1' });
  const tanks = 'abcde'.split('').map((id, i) => {
    const where = { latitude: 48 + i / 10, longitude: 16 };
    return aTank('ours', { id, name: `Tank ${id}`, capacity: 5000, ...where });
  });
  await insertTanks(sql, tanks);
});

const refused = async (run: object) => pointersOf(await api.post('/v1/runs').send(run).expect(400));

describe('a run', () => {
  it('is created, shown as it was answered, and recorded', async () => {
    const sent = {
      date: DATE,
      name: 'Truck 2',
      capacity: 10_000,
      stops: [stop('a', 4018.005, { note: 'ring' }), stop('b', 0.1)],
    };
    const created = await api.post('/v1/runs').send(sent).expect(201);
    const { id } = created.body as Run;
    expect(created.body).toEqual({
      id,
      object: 'run',
      created_at: expect.any(String),
      updated_at: expect.any(String),
      date: DATE,
      name: 'Truck 2',
      capacity: 10_000,
      capacity_unit: 'liters',
      start: null,
      status: 'planned',
      planned: 4018.11,
      delivered: 0,
      distance_km: 22.2,
      stop_count: 2,
      open_count: 2,
      discrepancies: 0,
      stops: [
        {
          tank_id: 'a',
          planned: 4018.01,
          status: 'open',
          delivered: null,
          delivered_at: null,
          note: 'ring',
          measured: null,
          tank: {
            name: 'Tank a',
            custom_id: null,
            owner_name: 'Hotel',
            phone: '+43 1',
            location: expect.objectContaining({ latitude: 48, longitude: 16 }),
            capacity: 5000,
            capacity_unit: 'liters',
            fill_percentage: null,
            reported_at: null,
          },
        },
        expect.objectContaining({ tank_id: 'b', planned: 0.1, note: null }),
      ],
    });
    expect(created.headers['location']).toBe(`/v1/runs/${id}`);
    const got = await api.get(`/v1/runs/${id}`).set('If-None-Match', tagOf(created)).expect(200);
    expect(got.headers['cache-control']).toBe('no-store');
    expect([got.text, tagOf(got)]).toEqual([created.text, tagOf(created)]);
    expect(await activity()).toMatchObject([
      { object_id: id, object_name: 'Truck 2', owner_id: null, operation: 'create', changes: {} },
    ]);
  });

  it('may be sent back as it was read, and is put, patched and deleted', async () => {
    await put('r', aRun('abc', { name: 'One', start: { latitude: 48, longitude: 16 } })).expect(201);
    const read = await api.get('/v1/runs/r').expect(200);
    for (const same of [await put('r', read.body as object), await patch('r', read.body as object)]) {
      expect(same.status).toBe(200);
      expect([same.text, tagOf(same)]).toEqual([read.text, tagOf(read)]);
    }
    const changed = await patch('r', { name: null, start: { latitude: 47 }, capacity: 5.005 }).expect(200);
    const start = { latitude: 47, longitude: 16 };
    expect(changed.body).toMatchObject({ name: null, start, capacity: 5.01 });
    const replaced = await put('r', aRun('ca')).expect(200);
    expect(replaced.body).toMatchObject({ start: null, capacity: null, stop_count: 2 });
    const entries = await activity();
    const operations = ['update', 'update', 'create'].map((operation) => ({ operation }));
    expect(entries).toMatchObject(operations);
    expect(entries[0]?.changes).toEqual({
      'start.latitude': { from: 47, to: null },
      'start.longitude': { from: 16, to: null },
      capacity: { from: 5.01, to: null },
      stops: { from: ['a', 'b', 'c'], to: ['c', 'a'] },
    });
    const gone = { id: 'r', object: 'run', deleted: true };
    expect((await api.delete('/v1/runs/r').expect(200)).body).toEqual(gone);
    expect(outcomeOf(await api.delete('/v1/runs/r'))).toBe('404 not_found');
    expect(outcomeOf(await api.get('/v1/runs/r'))).toBe('404 not_found');
    await put('r', aRun('a')).expect(201);
  });

  it('names every mistake at once', async () => {
    const wrong = {
      id: 'x',
      object: 'tank',
      date: '2026-02-30',
      name: '',
      capacity: 0,
      capacity_unit: 'barrels',
      start: { latitude: 91 },
      stops: [
        stop('a', -1),
        { planned: 1e10 },
        stop('a'),
        stop('b', 1, { note: LONG, colour: 1, ['__proto__']: 2 }),
      ],
      trucks: 2,
    };
    expect(await refused(wrong)).toEqual([
      '/id',
      '/object',
      '/date',
      '/name',
      '/capacity',
      '/capacity_unit',
      '/start/latitude',
      '/start/longitude',
      '/stops/0/planned',
      '/stops/1/tank_id',
      '/stops/1/planned',
      '/stops/2/tank_id',
      '/stops/3/note',
      '/stops/3/colour',
      '/stops/3/__proto__',
      '/trucks',
    ]);
    for (const stops of [[], null, 'a', Array.from({ length: 201 }, (_, i) => stop(`t${i}`))])
      expect(await refused({ date: DATE, stops })).toEqual(['/stops']);
    expect(await refused({})).toEqual(['/date', '/stops']);
    for (const date of ['2026-11-24T00:00:00Z', '0000-01-01', '24.11.2026', 5, null])
      expect(await refused(aRun('a', { date }))).toEqual(['/date']);
  });

  it('has tanks that are there, unless they are stops already, and keeps its unit', async () => {
    expect(pointersOf(await api.post('/v1/runs').send(aRun('axy')).expect(400))).toEqual([
      '/stops/1/tank_id',
      '/stops/2/tank_id',
    ]);
    await put('r', aRun('ab', { capacity_unit: 'gallons' })).expect(201);
    await api.delete('/v1/tanks/b').expect(200);
    const run = (await put('r', aRun('ba')).expect(200)).body as Run;
    expect(run).toMatchObject({ capacity_unit: 'gallons', distance_km: null, stops: [{ tank: null }, {}] });
    const wrong = [
      await patch('r', { capacity_unit: 'liters' }),
      await put('s', aRun('b', { date: '2026-11-25' })),
      await patch('r', { start: { latitude: 1 } }),
    ];
    expect(wrong.flatMap(pointersOf)).toEqual(['/capacity_unit', '/stops/0/tank_id', '/start/longitude']);
    const all = { capacity_unit: 'liters', start: { latitude: 1 }, stops: [stop('a'), stop('x')] };
    expect(pointersOf(await patch('r', all).expect(400))).toEqual([
      '/capacity_unit',
      '/start/longitude',
      '/stops/1/tank_id',
    ]);
  });

  it('holds 200 stops, as they are read', async () => {
    const ids = Array.from({ length: 200 }, (_, i) => `many-${i}`);
    await insertFleetOf(sql, { ours: ids });
    const stops = ids.map((id) => stop(id, 1, { note: 'ü'.repeat(1000) }));
    await put('r', { date: DATE, stops }).expect(201);
    const run = await get('r');
    const again = await put('r', { ...run, stops: run.stops.toReversed() }).expect(200);
    expect((again.body as Run).stops.map(({ tank_id: id }) => id)).toEqual(ids.toReversed());
  });
});

describe('the stops of a run', () => {
  const delivered = { status: 'delivered', delivered: 990.555 };

  it('are entered by the driver, once, with the ETag of the run', async () => {
    const { body } = await put('r', aRun('abc', { name: 'Truck' })).expect(201);
    const first = await enter('r', 'b', { ...delivered, note: 'gate' }).expect(200);
    const { delivered_at } = first.body as Stop;
    expect(first.body).toMatchObject({ tank_id: 'b', status: 'delivered', delivered: 990.56, note: 'gate' });
    expect(Math.abs(Date.parse(delivered_at ?? '') - Date.now())).toBeLessThan(60_000);
    const run = await api.get('/v1/runs/r').expect(200);
    expect([tagOf(first), run.body]).toMatchObject([
      tagOf(run),
      { status: 'underway', delivered: 990.56, open_count: 2 },
    ]);
    expect(Date.parse((run.body as Run).updated_at)).toBeGreaterThan(Date.parse((body as Run).updated_at));

    for (const again of [
      delivered,
      { status: 'delivered' },
      first.body as object,
      { ...delivered, delivered_at },
    ])
      expect((await enter('r', 'b', again).expect(200)).text).toBe(first.text);
    const later = new Date(Date.now() - 3_600_000).toISOString();
    for (const [entered, shown] of [
      [{ delivered: 900 }, { delivered: 900, delivered_at }],
      [{ delivered_at: later }, { delivered_at: later }],
      [{ status: 'skipped' }, { status: 'skipped', delivered: null, delivered_at: null, note: 'gate' }],
    ] as const)
      expect((await enter('r', 'b', entered).expect(200)).body).toMatchObject(shown);
    await enter('r', 'a', { status: 'skipped' }).expect(200);
    await enter('r', 'c', { status: 'delivered', delivered: 0 }).expect(200);
    expect(await get('r')).toMatchObject({ status: 'done', delivered: 0, open_count: 0 });
    const entries = await activity();
    expect(entries).toHaveLength(7);
    expect(entries.at(-2)).toMatchObject({
      object_name: 'Truck',
      changes: {
        'stops.b.status': { from: 'open', to: 'delivered' },
        'stops.b.delivered': { from: null, to: 990.56 },
        'stops.b.delivered_at': { from: null, to: delivered_at },
        'stops.b.note': { from: null, to: 'gate' },
      },
    });
    expect(Object.keys(entries.at(-2)?.changes ?? {})).toHaveLength(4);
  });

  it.each([
    [{ status: 'delivered' }, '/delivered'],
    [{ status: 'delivered', delivered: null }, '/delivered'],
    [{ status: 'delivered', delivered: -1 }, '/delivered'],
    [{ delivered: 5 }, '/delivered'],
    [{ status: 'open', delivered: 5 }, '/delivered'],
    [{ status: 'skipped', delivered_at: '2026-11-01T00:00:00Z' }, '/delivered_at'],
    [{ ...delivered, delivered_at: new Date(Date.now() + 3_600_000).toISOString() }, '/delivered_at'],
    [{ ...delivered, delivered_at: new Date(Date.now() - 32 * 86_400_000).toISOString() }, '/delivered_at'],
    [{ status: 'delivered', delivered_at: '2020-01-01T00:00:00Z' }, '/delivered /delivered_at'],
    [{ status: 'done' }, '/status'],
    [{ note: LONG }, '/note'],
    [{ amount: 5 }, '/amount'],
  ])('refuse %j', async (fields, pointers) => {
    await put('r', aRun('a')).expect(201);
    expect(pointersOf(await enter('r', 'a', fields).expect(400)).join(' ')).toBe(pointers);
    expect(await get('r')).toMatchObject({ status: 'planned' });
  });

  it('are no stops elsewhere', async () => {
    await put('r', aRun('a')).expect(201);
    for (const [run = '', tank = ''] of ['r b', 'r nobody', 's a', 'r a%00'].map((both) => both.split(' ')))
      expect(outcomeOf(await enter(run, tank, { note: 'x' }))).toBe('404 not_found');
    await enter('r', 'a', { note: '😀'.repeat(1000) }).expect(200);
  });

  it('keep what was entered when the list is sent again; a delivered one stays', async () => {
    await put('r', aRun('abc')).expect(201);
    await enter('r', 'b', { ...delivered, note: 'gate' }).expect(200);
    await enter('r', 'c', { status: 'skipped' }).expect(200);
    const stops = [stop('d'), stop('b', 5), stop('a', 7, { note: 'new' })];
    expect((await patch('r', { stops }).expect(200)).body).toMatchObject({
      stops: [
        { tank_id: 'd', status: 'open' },
        { planned: 5, status: 'delivered', note: 'gate' },
        { note: 'new' },
      ],
    });
    expect(outcomeOf(await patch('r', { stops: [stop('a')] }))).toBe('409 delivered');
    expect(outcomeOf(await api.delete('/v1/runs/r'))).toBe('409 delivered');
    await enter('r', 'b', { status: 'open' }).expect(200);
    await patch('r', { stops: [stop('a')] }).expect(200);
    await api.delete('/v1/runs/r').expect(200);
  });

  it('go by conditions on the run that no reading and no tank breaks', async () => {
    const tag = tagOf(await put('r', aRun('ab')).expect(201));
    await api
      .patch('/v1/tanks/a')
      .send({ name: 'Other', location: { latitude: 10 } })
      .expect(200);
    await sql.query(
      `insert into telemetry (tank_key, fill_percentage) select key, 5 from tanks where id = 'a'`,
    );
    const read = await api.get('/v1/runs/r');
    expect([tagOf(read), read.body]).toMatchObject([
      tag,
      { stops: [{ tank: { name: 'Other', fill_percentage: 5 } }, {}] },
    ]);
    const next = tagOf(await enter('r', 'a', { note: 'x' }).set('If-Match', tag).expect(200));
    for (const stale of [
      await enter('r', 'a', { note: 'y' }).set('If-Match', tag),
      await patch('r', { name: 'y' }).set('If-Match', tag),
      await put('r', aRun('a')).set('If-None-Match', '*'),
      await api.delete('/v1/runs/r').set('If-Match', tag),
      await api.post('/v1/runs/r/order').set('If-Match', tag),
    ])
      expect(outcomeOf(stale)).toBe('412 precondition_failed');
    await api.delete('/v1/runs/r').set('If-Match', next).expect(200);
  });
});

describe('a tank', () => {
  it('waits for one truck a day', async () => {
    await put('first', aRun('abc')).expect(201);
    expect((await put('other', aRun('dcb')).expect(409)).body).toMatchObject(taken('c', 'first'));
    await put('other', aRun('dcb', { date: '2026-11-25' })).expect(201);
    expect((await patch('other', { date: DATE }).expect(409)).body).toMatchObject(taken('c', 'first'));
    await enter('first', 'c', { status: 'skipped' }).expect(200);
    expect((await patch('other', { date: DATE }).expect(409)).body).toMatchObject(taken('b', 'first'));
    await enter('first', 'b', { status: 'delivered', delivered: 1 }).expect(200);
    await patch('other', { date: DATE }).expect(200);
    expect((await enter('first', 'c', { status: 'open' }).expect(409)).body).toMatchObject(
      taken('c', 'other'),
    );
    await api.delete('/v1/runs/other').expect(200);
    await enter('first', 'c', { status: 'open' }).expect(200);
  });

  it('waits for one, however many plan it at once, in whatever order', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        put(`r${i}`, aRun(i % 2 === 0 ? 'abcde' : 'edcba')).then(outcomeOf),
      ),
    );
    expect(outcomes.toSorted().slice(0, 2)).toEqual(['201', '409 already_planned']);
    expect((await list()).total_items).toBe(1);
    for (const [i, tanks] of ['ab', 'ba', 'ab'].entries())
      await put(`m${i}`, aRun(tanks, { date: `2026-12-1${i}` })).expect(201);
    const date = '2026-12-01';
    const moves = await Promise.all(['m0', 'm1', 'm2'].map((id) => patch(id, { date }).then(outcomeOf)));
    expect(moves.toSorted()).toEqual(['200', '409 already_planned', '409 already_planned']);
  });
});

it('drivers of two trucks at one tank wait for each other in one order', async () => {
  for (const [i, id] of ['r1', 'r2'].entries()) {
    await put(id, aRun('ab', { date: `2026-11-2${i}` })).expect(201);
    await enter(id, 'a', { status: 'delivered', delivered: 1 }).expect(200);
  }
  const client = await sql.connect();
  await client.query(`begin; select from run_stops where run_id = 'r1' and tank_id = 'a' for update`);
  const second = enter('r2', 'a', { delivered: 2 }).then(outcomeOf);
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  await until('the other waits', async () => ((await sql.query(waiting)).rowCount ?? 0) > 0);
  const free = client.query(`select from run_stops where run_id = 'r2' for update nowait`);
  const held = await free.catch(String);
  client.release(true); // its transaction ends with it
  expect([await second, held]).toMatchObject(['200', { rowCount: 2 }]);
});

describe('a customer that is erased', () => {
  it('leaves no notes', async () => {
    await put('r', aRun('ab')).expect(201);
    await enter('r', 'a', { status: 'skipped', note: 'ask for Mrs. Huber' }).expect(200);
    await api.post('/v1/customers/ours/erase').expect(200);
    expect((await api.get('/v1/runs/r').expect(200)).text).not.toContain('Huber');
    const [entry] = await activity();
    expect(entry?.changes).toEqual({ 'stops.a.status': { from: 'open', to: 'skipped' } });
    expect((await api.post('/v1/customers/ours/erase').expect(200)).body).toMatchObject({ activity: 0 });
  });
});

describe('the list of runs', () => {
  it('has the newest day first, filters and formats', async () => {
    const [date, start] = ['2026-11-20', { latitude: 48, longitude: 16.5 }];
    await put('b', aRun('ab', { date, name: '=1+1', start })).expect(201);
    await put('a', aRun('cd', { date })).expect(201);
    await put('c', aRun('a', { date: '2026-11-22' })).expect(201);
    await sql.query(`update runs set created_at = '2026-11-01' where id in ('a', 'b')`);
    await enter('b', 'a', { status: 'delivered', delivered: 5 }).expect(200);
    await enter('c', 'a', { status: 'skipped' }).expect(200);
    expect(await idsIn()).toEqual(['c', 'b', 'a']);
    expect(await idsIn('&date_gte=2026-11-20&date_lte=2026-11-21')).toEqual(['b', 'a']);
    expect(await idsIn('&date_gte=2026-11-21')).toEqual(['c']);
    expect(await idsIn('&tank_id=a')).toEqual(['c', 'b']);
    expect(await idsIn('&tank_id=nobody')).toEqual([]);
    for (const [status, id] of Object.entries({ planned: 'a', underway: 'b', done: 'c' }))
      expect(await idsIn(`&status=${status}`)).toEqual([id]);
    expect(await idsIn('&created_at_lte=2026-11-02&page=2')).toEqual([]);
    const { data } = await list();
    const { stops: _, ...shown } = await get('b');
    expect(data[1]).toEqual(shown);
    const csv = await api.get('/v1/runs?size=1000').set('Accept', 'text/csv').expect(200);
    expect(csv.text.split('\r\n')[2]).toContain(',2026-11-20,=1+1,,liters,48,16.5,underway,2000,5,');
    expect(csv.headers['x-total-items']).toBe('3');
    const wrong = await api.get('/v1/runs?date_gte=2026-11&status=open&tank_id=&date=2026-01-01').expect(400);
    const parameters = ['date', 'date_gte', 'status', 'tank_id'].map((parameter) => ({ parameter }));
    const { errors } = wrong.body as { errors: { parameter: string }[] };
    expect(errors.toSorted((a, b) => (a.parameter < b.parameter ? -1 : 1))).toMatchObject(parameters);
  });
});

describe('the order of stops', () => {
  it('is the shortest way from the start and back; done ones stay first, lost ones come last', async () => {
    const start = { latitude: 47.9, longitude: 16 };
    await put('r', aRun('eadbc', { start })).expect(201);
    await place('d', null);
    const ordered = await order('r');
    expect(['abced', 'ecbad']).toContain(tanksOf(ordered));
    expect(await order('r')).toEqual(ordered);
    await enter('r', 'c', { status: 'delivered', delivered: 1 }).expect(200);
    const entries = (await activity()).length;
    const [first, ...others] = tanksOf(await order('r'));
    expect([first, others.at(-1)]).toEqual(['c', 'd']);
    expect(await activity()).toHaveLength(entries + 1);
    const changes = { stops: { from: expect.any(Array) } };
    expect((await activity())[0]).toMatchObject({ operation: 'update', changes });
  });

  it('begins with the first place where there is no start, and stays where nothing is shorter', async () => {
    await put('r', aRun('caedb')).expect(201);
    expect(tanksOf(await order('r'))[0]).toBe('c');
    await put('s', aRun('ac', { date: '2026-12-01' })).expect(201);
    expect(tanksOf(await order('s'))).toBe('ac');
    expect(outcomeOf(await api.post('/v1/runs/nobody/order'))).toBe('404 not_found');
    expect(outcomeOf(await api.post('/v1/runs/r/order').send({ by: 'time' }))).toBe('400 invalid_fields');
  });

  it('is given up when the stops are elsewhere each time they are looked at', async () => {
    await put('r', aRun('caedb')).expect(201);
    const { rows } = await sql.query<{ columns: string }>(
      `select string_agg(case attname when 'latitude' then '47 + random() as latitude' else attname end, ', ') as columns
       from pg_attribute where attrelid = 'tanks'::regclass and attnum > 0 and not attisdropped`,
    );
    await sql.query(
      `alter table tanks rename to still_tanks; create view tanks as select ${rows[0]?.columns} from still_tanks`,
    );
    const answer = await api.post('/v1/runs/r/order');
    await sql.query('drop view tanks; alter table still_tanks rename to tanks');

    expect(outcomeOf(answer)).toBe('503 overloaded');
  });

  it('of many, and what somebody else changes meanwhile, are both kept', async () => {
    const ids = Array.from({ length: 120 }, (_, i) => `many-${i}`);
    const places = ids.map((_, i) => ({ latitude: 47 + at(i, 311), longitude: 15 + at(i, 577) }));
    const tanks = ids.map((id, i) => aTank('ours', { id, ...places[i] }));
    await insertTanks(sql, tanks);
    await put('r', { date: DATE, stops: ids.map((id) => stop(id)) }).expect(201);
    const before = await get('r');
    const [, patched] = await Promise.all([order('r'), patch('r', { name: 'meanwhile' })]);
    expect(patched.status).toBe(200);
    const after = await get('r');
    expect(after).toMatchObject({ name: 'meanwhile', stop_count: 120 });
    expect(after.distance_km).toBeLessThan((before.distance_km ?? 0) / 3);
  });
});

it('a key of one customer has no runs', async () => {
  await put('r', aRun('a')).expect(201);
  const bound = service.agent(await service.createKey({ scopes: SCOPES, customerId: 'ours' }));
  for (const request of [
    bound.get('/v1/runs'),
    bound.get('/v1/runs/r'),
    bound.post('/v1/runs/suggest').send({ date: DATE }),
    bound.post('/v1/runs').send(aRun('b')),
    bound.put('/v1/runs/r').send(aRun('b')),
    bound.patch('/v1/runs/r').send({}),
    bound.patch('/v1/runs/r/stops/b').send({ note: 'x' }),
    bound.post('/v1/runs/r/order'),
    bound.delete('/v1/runs/nobody'),
  ])
    expect(outcomeOf(await request)).toBe('403 bound_key');
});
