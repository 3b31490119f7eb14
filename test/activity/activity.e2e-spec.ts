// GET /v1/activity: who changed what, recorded with the change itself.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Activity, List } from 'tank-monitoring-client';
import { SCOPES } from '../../src/common/auth/scope.js';
import { SecretBox } from '../../src/webhooks/secrets.js';
import { importLines } from '../../src/operator/import/import-lines.js';
import { startService } from '../support/app.js';
import { runCliOn } from '../support/cli.js';
import { aTank, insertFleetOf, insertTank, insertTanks } from '../support/builders.js';
import { customerLine, ndjson, tankLine, type Line } from '../support/lines.js';
import { NEW_CUSTOMER, NEW_TANK, NOWHERE } from '../support/manage.js';
import { endpointsOf } from '../support/operator.js';

const service = await startService();
const { sql, operator } = service;
const key = await service.createKey({ name: 'Office', scopes: SCOPES });
const prefix = key.slice(0, key.indexOf('.'));
const api = service.agent(key);

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const OFFICE = { kind: 'key', prefix, name: 'Office' };

async function list(query: object = {}, agent = api): Promise<List<Activity>> {
  const { body } = await agent
    .get('/v1/activity')
    .query({ size: 100, ...query })
    .expect(200);
  return body as List<Activity>;
}

/** `create tank t` and so on, newest first. */
const told = async (query: object = {}, agent = api) =>
  (await list(query, agent)).data.map(({ operation, type, object_id: id }) => `${operation} ${type} ${id}`);

const changesOf = async (object_id: string) => (await list({ object_id })).data[0]?.changes;

const PROFILE = { name: 'P', level: { path: 'l', unit: 'mm' } };
const putTank = (id: string, more: object = {}) =>
  api
    .put(`/v1/tanks/${id}`)
    .send({ ...NEW_TANK, ...more })
    .expect(201);

const load = async (...lines: Line[]) =>
  importLines(
    operator,
    (async function* () {
      yield Buffer.from(ndjson(lines));
    })(),
  );

beforeEach(async () => {
  await insertFleetOf(sql, { ours: [], theirs: [] });
  await sql.query(`truncate activity; delete from sensor_profiles where id like 'my-%'`);
});

it('what was changed under one id is undone by the recipe for an import that was wrong', async () => {
  await insertTank(sql, 'ours', { id: 'old', name: 'Right', city: 'Graz', country: 'Austria' });
  const run = { 'X-Request-Id': 'run-7' };
  const wrong = { name: 'Wrong', location: { city: 'Linz' } };
  await api.patch('/v1/tanks/old').set(run).send(wrong).expect(200);
  await api.put('/v1/tanks/new').set(run).send(NEW_TANK).expect(201);
  await api.patch('/v1/customers/theirs').send({ name: 'Not of this run' }).expect(200);
  const page = await readFile(new URL('../../docs/recipes.md', import.meta.url), 'utf8');
  const [, program = ''] =
    /^node --input-type=module -e '\n(.+?)^' "\$URL" "\$KEY" "\$RUN"$/ms.exec(page) ?? [];

  const ofKeys = program.replace('actor=import', `actor=${prefix}`);
  const parameters = ['--input-type=module', '-e', ofKeys, service.url, key, 'run-7'];
  const { stdout } = await promisify(execFile)(process.execPath, parameters);

  expect(stdout).toBe('create tanks/new 200\nupdate tanks/old 200\n');
  expect((await api.get('/v1/tanks/new').expect(200)).body).toMatchObject({ deleted: true });
  expect((await api.get('/v1/tanks/old').expect(200)).body).toMatchObject({
    name: 'Right',
    location: { city: 'Graz', country: 'Austria' },
  });
  const { body: other } = await api.get('/v1/customers/theirs').expect(200);
  expect(other).toMatchObject({ name: 'Not of this run' });
});

describe('a change by a key', () => {
  it('is told with who made it, in which request, and both values of each field', async () => {
    await insertTank(sql, 'ours', { id: 't', name: 'A' });
    const before = Date.now();
    await api
      .patch('/v1/tanks/t')
      .set('X-Request-Id', 'request-1')
      .send({ name: 'B', location: { city: 'Graz' }, min_fill_alert_percentage: 20 })
      .expect(200);

    const { data, ...page } = await list();

    expect(page).toEqual({ object: 'list', page: 1, size: 100, total_pages: 1, total_items: 1 });
    expect(data).toEqual([
      {
        id: expect.stringMatching(UUID_V7),
        object: 'activity',
        created_at: expect.any(String),
        type: 'tank',
        object_id: 't',
        object_name: 'B',
        owner_id: 'ours',
        operation: 'update',
        actor: OFFICE,
        request_id: 'request-1',
        changes: { name: { from: 'A', to: 'B' }, 'location.city': { from: null, to: 'Graz' } },
      },
    ]);
    expect(Math.abs(Date.parse(data[0]?.created_at ?? '') - before)).toBeLessThan(60_000);
  });

  it('of any kind is told; one that changes nothing or is refused is not', async () => {
    await api.put('/v1/customers/c').send(NEW_CUSTOMER).expect(201);
    await api.put('/v1/customers/c').send(NEW_CUSTOMER).expect(200);
    await api.patch('/v1/customers/c').send({ phone: '1' }).expect(200);
    await putTank('t', { owner_id: 'c' });
    await api.patch('/v1/tanks/t').send({ owner_id: 'nobody' }).expect(400);
    await api.patch('/v1/tanks/t').set('If-Match', '"old"').send({ name: 'x' }).expect(412);
    await api.put('/v1/sensor_profiles/my-1').send(PROFILE).expect(201);
    await api.put('/v1/tanks/t/sensor').send({ profile_id: 'my-1' }).expect(201);
    await api.put('/v1/tanks/t/sensor').send({ profile_id: 'my-1' }).expect(200);
    await api.delete('/v1/tanks/t').expect(200);
    await api.delete('/v1/tanks/t').expect(200);
    await api.delete('/v1/sensor_profiles/my-1').expect(200);
    await api.delete('/v1/customers/c').expect(200);

    expect(await told()).toEqual([
      'delete customer c',
      'delete sensor_profile my-1',
      'delete sensor t',
      'delete tank t',
      'create sensor t',
      'create sensor_profile my-1',
      'create tank t',
      'update customer c',
      'create customer c',
    ]);
    const names = (await list()).data.map(({ object_name: name }) => name);
    const { name: customer } = NEW_CUSTOMER;
    const { name: tank } = NEW_TANK;
    expect(names).toEqual([customer, 'P', null, tank, null, 'P', tank, customer, customer]);
    const { data } = await list();
    expect(data.map((one) => one.owner_id)).toEqual(['c', null, 'c', 'c', 'c', null, 'c', 'c', 'c']);
    expect(data.filter(({ operation }) => operation !== 'update').map((one) => one.changes)).toEqual(
      Array.from({ length: 8 }, () => ({})),
    );
  });

  it('of nested fields has their paths, of an array both arrays, and instants as the API shows them', async () => {
    const rules = [{ path: 'position', equals: 'tilt' }];
    const profile = { ...PROFILE, battery: { path: 'b' }, reject_when: rules };
    await api.put('/v1/sensor_profiles/my-1').send(profile).expect(201);
    await api
      .patch('/v1/sensor_profiles/my-1')
      .send({ level: { unit: 'cm' }, battery: null, reject_when: null })
      .expect(200);
    expect(await changesOf('my-1')).toEqual({
      'level.unit': { from: 'mm', to: 'cm' },
      'battery.path': { from: 'b', to: null },
      reject_when: { from: rules, to: [] },
    });

    await insertTank(sql, 'ours', { id: 't' });
    await api.put('/v1/tanks/t/sensor').send({ profile_id: 'my-1' }).expect(201);
    const table = [0, 100].map((distance) => [distance, distance / 2]);
    const calibrated = { profile_id: 'my-1', calibration: { table, unit: 'cm' } };
    await api.put('/v1/tanks/t/sensor').send(calibrated).expect(200);
    expect(await changesOf('t')).toEqual({
      'calibration.table': { from: null, to: table },
      'calibration.unit': { from: null, to: 'cm' },
    });

    await api.patch('/v1/customers/ours').send({ last_seen_at: '2026-01-02T03:04:05+01:00' }).expect(200);
    expect(await changesOf('ours')).toEqual({
      last_seen_at: { from: null, to: '2026-01-02T02:04:05.000Z' },
    });
  });

  it('is in the transaction that makes it: without its entry there is no change', async () => {
    await sql.query(`alter table activity add constraint fails check (operation <> 'create')`);
    try {
      const answers = [await api.put('/v1/tanks/t').send(NEW_TANK), await api.get('/v1/tanks/t')];
      expect(answers.map(({ status }) => status)).toEqual([500, 404]);
    } finally {
      await sql.query('alter table activity drop constraint fails');
    }
  });

  it('is told in the order of the changes, also of writers at once', async () => {
    await insertTank(sql, 'ours', { id: 't', name: '0' });
    await Promise.all(Array.from({ length: 20 }, (_, i) => api.patch('/v1/tanks/t').send({ name: `n${i}` })));

    const { data } = await list({ object_id: 't' });
    const names = data.map(({ changes }) => (changes as { name: { from: string; to: string } }).name);
    expect(names).toHaveLength(20);
    expect(names.slice(0, -1).map(({ from }) => from)).toEqual(names.slice(1).map(({ to }) => to));
  });
});

describe('a change by a command', () => {
  it('of keys is told by their prefixes and customers, never with a secret', async () => {
    const bounds = { name: 'gateway', customerId: 'ours', expiresAt: null };
    const made = await service.keys.create(bounds);
    const [old = ''] = made.split('.');
    const rolled = await service.keys.roll(old, 1_000);
    const [renewed = ''] = rolled.split('.');
    await service.keys.revoke(renewed);
    await service.keys.revoke(renewed);
    await expect(service.keys.revoke('tms_none')).rejects.toThrow('There is no key');
    await expect(service.keys.create({ ...bounds, customerId: 'nobody' })).rejects.toThrow('/customer_id');

    const { data } = await list({ type: 'key' });
    expect(data.toReversed().map(({ operation, object_id: id, actor }) => [operation, id, actor])).toEqual([
      ['create', old, { kind: 'command', name: 'keys create' }],
      ['roll', old, { kind: 'command', name: 'keys roll' }],
      ['create', renewed, { kind: 'command', name: 'keys roll' }],
      ['revoke', renewed, { kind: 'command', name: 'keys revoke' }],
    ]);
    for (const { owner_id: owner, request_id: request, changes } of data)
      expect([owner, request, changes]).toEqual(['ours', null, {}]);
    for (const secret of [made, rolled]) expect(JSON.stringify(data)).not.toContain(secret.split('.')[1]);
  });

  it('of webhook endpoints is told with their state, never with a secret', async () => {
    const endpoints = endpointsOf(operator, new SecretBox([Buffer.alloc(32, 1).toString('base64')]));
    const receiver = { url: 'https://example.com/', customerId: 'ours', types: null, description: null };
    const { id } = await endpoints.add(receiver);
    await endpoints.enable(id);
    await endpoints.disable(id);
    await endpoints.rollSecret(id);
    await endpoints.remove(id);

    const { data } = await list({ type: 'webhook_endpoint', object_id: id });
    const disabled = {
      state: { from: 'enabled', to: 'disabled' },
      reason: { from: null, to: 'the operator disabled it' },
    };
    const done = data.map(({ operation, actor, owner_id, changes }) => [
      operation,
      actor.name,
      owner_id,
      changes,
    ]);
    expect(done.toReversed()).toEqual([
      ['create', 'webhooks add', 'ours', {}],
      ['update', 'webhooks disable', 'ours', disabled],
      ['roll', 'webhooks roll-secret', 'ours', {}],
      ['delete', 'webhooks remove', 'ours', {}],
    ]);
  });

  it('as an import is told for each object that it changed', async () => {
    const customer = customerLine('c');
    const tank = tankLine('t', 'c', { name: 'A', custom_id: 'say "hi"\\' });
    const other = tankLine('u', 'c');
    await load(customer, tank, other);
    await load(customer, tank, other);
    await load(
      { ...tank, name: 'B', owner_id: 'ours', custom_id: null, location: { latitude: 1.5 } },
      { id: 'u', object: 'tank', deleted: true },
    );
    await load({ ...other, created_at: '2020-01-02T03:04:05.678Z' });

    expect(await told({ actor: 'import' })).toEqual([
      'restore tank u',
      expect.stringMatching(/^(update tank t|delete tank u)$/),
      expect.stringMatching(/^(update tank t|delete tank u)$/),
      expect.stringMatching(/^create tank [tu]$/),
      expect.stringMatching(/^create tank [tu]$/),
      'create customer c',
    ]);
    expect(await changesOf('u')).toEqual({
      created_at: { from: other['created_at'], to: '2020-01-02T03:04:05.678Z' },
    });
    expect((await list({ object_id: 't' })).data[0]).toMatchObject({
      owner_id: 'ours',
      actor: { kind: 'command', name: 'import' },
      request_id: null,
      changes: {
        name: { from: 'A', to: 'B' },
        owner_id: { from: 'c', to: 'ours' },
        custom_id: { from: 'say "hi"\\', to: null },
        'location.latitude': { to: 1.5 },
      },
    });
  });
});

it('an import by the command is a run with an id, which it prints and its entries carry', async () => {
  const first = `${JSON.stringify(customerLine('c'))}\n${JSON.stringify(tankLine('t', 'c'))}\n`;
  const { stdout } = await runCliOn(first, service.database.url, 'import', '--json', '-');
  const { run_id: run } = JSON.parse(stdout) as { run_id: string };
  const { stderr } = await runCliOn(first.replace('Tank t', 'Other'), service.database.url, 'import', '-');
  const next = /request_id (\S+)\./.exec(stderr)?.[1];

  const { data } = await list({ actor: 'import' });
  expect(data.map(({ object_id: id, request_id: of }) => [id, of])).toEqual([
    ['t', next],
    ['t', run],
    ['c', run],
  ]);
  expect(new Set([run, next])).not.toContain(undefined);
  expect(run).not.toBe(next);
});

/** Its changes take more than an entry keeps. */
const longRun = (text: string) => ({
  date: '2026-01-01',
  stops: Array.from({ length: 200 }, (_, n) => ({
    tank_id: `${n}`.padStart(200, 't'),
    planned: 1,
    note: text.repeat(500),
  })),
});

describe('the list', () => {
  it('takes a type, an object, an actor and a range', async () => {
    await service.createKey();
    await api.put('/v1/tanks/t').send(NEW_TANK);
    await api.put('/v1/customers/c').send(NEW_CUSTOMER);

    expect(await told({ type: 'tank' })).toEqual(['create tank t']);
    expect(await told({ object_id: 'c' })).toEqual(['create customer c']);
    expect(await told({ actor: prefix })).toEqual(['create customer c', 'create tank t']);
    expect(await told({ actor: prefix, type: 'customer' })).toEqual(['create customer c']);
    expect(await told({ actor: 'keys create' })).toHaveLength(1);
    expect(await told({ actor: 'keys create', object_id: 'c' })).toEqual([]);
    expect(await told({ actor: '\0' })).toEqual([]);
    expect(await told({ object_id: '\0' })).toEqual([]);
    expect(await told({ created_at_lte: '2026-01-01' })).toEqual([]);
    expect(await list({ type: 'sensor' })).toMatchObject({ data: [], total_items: 0 });
  });

  it('counts exactly and finds every page, before and after the background work has added up', async () => {
    const start = Date.now() - 30 * 86_400_000; // old ones are forgotten
    const minutesLater = (minutes: number) => new Date(start + minutes * 60_000).toISOString();
    await sql.query(`
      insert into activity (created_at, id, type, object_id, operation, actor)
      select timestamptz '${minutesLater(0)}' + i * interval '4 minutes', lpad(i::text, 36, '0'),
             case when i % 3 = 0 then 'key' else 'tank' end, 'o' || i, 'update', case when i % 2 = 0 then 'import' else 'tms_x' end
      from generate_series(1, 3000) i`);
    const newestFirst = Array.from({ length: 3000 }, (_, i) => 3000 - i);
    const cases = [
      { query: {}, wanted: () => true },
      { query: { type: 'key' }, wanted: (i: number) => i % 3 === 0 },
      { query: { actor: 'import' }, wanted: (i: number) => i % 2 === 0 },
      { query: { operation: 'update', actor: 'import' }, wanted: (i: number) => i % 2 === 0 },
      { query: { type: 'key', actor: 'import' }, wanted: (i: number) => i % 6 === 0 },
      {
        query: { created_at_gte: minutesLater(4 * 540), created_at_lte: minutesLater(4 * 2250) },
        wanted: (i: number) => i >= 540 && i <= 2250,
      },
    ];
    for (const isAddedUp of [false, true]) {
      if (isAddedUp) await sql.query('select tidy_activity(10)');
      for (const { query, wanted } of cases) {
        const all = newestFirst.filter(wanted);
        const pages = Math.ceil(all.length / 100);
        for (const page of [1, Math.ceil(pages / 2), pages, pages + 1]) {
          const { data, total_items: total } = await list({ ...query, page });
          expect(total).toBe(all.length);
          const ids = all.slice((page - 1) * 100, page * 100).map((i) => `o${i}`);
          expect(data.map(({ object_id: id }) => id)).toEqual(ids);
        }
      }
    }
    expect((await sql.query('select from activity_count_changes')).rowCount).toBe(0);
  });

  it('shows the first 1,000 characters of a long value', async () => {
    for (const length of [1_001, 1_000]) {
      await insertTank(sql, 'ours', { id: `t${length}`, name: '🙂'.repeat(length) });
      await api.patch(`/v1/tanks/t${length}`).send({ name: 'A' }).expect(200);
    }

    const changes = (await list()).data.map((entry) => entry.changes);
    expect(changes).toEqual([
      { name: { from: '🙂'.repeat(1_000), to: 'A' } },
      { name: { from: `${'🙂'.repeat(1_000)}…`, to: 'A' } },
    ]);
  });

  it('has at most 64 KiB of changes of an entry: values are cut short, and fields that have no room counted', async () => {
    const [was, is] = ['\u0001'.repeat(1_000), '\u0002'.repeat(1_000)] as const; // six bytes each
    const names = ['city', 'country', 'district', 'region', 'street', 'street_number', 'postal_code'];
    const placed = (text = '') => Object.fromEntries(names.map((name) => [name, text]));
    await insertTank(sql, 'ours', { id: 't', name: was, ...placed(was) });
    await load(tankLine('t', 'ours', { name: is, location: { ...NOWHERE, ...placed(is) } }));
    const ofTank = await changesOf('t');
    const both = { from: `${was.slice(0, 100)}…`, to: `${is.slice(0, 100)}…` };
    expect(ofTank).toMatchObject({ name: both, 'location.street': both });
    expect(JSON.stringify(ofTank).length).toBeLessThan(65_537);

    await insertTanks(
      sql,
      longRun('').stops.map(({ tank_id: id }) => aTank('ours', { id })),
    );
    await api.put('/v1/runs/long').send(longRun('a')).expect(201);
    await api.put('/v1/runs/long').send(longRun('b')).expect(200);
    const ofRun = (await list({ type: 'run' })).data[0]?.changes ?? {};
    const kept = Object.keys(ofRun).length - 1;
    expect(ofRun['…']).toEqual({ from: null, to: 200 - kept });
    expect(Object.values(ofRun)[0]).toEqual({ from: `${'a'.repeat(100)}…`, to: `${'b'.repeat(100)}…` });
    expect(JSON.stringify(ofRun).length).toBeLessThan(65_537);
    expect(kept).toBeGreaterThan(100);
  });

  it('is kept for 400 days', async () => {
    await sql.query(`
      insert into activity (created_at, type, object_id, operation, actor)
      select now() - days * interval '1 day', 'tank', 'd' || days, 'update', 'import'
      from unnest(array[1, 399, 401, 402, 500]) days`);

    expect((await sql.query('select tidy_activity(2) as n')).rows).toEqual([{ n: 2 }]);
    expect((await sql.query('select tidy_activity(2) as n')).rows).toEqual([{ n: 1 }]);
    await sql.query('select tidy_activity(2)');
    expect(await list()).toMatchObject({
      data: [{ object_id: 'd1' }, { object_id: 'd399' }],
      total_items: 2,
    });
  });
});

it("a key that is bound to a customer sees what was done to its customer's things, and no other customer's id", async () => {
  await insertTank(sql, 'theirs', { id: 't', name: 'A' });
  const bound = service.agent(await service.createKey({ customerId: 'ours', scopes: ['activity'] }));
  const [made] = await told({ type: 'key' });
  await api.patch('/v1/tanks/t').send({ name: 'B' });
  await api.patch('/v1/tanks/t').send({ owner_id: 'ours' });
  await api.patch('/v1/customers/theirs').send({ name: 'T' });
  await api.patch('/v1/customers/ours').send({ name: 'O' });
  await api.put('/v1/sensor_profiles/my-1').send(PROFILE);
  const moved = await list({ type: 'tank' }, bound);

  expect(await told({}, bound)).toEqual(['update customer ours', 'update tank t', made]);
  expect(moved.total_items).toBe(1);
  expect(moved.data[0]?.changes).toEqual({ owner_id: { from: null, to: 'ours' } });
  expect(await told({ object_id: 't' }, bound)).toEqual(['update tank t']);
  expect(await told({ object_id: 'theirs' }, bound)).toEqual([]);
  expect(await told({ actor: prefix, type: 'customer' }, bound)).toEqual(['update customer ours']);
  expect(await changesOf('t')).toEqual({ owner_id: { from: 'theirs', to: 'ours' } });

  await api.patch('/v1/tanks/t').send({ owner_id: 'theirs' });
  expect(await told({ object_id: 't' }, bound)).toEqual(['update tank t']);
});

it('a source or a user that comes from another customer shows a bound key neither that customer nor its earlier name', async () => {
  const bound = service.agent(await service.createKey({ customerId: 'ours', scopes: ['activity'] }));
  await api
    .put('/v1/sources/their-gateway')
    .send({
      name: 'Of theirs',
      customer_id: 'theirs',
      device: { path: 'd' },
      payload: [{ path: 'p', as: 'json' }],
    })
    .expect(201);
  await api.patch('/v1/sources/their-gateway').send({ name: 'Of ours', customer_id: 'ours' }).expect(200);
  const { rows } = await sql.query<{ id: string }>(
    `insert into users (issuer, subject, email, name, role, customer_id)
     values ('i', 's', 'ada@example.com', 'Ada', 'viewer', 'theirs') returning id`,
  );
  await api.patch(`/v1/users/${rows[0]?.id}`).send({ customer_id: 'ours' }).expect(200);

  const { data } = await list({ operation: 'update' }, bound);
  expect(data.map(({ type, object_name, changes }) => ({ type, object_name, changes }))).toEqual([
    { type: 'user', object_name: null, changes: { customer_id: { from: null, to: 'ours' } } },
    {
      type: 'source',
      object_name: null,
      changes: { customer_id: { from: null, to: 'ours' }, name: { from: null, to: 'Of ours' } },
    },
  ]);
  expect((await list({ type: 'user' })).data[0]?.changes).toEqual({
    customer_id: { from: 'theirs', to: 'ours' },
  });
});

it('a tank that comes from another customer shows a bound key nothing of what it was there', async () => {
  const bound = service.agent(await service.createKey({ customerId: 'ours', scopes: ['activity'] }));
  await insertTank(sql, 'theirs', { id: 't', name: 'A', street: 'Elm Road' });
  await api
    .patch('/v1/tanks/t')
    .send({ owner_id: 'ours', name: 'B', location: { street: null } })
    .expect(200);
  await putTank('u', { owner_id: 'theirs', custom_id: 'theirs' });
  await api.delete('/v1/tanks/u').expect(200);
  await putTank('u');

  const { data } = await list({ type: 'tank' }, bound);
  expect(data.map(({ operation, object_name, changes }) => ({ operation, object_name, changes }))).toEqual([
    {
      operation: 'restore',
      object_name: null,
      changes: { owner_id: { from: null, to: 'ours' }, custom_id: { from: null, to: null } },
    },
    {
      operation: 'update',
      object_name: null,
      changes: {
        owner_id: { from: null, to: 'ours' },
        name: { from: null, to: 'B' },
        'location.street': { from: null, to: null },
      },
    },
  ]);
  expect(await changesOf('t')).toMatchObject({ 'location.street': { from: 'Elm Road', to: null } });
});
