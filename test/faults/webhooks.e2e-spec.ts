// Two services and a worker on one database: every event happens once and reaches its receiver, whoever is killed meanwhile.
import { expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { aTank, insertCustomers, insertTanks } from '../support/builders.js';
import { startProgram } from '../support/cli.js';
import { Receiver, type Reply } from '../support/receiver.js';
import { createKey } from './support/fleet.js';
import { OwnPostgres } from './support/own-postgres.js';
import { ServiceProcess, startWorker } from './support/service-process.js';
import { openSql, stage } from './support/stage.js';
import { until } from './support/until.js';

const postgres = await OwnPostgres.start();
const environment = {
  DATABASE_URL: postgres.url,
  WEBHOOK_SECRET_KEY: randomBytes(32).toString('base64'),
  WEBHOOK_ALLOW_PRIVATE: 'true',
};
const key = await createKey(postgres.url, { scopes: ['read', 'telemetry:write'] });
const tanks = Array.from({ length: 30 }, () => aTank('owner'));
const sql = openSql(postgres.url);
await insertCustomers(sql, [{ id: 'owner' }]);
await insertTanks(sql, tanks);

/** Until there is no such row. */
const untilNone = (rows: string) =>
  until(`there is no row of ${rows}`, async () => (await postgres.query(`select from ${rows}`)).length === 0);

it('a delivery under way is made again when its worker is killed, and when the database is', async () => {
  let isHanging = true;
  const reply = () => (isHanging ? new Promise<Reply>(() => undefined) : { status: 200 });
  const receiver = stage.add(await Receiver.start(reply));
  expect(await startProgram(environment, 'webhooks', 'add', receiver.url).result).toMatchObject({ code: 0 });
  const service = await ServiceProcess.start({ ...environment, WORKER: 'false' });
  const worker = await startWorker(environment);
  const created_at = new Date(Date.now() - 60_000).toISOString();
  const readings = tanks.map(({ id }) => ({ tank_id: id, created_at, fill_percentage: 10 }));
  expect(await service.send(key, 'POST', '/v1/telemetry', { readings })).toMatchObject({ status: 200 });
  await untilNone('tanks_to_judge');
  const events = await postgres.query<{ id: string }>('select id from events');
  await until('deliveries are under way', () => receiver.received.length >= 2);
  worker.signal('SIGKILL');
  await worker.ended;
  isHanging = false;
  await postgres.kill();
  await postgres.bringUp();
  await postgres.query('update webhook_lines set due_at = now() where claimed_by is not null');
  const another = await startWorker(environment);
  await untilNone(`webhook_deliveries where status <> 'delivered'`);
  expect(events.length).toBeGreaterThanOrEqual(tanks.length);
  expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set(events.map(({ id }) => id)));
  expect(await another.terminate()).toEqual({ code: 0, signal: null });
});
