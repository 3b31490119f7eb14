// Messages made to be large once they are parsed, on a small heap: the process that takes them, and tries them again, lives on.
import { afterAll, expect, it } from '@jest/globals';
import { createTestDatabase, openPool } from '../support/database.js';
import { createKey } from './support/fleet.js';
import { expectSound } from './support/judgement.js';
import { ask, type Outcome } from './support/requests.js';
import { ServiceProcess } from './support/service-process.js';
import { Stage } from './support/stage.js';

const stage = new Stage();
afterAll(() => stage.clear());

const database = await createTestDatabase();
stage.add({ stop: () => database.drop() });
const keys = await Promise.all(
  [1, 2].map(() => createKey(database.url, { scopes: ['read', 'telemetry:write'] })),
);
const service = stage.add(
  await ServiceProcess.start({ DATABASE_URL: database.url, NODE_OPTIONS: '--max-old-space-size=256' }),
);

const timeOf = (i: number) => new Date(Date.UTC(2026, 1, 3) + i * 1000).toISOString();
const message = (i: number, object: string) =>
  `{"deviceInfo":{"devEui":"nobody"},"time":"${timeOf(i)}","data":"AA==","object":{"list":[${object}]}}`;

const post = (path: string, key: string | undefined, body?: string): Promise<Outcome> =>
  ask(service.url, {
    method: 'POST',
    path,
    headers: { 'X-API-Key': key ?? '', ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body }),
  });

const statuses = (outcomes: readonly Outcome[]) => [
  ...new Set(outcomes.map(({ status, error }) => status ?? error)),
];

it('the largest uplinks there are, and larger ones, sixty at once', async () => {
  const largest = Array.from({ length: 4_990 }, () => '{}').join() + ',"a"'.repeat(12_600);
  const larger = '{},'.repeat(87_000) + '{}';

  const taken = Array.from({ length: 60 }, (_, i) =>
    post('/v1/uplinks/chirpstack', keys[i % 2], message(i, largest)),
  );
  expect(statuses(await Promise.all(taken))).toEqual([200]);
  const refused = Array.from({ length: 60 }, (_, i) =>
    post('/v1/uplinks/chirpstack', keys[i % 2], message(i, larger)),
  );
  expect(statuses(await Promise.all(refused))).toEqual([413]);
  await expectSound(service);
});

it('the largest that an earlier version has kept, tried again four times at once', async () => {
  const large = '{"a":{}},'.repeat(29_000) + '{}';
  const sql = openPool(database.url, { max: 1 });
  await sql.query(
    `insert into quarantined_uplinks (id, created_at, source, device_id, sent_at, reason, payload)
     select event_id(moment, n), moment, 'chirpstack', 'nobody', moment, 'unknown_device', replace($1, $2, moment::text)
     from generate_series(1, 64) n, lateral (select now() - n * interval '1 minute' as moment) received`,
    [message(0, large), timeOf(0)],
  );
  await sql.end();

  const tries = [...keys, ...keys].map((key) => post('/v1/uplinks/retry', key));
  expect(new Set(statuses(await Promise.all(tries)))).toEqual(new Set([200, 503]));
  await expectSound(service);
});
