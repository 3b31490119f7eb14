// Forgetting a customer for good: nothing in the database says any more who it was or where its tanks are; its readings stay.
import { describe, expect, it } from '@jest/globals';
import { SCOPES } from '../../src/common/auth/scope.js';
import { sqlFiles } from '../../src/platform/schema/sql-files.js';
import { startService } from '../support/app.js';
import { aTank, insertReadings, insertTanks } from '../support/builders.js';
import { runCli } from '../support/cli.js';

const service = await startService();
const { sql } = service;

/** What only the erased customer and its things are called. */
const SECRETS = [
  'Zwetschgenhof',
  'zwetschge@example.com',
  '+43 316 555 7788',
  'Mostfasskeller',
  'Kellertank am Hang',
  'KD-998877',
  'Quittengasse',
  'Birnbaumdorf',
  'Hagebuttenschluessel',
  'Holunder Anna',
  'anna.holunder@example.com',
  'holunder-hook.example.com',
  'Schlehengateway',
  'schlehdorn@example.com',
  'Schluessel unter der Eberesche',
];
const PLACE = { city: 'Birnbaumdorf', street: 'Quittengasse', latitude: 47.123456, longitude: 15.654321 };

/** Of its senders. */
const addresses: string[] = [];

const erase = (...args: string[]) => runCli(service.database.url, 'customers', 'erase', ...args);

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const { rows: tables } = await sql.query<{ name: string }>(
    "select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')",
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql.query<{ row: string }>(`select entry::text as row from ${name} entry`);
      return rows.map(({ row }) => row).join('\n');
    }),
  );
  return texts.join('\n').toLowerCase();
}

async function found(): Promise<string[]> {
  const text = await dump();
  return SECRETS.filter((secret) => text.includes(secret.toLowerCase()));
}

async function makeCustomer(id: string): Promise<void> {
  await api.put(`/v1/customers/${id}`).send({ name: 'first', email: 'first@example.com' }).expect(201);
  const customer = { name: 'Zwetschgenhof', email: 'zwetschge@example.com', phone: '+43 316 555 7788' };
  await api.put(`/v1/customers/${id}`).send(customer).expect(200);
  const tank = { name: 'Mostfasskeller', owner_id: id, capacity: 1000, capacity_unit: 'liters' };
  const named = { ...tank, custom_id: 'KD-998877', location: PLACE };
  await api.put(`/v1/tanks/${id}-a`).send(named).expect(201);
  await api.patch(`/v1/tanks/${id}-a`).send({ name: 'Kellertank am Hang' }).expect(200);
  await api.put(`/v1/tanks/${id}-gone`).send(named).expect(201);
  await api.delete(`/v1/tanks/${id}-gone`).expect(200);
  for (const [i, fill_percentage] of [30, 25, 21, 15].entries()) {
    const created_at = new Date(Date.now() - (40 - i * 10) * 60_000).toISOString();
    await insertReadings(sql, `${id}-a`, [{ created_at, fill_percentage }]);
  }
  const key = { name: 'Hagebuttenschluessel', scopes: ['read', 'tanks:write'], customer_id: id };
  const { body } = await api.post('/v1/keys').send(key).expect(201);
  const own = service.agent((body as { secret: string }).secret);
  await own.patch(`/v1/tanks/${id}-a`).send({ capacity: 1200 }).expect(200);
  const told = { email: 'schlehdorn@example.com', name: 'Holunder Anna', owner_id: id };
  await api.post('/v1/recipients').send(told).expect(201);
  const note = 'Schluessel unter der Eberesche';
  const stops = [{ tank_id: `${id}-a`, planned: 100, note }];
  await api.put(`/v1/runs/${id}-run`).send({ date: '2026-11-24', stops }).expect(201);
  const skipped = { status: 'skipped', note: `${note}, links` };
  await api.patch(`/v1/runs/${id}-run/stops/${id}-a`).send(skipped).expect(200);
  const hook = { url: 'https://holunder-hook.example.com/a', description: 'Zwetschgenhof', customer_id: id };
  await api.post('/v1/webhook_endpoints').send(hook).expect(201);
  const source = { name: 'Schlehengateway', device: { path: 'id' }, customer_id: id };
  await api.put(`/v1/sources/gateway-of-${id}`).send(source).expect(201);
  const { body: address } = await api.post(`/v1/sources/gateway-of-${id}/token`).send({}).expect(201);
  addresses.push((address as { url: string }).url);
  await api.post(`/v1/uplinks/sources/gateway-of-${id}`).send({ at: 'Schlehengateway' }).expect(200);
  // Who signs in for the first time is of no customer yet.
  await sql.query(
    `with anna as (
       insert into users (id, issuer, subject, email, name)
       values ($1 || '-anna', 'https://login.example.com', $1, 'anna.holunder@example.com', 'Holunder Anna') returning *)
     insert into activity (type, object_id, object_name, owner_id, operation, actor_kind, actor, key_name, actor_email)
     select 'user', id, name, null, 'create', 'user', id, name, email from anna
     union all select 'tank', 'elsewhere', null, 'other', 'update', 'user', id, name, email from anna`,
    [id],
  );
  await api.patch(`/v1/users/${id}-anna`).send({ role: 'clerk', customer_id: id }).expect(200);
}

const api = service.agent(await service.createKey({ name: 'office', scopes: SCOPES }));
await makeCustomer('ours');
await api.put('/v1/customers/other').send({ name: 'Other', email: 'other@example.com' }).expect(201);
const tank = { name: 'Kept', owner_id: 'other', capacity: 1000, capacity_unit: 'liters' };
await api.put('/v1/tanks/kept').send(tank).expect(201);
// One that was ours, and was renamed on its way.
const ours = { ...tank, owner_id: 'ours', name: 'Mostfasskeller' };
await api.put('/v1/tanks/moved').send(ours).expect(201);
await api.patch('/v1/tanks/moved').send({ owner_id: 'other', name: 'Theirs now' }).expect(200);

/** Of the staff, and once a user of the customer by mistake. */
async function addBerta(): Promise<void> {
  await sql.query(
    `insert into users (id, issuer, subject, email, name, role)
     values ('berta', 'https://login.example.com', 'berta', 'berta@example.com', 'Berta', 'viewer')`,
  );
  await sql.query(
    `insert into activity (type, object_id, owner_id, operation, actor_kind, actor, key_name, actor_email)
     values ('tank', 'kept', 'other', 'update', 'user', 'berta', 'Berta', 'berta@example.com')`,
  );
  for (const customer_id of ['ours', null])
    await api.patch('/v1/users/berta').send({ customer_id }).expect(200);
}

describe('erasing a customer', () => {
  it('needs both scopes, and a key that is bound to no customer', async () => {
    for (const scopes of [['customers:write'], ['tanks:write']] as const) {
      const agent = service.agent(await service.createKey({ scopes }));
      await agent.post('/v1/customers/ours/erase').expect(403);
    }
    const bound = service.agent(await service.createKey({ scopes: SCOPES, customerId: 'ours' }));
    for (const id of ['ours', 'other', 'nobody'])
      expect((await bound.post(`/v1/customers/${id}/erase`).expect(403)).body).toMatchObject({
        code: 'bound_key',
      });
    await api.post('/v1/customers/nobody/erase').expect(404);
    await api.post('/v1/customers/ours/erase').set('If-Match', '"x"').expect(412);
    await api.post('/v1/customers/ours/erase').send({ sure: true }).expect(400);
    await sql.query("delete from api_keys where customer_id = 'ours' and name = 'test'");
    expect(await found()).toEqual(SECRETS); // a test that can fail
  });

  it('leaves nothing that says who it was, keeps the readings, and tells how much it was', async () => {
    await addBerta();
    const { body } = await api.post('/v1/customers/ours/erase').expect(200);

    expect(body).toEqual({
      object: 'erasure',
      customer_id: 'ours',
      tanks: 2,
      recipients: 1,
      users: 1,
      keys: 1,
      webhook_endpoints: 1,
      events: expect.any(Number),
      activity: expect.any(Number),
      notices: 1,
    });
    expect((body as { events: number }).events).toBeGreaterThan(0);
    expect(await found()).toEqual([]);
    expect((await fetch(`${service.url}${addresses[0]}`, { method: 'POST' })).status).toBe(401);
    expect(await dump()).not.toMatch(/47\.123456|15\.654321/);
    const { rows } = await sql.query<{ n: number }>(
      "select count(*)::integer as n from telemetry join tanks on tanks.key = tank_key where tanks.id = 'ours-a'",
    );
    expect(rows[0]?.n).toBe(4);
    expect((await api.get('/v1/tanks/ours-a').expect(200)).body).toMatchObject({ deleted: true });
    expect((await api.get('/v1/customers/ours').expect(200)).body).toMatchObject({ deleted: true });
    await api.post('/v1/customers/ours/restore').expect(409);
    expect((await api.get('/v1/tanks/moved').expect(200)).body).toMatchObject({ name: 'Theirs now' });
    expect((await api.get('/v1/tanks/kept').expect(200)).body).toMatchObject({ name: 'Kept' });
  });

  it('is what tells that it cannot be restored, not what it is called', async () => {
    const named = { name: 'Erased', owner_id: 'other', capacity: 1, capacity_unit: 'liters' };
    await api.put('/v1/tanks/called-erased').send(named).expect(201);
    await api
      .put('/v1/customers/called-erased')
      .send({ name: 'Erased', email: 'erased@invalid' })
      .expect(201);
    const isRestored = async (path: string) => {
      await api.delete(`/v1/${path}`);
      return (await api.post(`/v1/${path}/restore`)).status;
    };
    const all = () =>
      Promise.all(
        ['tanks/called-erased', 'customers/called-erased', 'tanks/ours-a', 'customers/ours'].map(isRestored),
      );
    expect(await all()).toEqual([200, 200, 409, 409]);

    // The same after an upgrade from 3.0, which knew the names alone.
    await sql.query('update tanks set erased = false; update customers set erased = false');
    const migration = Object.entries(sqlFiles()).find(([path]) => path.endsWith('-erased.sql'))?.[1] ?? '';
    await sql.query(migration.slice(migration.indexOf('update '), migration.indexOf('create ')));
    expect((await all()).filter((_, i) => i !== 1)).toEqual([200, 409, 409]);
    await sql.query(
      `delete from tanks where id = 'called-erased'; delete from customers where id = 'called-erased'`,
    );
  });

  it('leaves events as they were but for the names, and one entry in the activity', async () => {
    const events = await api.get('/v1/events').expect(200);
    const [event] = (events.body as { data: { data: object }[] }).data;
    expect(event?.data).toMatchObject({
      reading: { fill_percentage: 15 },
      tank: { name: 'Erased', custom_id: null, capacity: 1000 },
      owner: { name: 'Erased', email: 'erased@invalid' },
      location: { city: null, latitude: null },
    });
    const { body } = await api.get('/v1/activity?operation=erase').expect(200);
    expect((body as { data: object[] }).data).toMatchObject([
      { type: 'customer', object_id: 'ours', object_name: 'Erased', actor: { kind: 'key', name: 'office' } },
    ]);
    const acted = await api.get('/v1/activity?actor=ours-anna').expect(200);
    const actor = { kind: 'user', id: 'ours-anna', name: 'Erased', email: null };
    expect((acted.body as { data: object[] }).data).toMatchObject([{ actor }, { actor }]);
    const others = await api.get('/v1/activity?actor=berta').expect(200);
    expect(others.body).toMatchObject({ data: [{ object_id: 'kept', actor: { name: 'Berta' } }] });
  });

  it('again changes nothing, and counts nothing', async () => {
    const { body } = await api.post('/v1/customers/ours/erase').expect(200);

    const { object: _, customer_id: __, ...counts } = body as Record<string, unknown>;
    expect(Object.values(counts)).toEqual(Array.from({ length: 8 }, () => 0));
    expect((await api.get('/v1/activity?operation=erase').expect(200)).body).toMatchObject({
      total_items: 1,
    });
  });

  it('also by a command, which asks', async () => {
    await makeCustomer('second');
    const asked = await erase('second');
    expect(asked.code).toBe(2);
    expect(await found()).toEqual(SECRETS);

    const done = await erase('second', '--yes');

    expect(done.code).toBe(0);
    expect(JSON.parse(done.stdout)).toMatchObject({
      object: 'erasure',
      customer_id: 'second',
      tanks: 2,
      keys: 1,
    });
    expect(await found()).toEqual([]);
    const unknown = await erase('nobody', '--yes');
    expect(unknown.stderr).toContain('There is no customer with the id "nobody".');
  });

  it('of many tanks goes on where it was interrupted, when it is sent again', async () => {
    await api.put('/v1/customers/many').send({ name: 'Many', email: 'many@example.com' }).expect(201);
    const tanks = Array.from({ length: 700 }, (_, n) => aTank('many', { id: `many-${n + 1}` }));
    await insertTanks(sql, tanks);
    const eraseMany = () => api.post('/v1/customers/many/erase').send({});

    await sql.query(`alter table tanks add constraint interrupted check (not (id = 'many-700' and erased))`);
    await eraseMany().expect(500);
    await sql.query('alter table tanks drop constraint interrupted');
    expect((await eraseMany().expect(200)).body).toMatchObject({ tanks: 200 });
    expect((await eraseMany().expect(200)).body).toMatchObject({ tanks: 0 });
    const left = `select from tanks where owner_id = 'many' and not (erased and deleted)`;
    expect((await sql.query(left)).rowCount).toBe(0);
  });
});
