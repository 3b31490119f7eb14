// Messages made to be large once they are parsed, and pages of the longest names, on a small heap: the process that takes them, tries them
// again and writes them lives on.
import { expect, it } from '@jest/globals';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { aCustomer, insertCustomers } from '../support/builders.js';
import { createKey } from './support/fleet.js';
import { expectSound } from './support/judgement.js';
import { ask, type Outcome } from './support/requests.js';
import { ServiceProcess } from './support/service-process.js';
import { newDatabase, openSql } from './support/stage.js';
import { until } from './support/until.js';

const database = await newDatabase();
const sql = openSql(database.url);
const keys = await Promise.all(
  [1, 2].map(() => createKey(database.url, { scopes: ['read', 'telemetry:write', 'activity'] })),
);
const service = await ServiceProcess.start({
  DATABASE_URL: database.url,
  NODE_OPTIONS: '--max-old-space-size=256',
  ANSWER_TIMEOUT_MS: '60000',
});

const timeOf = (i: number) => new Date(Date.UTC(2026, 1, 3) + i * 1000).toISOString();
const message = (i: number, object: string) =>
  `{"deviceInfo":{"devEui":"nobody"},"time":"${timeOf(i)}","data":"AA==","object":{"list":[${object}]}}`;

/** Whose turn does not come in time on a slow machine sends again, as a network server does. */
async function post(i: number, object: string): Promise<Outcome> {
  const headers = { 'X-API-Key': keys[i % 2] ?? '', 'Content-Type': 'application/json' };
  const body = message(i, object);
  const sent = await ask(service.url, { method: 'POST', path: '/v1/uplinks/chirpstack', headers, body });
  return sent.status === 503 ? post(i, object) : sent;
}
const postAll = (object: string): Promise<Outcome[]> =>
  Promise.all(Array.from({ length: 60 }, (_, i) => post(i, object)));

const statuses = (outcomes: readonly Outcome[]) => [
  ...new Set(outcomes.map(({ status, error }) => status ?? error)),
];

it('the largest uplinks there are, and larger ones, sixty at once', async () => {
  const largest = Array.from({ length: 4_990 }, () => '{}').join() + ',"a"'.repeat(12_600);
  const larger = '{},'.repeat(87_000) + '{}';

  expect(statuses(await postAll(largest))).toEqual([200]);
  expect(statuses(await postAll(larger))).toEqual([413]);
  await expectSound(service);
});

const WAITING = `
  select pid from pg_stat_activity
  where datname = current_database() and state = 'idle in transaction' and query like 'fetch % from page'
    and state_change < clock_timestamp() - interval '1 second'`;

const LONG_NAME = 'n'.repeat(15_800);

const read = (path: string, key: string | undefined, headers: Record<string, string>): Promise<Outcome> =>
  ask(service.url, { path, headers: { 'X-API-Key': key ?? '', ...headers }, giveUpMs: 100_000 });

it('the largest pages of tanks with the longest names, two at once, and by their ETags', async () => {
  const owner = aCustomer();
  await insertCustomers(sql, [owner]);
  await sql.query(
    `insert into tanks (id, created_at, updated_at, owner_id, name, assigned_device_id, capacity, capacity_unit, min_fill_alert_percentage)
     select 'tank-' || n, moment, moment, $1, n || $2, 'device-' || n, 2700, 'liters', 20
     from generate_series(1, 6000) n, lateral (select now() - n * interval '1 minute' as moment) made`,
    [owner.id, LONG_NAME],
  );

  const csv = { Accept: 'text/csv' };
  const pages = await Promise.all(keys.map((key) => read('/v1/tanks?size=10000', key, csv)));
  expect(statuses(pages)).toEqual([200]);
  for (const { headers, body } of pages) {
    expect(headers).toMatchObject({ 'x-total-items': '6000', 'content-length': String(body.length) });
    const rows = body.split('\r\n');
    expect([rows.length, rows[1]?.slice(0, 7)]).toEqual([6_002, 'tank-1,']);
    expect(rows[6_000]).toMatch(/^tank-6000,.*,6000n{15800},/);
  }
  const tags = [...new Set(pages.map(({ headers }) => headers.etag ?? ''))];
  expect(tags).toHaveLength(1);
  const same = await read('/v1/tanks?size=10000', keys[0], { ...csv, 'If-None-Match': tags.join() });
  expect([same.status, same.body]).toEqual([304, '']);
  const ndjson = await read('/v1/tanks?size=10000', keys[0], { Accept: 'application/x-ndjson' });
  expect([ndjson.status, ndjson.body.split('\n').length]).toEqual([200, 6_001]);
  expect(ndjson.headers.etag).not.toBe(tags[0]);
  await expectSound(service);
}, 300_000);

it('a page whose reader pauses is of one moment, and breaks off where the database does', async () => {
  const whilePaused = async (action: string): Promise<string> => {
    const headers = { 'X-API-Key': keys[0] ?? '', Accept: 'text/csv' };
    const [answer] = (await once(
      request(new URL('/v1/tanks?size=10000', service.url), { headers, agent: false }).end(),
      'response',
    )) as [IncomingMessage];
    await until('the page waits for its reader', async () => (await sql.query(WAITING)).rowCount === 1);
    await sql.query(action);
    let length = 0;
    answer.on('data', (chunk: Buffer) => (length += chunk.length));
    const failure = await finished(answer).catch((error: NodeJS.ErrnoException) => error.code ?? '');
    return failure ?? `${length} of ${answer.headers['content-length']} bytes`;
  };

  const whole = await whilePaused("update tanks set name = 'short'");
  expect(whole).toMatch(/^(\d{8}) of \1 bytes$/);
  await sql.query('update tanks set name = $1', [LONG_NAME]);
  expect(await whilePaused(`select pg_terminate_backend(pid) from (${WAITING}) waiting`)).toBe('ECONNRESET');
  await expectSound(service);
}, 300_000);
