// Two services and a worker on one database: every event happens once and reaches its receiver, whoever is killed meanwhile.
import { expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { aCustomer, aTank, insertCustomers, insertTanks } from '../support/builders.js';
import { startProgram, type CliResult } from '../support/cli.js';
import { openPool } from '../support/database.js';
import { Receiver, type Reply } from '../support/receiver.js';
import { createKey } from './support/fleet.js';
import { OwnPostgres } from './support/own-postgres.js';
import { ServiceProcess, startWorker } from './support/service-process.js';
import { stage } from './support/stage.js';
import { until } from './support/until.js';

const postgres = await OwnPostgres.start();
const environment = {
  DATABASE_URL: postgres.url,
  WEBHOOK_SECRET_KEY: randomBytes(32).toString('base64'),
  WEBHOOK_ALLOW_PRIVATE: 'true',
};
const key = await createKey(postgres.url, { scopes: ['read', 'telemetry:write'] });
const TANKS = Array.from({ length: 30 }, (_, i) => `tank-${i}`);
await fill();

async function fill(): Promise<void> {
  const sql = openPool(postgres.url, { max: 1 });
  await insertCustomers(sql, [aCustomer({ id: 'owner' })]);
  await insertTanks(
    sql,
    TANKS.map((id) => aTank('owner', { id })),
  );
  await sql.end();
}

async function startReceiver(reply?: () => Reply | Promise<Reply>): Promise<Receiver> {
  return stage.add(await Receiver.start(reply));
}

const webhooks = (...args: string[]): Promise<CliResult> =>
  startProgram(environment, 'webhooks', ...args).result;

async function addWebhook(receiver: Receiver): Promise<string> {
  const { code, stderr } = await webhooks('add', receiver.url);
  if (code !== 0) throw new Error(stderr);
  return stderr.trim().split('\n').at(-1) ?? '';
}

let clock = Date.now() - 3_000_000;
const tick = (): string => new Date((clock += 10_000)).toISOString();

/** One reading of every tank, sent to a service; sent again until it was taken. */
async function reportAll(
  service: ServiceProcess,
  fill_percentage: number,
  created_at = tick(),
): Promise<void> {
  const body = JSON.stringify({
    readings: TANKS.map((tank_id) => ({ tank_id, created_at, fill_percentage })),
  });
  await until('the readings are taken', async () => {
    const response = await fetch(`${service.url}/v1/telemetry`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body,
    }).catch(() => undefined);
    return response?.status === 200;
  });
}

/** Of all that was written before. */
async function eventIds(): Promise<string[]> {
  await until('all is judged', async () => {
    const [left] = await postgres.query<{ n: number }>('select count(*)::integer as n from tanks_to_judge');
    return left?.n === 0;
  });
  return (await postgres.query<{ id: string }>('select id from events order by created_at, id')).map(
    ({ id }) => id,
  );
}

it('a delivery under way is made again when its worker is killed, and when the database is', async () => {
  await postgres.query('delete from events');
  let isHanging = true;
  const receiver = await startReceiver(() =>
    isHanging ? new Promise<Reply>(() => undefined) : { status: 200 },
  );
  await addWebhook(receiver);
  const service = await ServiceProcess.start({ ...environment, WORKER: 'false' });
  const worker = await startWorker(environment);
  await reportAll(service, 10);
  const ids = await eventIds();
  await until('deliveries are under way', () => receiver.received.length >= 2);
  worker.signal('SIGKILL');
  await worker.ended;
  isHanging = false;
  await postgres.kill();
  await postgres.bringUp();
  await postgres.query('update webhook_lines set due_at = now() where claimed_by is not null');
  const another = await startWorker(environment);
  await until('everything is delivered', async () => {
    const [left] = await postgres.query<{ n: number }>(
      `select count(*)::integer as n from webhook_deliveries where status <> 'delivered'`,
    );
    return left?.n === 0;
  });
  expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set(ids));
  another.signal('SIGTERM');
  expect(await another.ended).toEqual({ code: 0, signal: null });
});
