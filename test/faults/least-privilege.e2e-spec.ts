// What the service may do at the database: read, and note when a key was last used. Nothing else, whoever it logs in as.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Client, type DatabaseError } from 'pg';
import { openDataSource, operatorOptions } from '../../src/platform/database/data-source.js';
import { GRANTS, namesOf, rightsOf, type Grants } from '../../src/platform/database/grants.js';
import { measureDeliveries } from '../../src/runs/measuring.js';
import { removeOldReadings } from '../../src/telemetry/storage/old-readings.js';
import { addMonthsAhead, partitionOn } from '../../src/telemetry/storage/partitions.js';
import { startProgram } from '../support/cli.js';
import { Browser, IdentityProvider } from '../support/identity.js';
import { createFleet, createKey } from './support/fleet.js';
import { codesOf, expectOnly, expectSound } from './support/judgement.js';
import { OwnPostgres } from './support/own-postgres.js';
import { freePort } from './support/ports.js';
import { ask, type Outcome } from './support/requests.js';
import { ServiceProcess, type Environment, type LogLine } from './support/service-process.js';
import { openSql } from './support/stage.js';
import { until } from './support/until.js';

const postgres = await OwnPostgres.start();
const fleet = await createFleet(postgres.url);
const publicPort = await freePort();
const provider = await IdentityProvider.for(`http://127.0.0.1:${publicPort}`);
const PATHS = [...fleet.paths, '/v1/fleet', '/v1/fleet/tanks', '/v1/events', '/v1/changes', '/v1/runs'];
const telemetry = `/v1/tanks/${fleet.tankId}/telemetry`;

const INVENTED =
  "insert into activity (type, object_id, operation, actor) values ('tank', 't', 'update', 'import')";
const isError = ({ level }: LogLine): boolean => level === 'error';

function askAll(service: ServiceProcess): Promise<Outcome[]> {
  return Promise.all(PATHS.map((path) => service.get(path, fleet.key)));
}

/** What it logged beside requests. */
async function complaintsOf(service: ServiceProcess): Promise<LogLine[]> {
  return (await service.logLines()).filter(({ level, route }) => level !== 'info' && route === undefined);
}

/**
 * The script of the documentation as psql would run it on this database, where no role is there yet and every
 * migration is: its commands to psql itself left out, its conditions all met.
 */
async function runDocumentedScript(): Promise<void> {
  const script = await readFile(new URL('../../docs/least-privilege.sql', import.meta.url), 'utf8');
  const sql = script
    .replace(/^select not exists[^;]*?\\gset$/m, '')
    .replace(/^select to_regclass.*\\gset$/m, '')
    .replace(/^\s*\\.*$/gm, '')
    .replaceAll(':"DBNAME"', 'tanks');
  await postgres.query(sql);
}

/** The SQLSTATE with which the database refuses this, or undefined when it does not. */
async function refusalOf(url: string, sql: string): Promise<string | undefined> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query('begin read write');
    await client.query(sql);
    return undefined;
  } catch (error) {
    return (error as DatabaseError).code;
  } finally {
    await client.end();
  }
}

it.each([
  ['', ''],
  [', whatever its URL asks for', '?options=-c%20default_transaction_read_only%3Doff'],
])('a session of the service cannot write, even as a superuser%s', async (_, parameters) => {
  await postgres.query('create table if not exists written (by_whom text)');
  const [{ body: original } = { body: '' }] = await postgres.query<{ body: string }>(
    "select pg_get_functiondef('telemetry_page'::regproc) as body",
  );
  // A read that writes behind the service's back: only the database can stop it.
  await postgres.query(`
      create or replace function telemetry_page(
        tank_id text, visible_owner_id text, since timestamptz, until timestamptz, skip bigint, size integer
      ) returns table (total bigint, created_at timestamptz, fill_percentage double precision)
      language plpgsql volatile as $$
      begin
        insert into written values (current_user);
        return query select 0::bigint, null::timestamptz, null::double precision;
      end $$`);
  const service = await ServiceProcess.start({ DATABASE_URL: `${postgres.url}${parameters}` });

  const outcome = await service.get(telemetry, fleet.key);
  await postgres.query(original);

  expectOnly([500], [outcome]);
  expect(outcome.body).not.toContain('written');
  expect(await postgres.query('select * from written')).toEqual([]);
  await until('it is logged', async () => (await service.logLines()).some(isError));
  const error = (await service.logLines()).find(isError);
  expect(error).toMatchObject({ code: 'internal_error', err: { code: '25006' } });
});

const roleUrl = (role: string): string =>
  Object.assign(new URL(postgres.url), { username: `tanks_${role}`, password: 'of-the-role' }).href;

/** It reads as one role, and writes as another. */
const startWriting = (role: string, others: Environment = {}) =>
  ServiceProcess.start({ DATABASE_URL: roleUrl('api'), INGEST_DATABASE_URL: roleUrl(role), ...others });

describe('the role of the documentation', () => {
  beforeAll(async () => {
    await runDocumentedScript();
    for (const role of ['api', 'ingest', 'manage', 'worker'])
      await postgres.query(`alter role tanks_${role} password 'of-the-role'`);
  });

  it('is enough to serve everything and to write down the last use of a key', async () => {
    await postgres.query('update api_keys set last_used_at = null');
    const service = await ServiceProcess.start({ DATABASE_URL: roleUrl('api'), INGEST: 'false' });

    expectOnly([200], [...(await askAll(service)), await service.ready()]);
    const browser = new Browser(service.url);
    expect(await browser.statusOf('/auth/key', { method: 'POST', body: { key: fleet.key } })).toBe(200);
    expect(await browser.statusOf('/v1/tanks')).toBe(200);
    expect(await browser.statusOf('/auth/logout', { method: 'POST', body: {} })).toBe(204);
    await expectSound(service);
    expect(await service.child.terminate()).toEqual({ code: 0, signal: null });
    const unused = await postgres.query('select from api_keys where last_used_at is null');
    expect(unused).toEqual([]);
    expect((await service.logLines()).filter(({ level }) => level === 'warn')).toEqual([]);
  });

  it('that sends readings is enough to send and to remove them, which is recorded, beside the one that reads', async () => {
    const service = await startWriting('ingest');
    const key = await createKey(postgres.url, { scopes: ['telemetry:write'] });
    const reading = { tank_id: fleet.tankId, created_at: '2025-01-01T00:00:00Z', fill_percentage: 1 };

    const outcome = await service.send(key, 'POST', '/v1/telemetry', { readings: [reading] });

    expectOnly([200], [outcome]);
    expect(JSON.parse(outcome.body)).toMatchObject({ created: 1 });
    const removal = await ask(service.url, {
      path: `${telemetry}?created_at_gte=2025-01-01&created_at_lte=2025-01-01`,
      method: 'DELETE',
      headers: { 'X-API-Key': key },
    });
    expectOnly([200], [removal]);
    expect(JSON.parse(removal.body)).toEqual({ object: 'deletion', deleted: 1 });
    expect(
      await postgres.query("select object_id, actor from activity where operation = 'delete_readings'"),
    ).toEqual([{ object_id: fleet.tankId, actor: key.split('.')[0] }]);
    await expectSound(service);
    expectOnly([200], [await service.ready()]);
  });

  it('that manages is enough to change customers and tanks and to send readings', async () => {
    const service = await startWriting('manage');
    const scopes = [
      'customers:write',
      'tanks:write',
      'telemetry:write',
      'runs:write',
      'keys',
      'users',
    ] as const;
    const key = await createKey(postgres.url, { scopes });
    const send = (method: string, path: string, body: object) => service.send(key, method, path, body);
    const tank = { name: 'n', owner_id: 'managed', capacity: 1, capacity_unit: 'liters' };
    const reading = { device_id: 'managed', created_at: '2025-01-01T00:00:00Z', fill_percentage: 1 };
    const uplink = { deviceInfo: { devEui: 'managed' }, time: '2025-01-02T00:00:00Z', object: { level: 50 } };
    const profile = { name: 'n', level: { path: 'level', unit: 'percent' } };
    const run = { date: '2026-11-24', stops: [{ tank_id: 'managed', planned: 1 }] };
    for (const [status, method, path, body] of [
      [201, 'PUT', '/v1/customers/managed', { email: 'e', name: 'n' }],
      [201, 'POST', '/v1/tanks', { ...tank, assigned_device_id: 'managed' }],
      [201, 'PUT', '/v1/tanks/managed', { ...tank, assigned_device_id: '' }],
      [200, 'POST', '/v1/telemetry', { readings: [reading] }],
      [200, 'PATCH', '/v1/tanks/managed', { name: 'x', min_fill_alert_percentage: 5 }],
      [409, 'PATCH', '/v1/tanks/managed', { assigned_device_id: 'managed' }],
      [201, 'PUT', '/v1/sensor_profiles/managed', profile],
      [201, 'PUT', '/v1/tanks/managed/sensor', { profile_id: 'managed' }],
      [200, 'POST', '/v1/uplinks/chirpstack', uplink],
      [200, 'POST', '/v1/uplinks/retry', {}],
      [200, 'DELETE', '/v1/tanks/managed/sensor', {}],
      [200, 'DELETE', '/v1/sensor_profiles/managed', {}],
      [201, 'PUT', '/v1/runs/managed', run],
      [200, 'PATCH', '/v1/runs/managed/stops/managed', { status: 'delivered', delivered: 1 }],
      [409, 'DELETE', '/v1/customers/managed', {}],
      [200, 'DELETE', '/v1/tanks/managed', {}],
    ] as const)
      expect([method, path, (await send(method, path, body)).status]).toEqual([method, path, status]);
    const made = await send('POST', '/v1/keys', { name: 'n', scopes: ['keys'], customer_id: 'managed' });
    expectOnly([201], [made]);
    const { prefix } = JSON.parse(made.body) as { prefix: string };
    expectOnly([201], [await send('POST', `/v1/keys/${prefix}/roll`, {})]);
    expectOnly([200], [await send('DELETE', `/v1/keys/${prefix}`, {})]);
    await postgres.query(
      "insert into users (id, issuer, subject, email) values ('u', 'i', 's', 'e@example.com')",
    );
    expectOnly([200], [await send('PATCH', '/v1/users/u', { role: 'none', customer_id: 'managed' })]);
    expectOnly([200], [await send('POST', '/v1/customers/managed/erase', {})]);
    expectOnly([404], [await send('DELETE', '/v1/users/u', {})]);
    await expectSound(service);
  });

  it('that manages is enough for somebody new to sign in with the identity provider', async () => {
    await provider.start();
    await provider.is({ sub: 'ada', email: 'ada@example.com', email_verified: true });
    const service = await startWriting('manage', { ...provider.settings, PORT: String(publicPort) });
    const browser = new Browser(service.url);

    expect((await browser.signIn()).response.status).toBe(200);
    expect(await (await browser.ask('/v1/me')).json()).toMatchObject({
      kind: 'user',
      email: 'ada@example.com',
    });
    await expectSound(service);
  });

  it('that manages, and may not change all that the API does, is not ready until it may', async () => {
    await postgres.query('revoke insert on address_history from tanks_manage');
    const service = await startWriting('manage', { WORKER: 'false' });

    const before = await service.ready();
    expectOnly([503], [before]);
    expect(codesOf([before])).toEqual(['not_ready']);
    await until('it says why', async () => (await complaintsOf(service)).length > 0);
    expect(await complaintsOf(service)).toEqual([
      expect.objectContaining({
        level: 'error',
        role: 'tanks_manage',
        msg: expect.stringMatching(
          /^not ready: .* may not use address_history as the API does\. Run docs\/least-privilege\.sql again/,
        ),
      }),
    ]);
    await postgres.query('grant insert on address_history to tanks_manage');
    await until('it is ready', async () => (await service.ready()).status === 200);
  });

  it.each(['manage', 'worker'])('tanks_%s is told of each single grant that it lacks', async (name) => {
    const role = `tanks_${name}`;
    const needed = JSON.stringify(rightsOf(role));
    const grants = await postgres.query<{ name: string; command: string }>(
      `select relname as name, format('revoke %s on %I from %I', privilege_type, relname, $1::text) as command
       from pg_class cross join lateral aclexplode(relacl) where grantee = $1::text::regrole
       union all
       select relname, format('revoke %s (%I) on %I from %I', privilege_type, attname, relname, $1::text)
       from pg_class join pg_attribute on attrelid = pg_class.oid cross join lateral aclexplode(attacl) where grantee = $1::text::regrole
       union all
       select proname, format('revoke execute on function %s from %I', pg_proc.oid::regprocedure, $1::text)
       from pg_proc cross join lateral aclexplode(proacl)
       where grantee = $1::text::regrole and proname not in (select name from installed_functions where hash = 'retired')`,
      [role],
    );
    expect(grants.length).toBeGreaterThan(40);
    const client = new Client(postgres.url);
    await client.connect();
    const lacking = async (revoke: string): Promise<string> => {
      await client.query(`begin; ${revoke}; set local role ${role}`);
      const { rows } = await client.query<Grants>(GRANTS.text, [needed]);
      await client.query('rollback');
      return namesOf(rows[0]?.lacking ?? []);
    };

    expect(await lacking('select')).toBe('');
    for (const { name: lost, command } of grants)
      expect([command, await lacking(command)]).toEqual([command, lost]);
    await client.end();
  });

  it('that only reads is not ready to take readings until it may; that, and that nobody does the background work, is said once', async () => {
    const webhooks = { WEBHOOK_SECRET_KEY: randomBytes(32).toString('base64') };
    await postgres.query('alter role tanks_api reset default_transaction_read_only');
    const service = await ServiceProcess.start({ DATABASE_URL: roleUrl('api'), ...webhooks });
    await postgres.query('alter role tanks_api set default_transaction_read_only = on');

    const before = await service.ready();
    expectOnly([503], [before]);
    expect(JSON.parse(before.body)).toMatchObject({
      code: 'not_ready',
      detail: 'The database role may not write readings; the log says more.',
    });
    expectOnly([200], await askAll(service)); // who asks all the same is served
    await postgres.query('grant execute on function write_readings to tanks_api');
    await until('it is ready', async () => (await service.ready()).status === 200);
    await postgres.query('revoke execute on function write_readings from tanks_api');

    await until('it has said both', async () => (await complaintsOf(service)).length > 1);
    expect(await complaintsOf(service)).toEqual([
      expect.objectContaining({
        level: 'error',
        role: 'tanks_api',
        msg: expect.stringMatching(/^not ready: .* Set INGEST=false, or INGEST_DATABASE_URL /),
      }),
      expect.objectContaining({
        level: 'warn',
        msg: expect.stringMatching(
          /^background work is off: the database role tanks_api may not use take_unjudged_tanks, .*webhook_lines\. .* WORKER=false$/,
        ),
      }),
    ]);
  });

  it('that only reads cannot run the worker, which ends and says why', async () => {
    const { code, stderr } = await startProgram({ DATABASE_URL: roleUrl('api') }, 'worker').result;

    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: The background work cannot be done: the database role tanks_api may not use take_unjudged_tanks, .*\.$/m,
    );
  });

  it('that does the background work is enough for old readings, in one table and in partitions', async () => {
    const worker = openSql(roleUrl('worker'));
    const removed = async (before: string) => {
      const old = await postgres.query('select from telemetry where created_at < $1', [before]);
      expect(await removeOldReadings(worker, before)).toBe(old.length);
      return old.length;
    };
    await measureDeliveries(worker, { logger: { warn: () => undefined }, mayGoOn: () => true });
    expect(await postgres.query('select from run_stops where measure_since is not null')).toEqual([]);
    await postgres.query("insert into telemetry select min(key), '1999-01-01Z', 1 from tanks");
    expect(await removed('2000-01-01')).toBe(1);

    const dataSource = await openDataSource(operatorOptions(postgres.url));
    await partitionOn(dataSource, () => undefined); // by a superuser, whose the tables do not become
    await dataSource.destroy();
    const [last] = await postgres.query<{ month: string }>(
      "select to_char(max(month), 'YYYY-MM') as month from telemetry_months() month",
    );
    await postgres.query(`drop table telemetry_${last?.month.replace('-', '_')}`);
    expect(await addMonthsAhead(worker)).toEqual([last?.month]);
    expect(await removed('2026-06-01')).toBeGreaterThan(0);
    const others = await postgres.query(
      "select relname from pg_class where relname like 'telemetry%' and relowner <> 'tanks_owner'::regrole",
    );
    expect(others).toEqual([]);
  });

  it.each([
    [
      'api',
      '42501',
      [
        "insert into customers (email, name) values ('a', 'b')",
        "update customers set name = 'x'",
        'delete from telemetry',
        'truncate tanks',
        'update api_keys set revoked_at = now()',
        "update api_keys set hash = ''",
        'delete from api_keys',
        "insert into users (issuer, subject, email) values ('a', 'b', 'c')",
        "update users set role = 'admin'",
        "select erase_customer('a')",
        'update list_counts set n = 0',
        'create table mine ()',
        'create temporary table mine ()',
        "copy customers to program 'true'",
        'select * from pg_authid',
        'select lo_create(0)',
        "select lo_put((select oid from pg_largeobject_metadata limit 1), 0, 'x')",
        'select lo_unlink((select oid from pg_largeobject_metadata limit 1))',
      ],
    ],
    [
      'ingest',
      '42501',
      [
        INVENTED,
        "select record_activity('[]', '{}')",
        'select * from telemetry',
        'select * from api_keys',
        'insert into telemetry (tank_key, fill_percentage) values (1, 1)',
        "update tanks set name = 'x'",
        'select keep_tank_states(array[1])',
        'create temporary table mine ()',
      ],
    ],
    [
      'manage',
      '42501',
      [
        INVENTED,
        `select record_activity('[{"operation":"delete_readings"}]', '{}')`,
        'select * from telemetry',
        'select * from api_keys',
        'delete from tanks',
        'delete from customers',
      ],
    ],
    [
      'worker', // may not erase what no setting lets go
      '22023', // invalid_parameter_value
      [
        "select forget_readings('9999-01-01', 0, 1000000)",
        "select forget_readings('infinity', 0, 1)",
        "select forget_readings((date_trunc('month', now() at time zone 'UTC') + interval '1 day')::date, 0, 1)",
        "select drop_telemetry_month(date_trunc('month', now() at time zone 'UTC')::date)",
        "select drop_telemetry_month((now() + interval '1 month')::date)",
        "select forget_events('infinity', 1000000)",
        "select forget_events(now() - interval '23 hours', 1)",
      ],
    ],
  ])('tanks_%s may do nothing else (%s)', async (role, refusal, statements) => {
    for (const sql of statements) expect([sql, await refusalOf(roleUrl(role), sql)]).toEqual([sql, refusal]);
  });
});
