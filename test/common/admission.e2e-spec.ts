// What takes much: while others are active a key has few of it at a time, and the next wait for their turn.
import { afterEach, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { lockTable } from '../faults/support/own-postgres.js';
import { until } from '../faults/support/until.js';
import { startService } from '../support/app.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { Links } from '../../src/notices/links.js';
import { insertCustomer, insertTank } from '../support/builders.js';

// Long enough that nobody's time is over when we look.
const secret = randomBytes(32).toString('base64');
const service = await startService({
  environment: { DATABASE_POOL_SIZE: '10', ANSWER_TIMEOUT_MS: '60000', WEBHOOK_SECRET_KEY: secret },
});
const { sql, database } = service;
await insertCustomer(sql, { id: 'owner' });
await insertTank(sql, 'owner', { id: 'tank' });
const scopes = ['read', 'tanks:write', 'telemetry:write', 'activity'] as const;
const [crowd, other] = [await service.createKey({ scopes }), await service.createKey({ scopes })];

const json = (method: string, body: string) => ({
  method,
  body,
  headers: { 'Content-Type': 'application/json' },
});

async function ask(
  path: string,
  key: string,
  { headers, ...init }: RequestInit = {},
  url = service.url,
): Promise<number> {
  const answer = await fetch(`${url}${path}`, {
    ...init,
    headers: { 'X-API-Key': key, ...(headers as object) },
  });
  await answer.text();
  return answer.status;
}

const bothAreActive = () => Promise.all([crowd, other].map((key) => ask('/v1/key', key)));

async function atLocks(): Promise<number> {
  const { rowCount } = await sql.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and application_name like 'tank-monitoring%'`,
  );
  return rowCount ?? 0;
}

/** One after the other: reads that begin together may share a connection. */
async function begin<Answer>(count: number, one: () => Promise<Answer>): Promise<Promise<Answer>[]> {
  const asked: Promise<Answer>[] = [];
  while (asked.length < count) {
    asked.push(one());
    await until('one more is at work', async () => (await atLocks()) === asked.length);
  }
  return asked;
}

let unlock = () => Promise.resolve();
afterEach(() => unlock());

it.each([
  [4, '/v1/fleet?q=ab', {}],
  [4, '/v1/fleet?low_battery=true', {}],
  [4, '/v1/fleet/tanks?q=ab', {}],
  [4, '/v1/fleet/tanks?weak_signal=false', {}],
  [4, '/v1/customers?q=ab', {}],
  [2, '/v1/tanks/tank/telemetry/series', {}],
  [2, '/v1/tanks?size=1000', { headers: { Accept: 'text/csv' } }],
  [1, '/v1/tanks?size=1001', { headers: { Accept: 'text/csv' } }],
  [2, '/v1/changes?size=100', {}],
  [1, '/v1/changes?size=101', {}],
  [2, '/v1/tanks/tank', json('PATCH', '{"name":"Boiler house"}')],
  [1, '/v1/uplinks/retry', { method: 'POST' }],
])('%i at a time of %s', async (count, path, init) => {
  await bothAreActive();
  unlock = await lockTable(database.url, 'tanks, tank_states, quarantined_uplinks');
  const asked = await begin(count, () => ask(path, crowd, init));
  asked.push(ask(path, crowd, init), ask(path, crowd, init), ask(path, other, init));
  await until("so is the other's", async () => (await atLocks()) > count);
  const atWork = await atLocks();
  await unlock();

  expect(atWork).toBe(count + 1);
  expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
});

it('who asks without a key has the seats of one with all of its network, and what is in memory waits for none', async () => {
  await bothAreActive();
  const links = new Links(loadConfig({ WEBHOOK_SECRET_KEY: secret }));
  const link = links.confirm({ id: 'nobody', email: 'nobody@example.com', link_number: 0 });
  const press = () => ask(link, '', { method: 'POST' });
  unlock = await lockTable(database.url, 'recipients');
  const pressed = await begin(2, press);
  pressed.push(press());
  expect(await ask('/v1/key', other)).toBe(200); // by then it has asked
  for (const path of ['/openapi.json', '/docs', '/fleet', '/health/live'])
    expect(await ask(path, '')).toBe(200);
  expect(await atLocks()).toBe(2);
  await unlock();
  expect(await Promise.all(pressed)).toEqual([400, 400, 400]); // there is no such recipient
});

it('a caller that has left holds its seats until its work has ended', async () => {
  await bothAreActive();
  unlock = await lockTable(database.url, 'tanks');
  const leaving = new AbortController();
  const path = '/v1/fleet/tanks?q=ab';
  const left = await begin(4, () => ask(path, crowd, { signal: leaving.signal }).catch(() => 'left'));
  leaving.abort();
  expect(await Promise.all(left)).toEqual(['left', 'left', 'left', 'left']);
  const next = ask(path, crowd);
  expect(await ask('/v1/key', other)).toBe(200); // by then it has asked
  expect(await atLocks()).toBe(4);
  await unlock();
  expect(await next).toBe(200);
});

it('a key alone leaves a connection to whoever comes next', async () => {
  const small = await startService({
    database,
    environment: { DATABASE_POOL_SIZE: '3', ANSWER_TIMEOUT_MS: '60000' },
  });
  unlock = await lockTable(database.url, 'tank_states');
  const answers = Array.from({ length: 20 }, () => ask('/v1/fleet/tanks?q=ab', crowd, {}, small.url));
  await until('it has all that it may', async () => (await atLocks()) === 2);

  expect(await ask('/v1/tanks/tank', other, {}, small.url)).toBe(200);
  expect(await atLocks()).toBe(2);
  await unlock();
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
});
