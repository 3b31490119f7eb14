// Webhooks: every event reaches its endpoints, signed, at least once and in order, whatever receivers and workers do.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import type { Background } from '../../src/background/background.js';
import { answeredWith, DeliveryQueue } from '../../src/webhooks/delivery-queue.js';
import { SecretBox } from '../../src/webhooks/secrets.js';
import { aTank, insertFleetOf, insertReadings, insertTanks } from '../support/builders.js';
import { endpointsOf, openDatabase, type NewEndpoint } from '../support/operator.js';
import { isSignedWith, Receiver, type Reply } from '../support/receiver.js';
import { startWorker as startWorkerOn } from '../support/worker.js';
import { hold } from '../faults/support/own-postgres.js';
import { until } from '../faults/support/until.js';

const SECRET_KEY = randomBytes(32).toString('base64');
const box = new SecretBox([SECRET_KEY]);

const { url: databaseUrl, sql, operator } = await openDatabase({ max: 20 });
const endpoints = endpointsOf(operator, box);
const workers: Background[] = [];
const receivers: Receiver[] = [];

beforeEach(async () => {
  await sql.query(
    'delete from events; delete from webhook_endpoints; delete from webhook_lines; delete from tank_alerts',
  );
  await insertFleetOf(sql, { ours: [], theirs: [] });
});
afterEach(async () => {
  await stopWorkers();
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
});

function startWorker(
  secretKey = SECRET_KEY,
  onWarning: (line: unknown) => void = () => undefined,
): Background {
  const worker = startWorkerOn(sql, secretKey, pino({ level: 'warn' }, { write: onWarning }));
  workers.push(worker);
  return worker;
}

const stopWorkers = () => Promise.all(workers.splice(0).map((worker) => worker.stop()));

async function startReceiver(
  reply?: (received: { id: string }) => Reply | Promise<Reply>,
): Promise<Receiver> {
  const receiver = await Receiver.start(reply);
  receivers.push(receiver);
  return receiver;
}

const addEndpoint = (url: string, more: Partial<NewEndpoint> = {}) =>
  endpoints.add({ url, customerId: null, types: null, description: null, ...more });

let readings = 0;
/** A tank that runs low at once, which is one event, or more of them. */
async function runLow(tankId: string, owner = 'ours'): Promise<void> {
  await insertTanks(sql, [aTank(owner, { id: tankId })]);
  await report(tankId, 10);
}
async function report(tankId: string, fill: number): Promise<void> {
  readings += 1;
  const created_at = new Date(Date.now() - 3_000_000 + readings * 1000).toISOString();
  await insertReadings(sql, tankId, [{ created_at, fill_percentage: fill }]);
}

/** What the events list would show, oldest first. */
async function events(): Promise<{ id: string; type: string; tank_id: string }[]> {
  return (await sql.query('select id, type, tank_id from events order by created_at, id')).rows;
}

/** Events of one tank, as they would be written. */
const queueOfOneTank = (ids: readonly string[], tank = 'tank-1') =>
  sql.query(
    `insert into events (id, type, created_at, tank_id, owner_id, data)
     select id, 'tank.low', now(), $2, 'ours', '{}' from unnest($1::text[]) id`,
    [ids, tank],
  );

/** What waits for a retry is due now. */
const hurry = async () => {
  // Not in one transaction: the service locks them in the other order.
  await sql.query(`update webhook_deliveries set next_try_at = now() where status = 'pending'`);
  await sql.query('update webhook_lines set due_at = now() where claimed_by is null');
};

/** Whether this many tries of the one delivery are over and written down. */
async function isRecorded(tries: number): Promise<boolean> {
  const over = `select from webhook_deliveries left join webhook_lines line using (line)
                where tries = $1 and line.claimed_by is null`;
  return (await sql.query(over, [tries])).rowCount === 1;
}

/** For a lock. */
async function isSomebodyWaiting(): Promise<boolean> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await sql.query(waiting)).rowCount === 1;
}

/** What a worker does, step by step. */
const work = (): DeliveryQueue => new DeliveryQueue(sql, box);

const roomFor = (...endpointIds: readonly string[]) =>
  endpointIds.map((endpointId) => ({ endpointId, slots: 32 }));

/** What is new is put in its line, as a worker's first looks do it. */
async function lineUp(endpointId: string): Promise<void> {
  const isNew = `select from webhook_deliveries where status = 'pending' and not is_in_line limit 1`;
  while ((await sql.query(isNew)).rowCount === 1) await work().findDue(roomFor(endpointId));
}

/** What is pending waits until then, as if it had been tried so often. */
async function postpone(tries: number, moment: string, which = 'true'): Promise<void> {
  await sql.query(
    `update webhook_deliveries set tries = ${tries}, next_try_at = ${moment} where status = 'pending' and ${which};
     update webhook_lines set due_at = (
       select min(next_try_at) from webhook_deliveries waiting where waiting.line = webhook_lines.line and status = 'pending')`,
  );
}

const DELIVERED = { delivered: true, status: 204, reason: null, retryAfterMs: 0 };

describe('an endpoint', () => {
  it('gets the events of its customer and of its types only', async () => {
    const [all, ofCustomer, ofType] = [await startReceiver(), await startReceiver(), await startReceiver()];
    await addEndpoint(all.url);
    await addEndpoint(ofCustomer.url, { customerId: 'ours' });
    await addEndpoint(ofType.url, { types: ['tank.recovered'] });
    await runLow('our-tank');
    await runLow('their-tank', 'theirs');
    await report('our-tank', 28);
    startWorker();
    const counts = () => [all, ofCustomer, ofType].map(({ received }) => received.length).join(' ');
    await until('all are delivered', () => counts() === '3 2 1');
    expect(ofCustomer.received.map(({ event }) => event.tank_id)).toEqual(['our-tank', 'our-tank']);
    expect(ofType.received.map(({ event }) => event.type)).toEqual(['tank.recovered']);
  });

  it('is sent an event again until it takes it, with the same id and body', async () => {
    let failures = 3;
    const receiver = await startReceiver(() => ({ status: (failures -= 1) >= 0 ? 500 : 200 }));
    const { id } = await addEndpoint(receiver.url);
    await runLow('tank-1');
    startWorker();
    for (const tries of [1, 2, 3, 4]) {
      await until(`try ${tries}`, () => receiver.received.length >= tries);
      await until('it is recorded', () => isRecorded(tries));
      await hurry();
    }
    await until('it is delivered', async () => (await endpoints.sent(id))[0]?.status === 'delivered');
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    const [endpoint] = await endpoints.list();
    expect(endpoint).toMatchObject({ state: 'enabled', failing_since: null, pending: 0 });
  });

  it('gets a tank’s events in order and one at a time, and is not held up for longer than a first retry', async () => {
    const refused = new Set<string>();
    const receiver = await startReceiver(({ id }) => ({ status: refused.has(id) ? 500 : 200 }));
    const { id: endpoint } = await addEndpoint(receiver.url);
    await runLow('tank-1');
    await report('tank-1', 28);
    const [low, recovered] = await events();
    refused.add(low?.id ?? '');
    startWorker();
    const deliveryOfLow = async () =>
      (await endpoints.sent(endpoint)).find(({ event_id: event }) => event === low?.id);
    await until('the first try failed', async () => (await deliveryOfLow())?.reason === 'answered 500');
    expect(receiver.received.map(({ id }) => id)).toEqual([low?.id]);
    await hurry(); // the first retry
    await until('the later one went on', () => receiver.received.some(({ id }) => id === recovered?.id));
    expect(receiver.received.slice(0, 2).map(({ id }) => id)).toEqual([low?.id, low?.id]);
    expect((await deliveryOfLow())?.status).toBe('pending');
  });

  it('that is gone is disabled, and says why', async () => {
    const receiver = await startReceiver(() => ({ status: 410 }));
    const { id } = await addEndpoint(receiver.url);
    await runLow('tank-1');
    startWorker();
    await until('it is disabled', async () => (await endpoints.list())[0]?.state !== 'enabled');
    expect(await endpoints.list()).toMatchObject([{ id, state: 'disabled: it answered 410 Gone' }]);
  });

  it('after twelve tries an event has failed for good', async () => {
    const receiver = await startReceiver(() => ({ status: 500 }));
    const { id } = await addEndpoint(receiver.url);
    await runLow('tank-1');
    await sql.query('update webhook_deliveries set tries = 11');
    startWorker();
    await until('it failed', async () => (await endpoints.sent(id, true))[0]?.status === 'failed');
    expect(await endpoints.sent(id, true)).toMatchObject([
      { status: 'failed', tries: 12, last_status: 500, reason: 'answered 500', next_try_at: null },
    ]);
  });

  it('whose secret cannot be opened waits, which is no failure, until the secret is rolled', async () => {
    const receiver = await startReceiver();
    const { id } = await addEndpoint(receiver.url);
    const otherKey = randomBytes(32).toString('base64');
    const others = endpointsOf(operator, new SecretBox([otherKey]));
    await runLow('tank-1');
    startWorker(otherKey);
    expect((await others.list())[0]?.state).toMatch(/^waiting: WEBHOOK_SECRET_KEY does not open its secret/);
    const secret = await others.rollSecret(id);
    await until('it is delivered', () => receiver.received.length === 1);
    expect(isSignedWith(secret, receiver.received[0])).toBe(true);
    expect((await others.list())[0]).toMatchObject({ state: 'enabled', failing_since: null });
  });

  it('is sent both signatures for a day after its secret was rolled', async () => {
    const receiver = await startReceiver();
    const { id, secret } = await addEndpoint(receiver.url);
    const rolled = await endpoints.rollSecret(id);
    await runLow('tank-1');
    await sql.query(
      `update webhook_endpoints set previous_secret_until = previous_secret_until - interval '23 hours'`,
    );
    startWorker();
    await until('it is delivered', () => receiver.received.length === 1);
    await sql.query(
      `update webhook_endpoints set previous_secret_until = previous_secret_until - interval '2 hours'`,
    );
    await runLow('tank-2');
    await until('it is delivered', () => receiver.received.length === 2);
    const [first, second] = receiver.received;
    expect(
      [secret, rolled].map((with_) => [isSignedWith(with_, first), isSignedWith(with_, second)]),
    ).toEqual([
      [true, false],
      [true, true],
    ]);
  });
});

const reportSeveral = async (id: string) => {
  for (const fill of [10, 30, 10, 40]) await report(id, fill);
};
const inOrder = (of: readonly { id: string; tank_id: string }[], tank: string) =>
  of.filter(({ tank_id: id }) => id === tank).map(({ id }) => id);

describe('several workers', () => {
  it('deliver each event once', async () => {
    const receiver = await startReceiver();
    await addEndpoint(receiver.url);
    startWorker();
    startWorker();
    startWorker();
    const tanks = Array.from({ length: 40 }, (_, i) => aTank('ours', { id: `tank-${i}` }));
    await insertTanks(sql, tanks);
    await Promise.all(tanks.map(({ id }) => reportSeveral(id)));
    const toJudge = 'select from tanks_to_judge'; // a worker may hold some of them
    await until('all tanks are judged', async () => (await sql.query(toJudge)).rowCount === 0);
    const happened = await events();
    await until('all are delivered', () => receiver.received.length >= happened.length);
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(receiver.received.map(({ id }) => id).toSorted()).toEqual(happened.map(({ id }) => id).toSorted());
    const delivered = receiver.received.map(({ event }) => event);
    for (const { id } of tanks) expect(inOrder(delivered, id)).toEqual(inOrder(happened, id));
  });

  it('overlook nothing that comes while its line is under way, and keep its order', async () => {
    const { id } = await addEndpoint('http://127.0.0.1:3/');
    const [worker, other] = [work(), work()];
    await queueOfOneTank(['e1']);
    await lineUp(id);
    const { claimed } = await worker.claim(roomFor(id));
    await queueOfOneTank(['e2']);
    await lineUp(id);
    expect(await other.findDue(roomFor(id))).toEqual([]);
    await worker.record(claimed.map((delivery) => answeredWith(delivery, DELIVERED)));
    await other.findDue(roomFor(id));
    expect((await other.claim(roomFor(id))).claimed).toMatchObject([{ eventId: 'e2' }]);
  });

  it('keep the order of a tank, though one of them waits while it puts new events in their lines', async () => {
    const { id } = await addEndpoint('http://127.0.0.1:3/');
    const [worker, other] = [work(), work()];
    await queueOfOneTank(['a1'], 'tank-a');
    await lineUp(id);
    const release = await hold(databaseUrl, 'update webhook_lines set claimed_by = claimed_by');
    await queueOfOneTank(['a2'], 'tank-a');
    await queueOfOneTank(['b1'], 'tank-b');
    const waiting = worker.findDue(roomFor(id));
    await until('it waits', isSomebodyWaiting);
    await queueOfOneTank(['b2'], 'tank-b');
    await other.findDue(roomFor(id));
    const early = await other.claim(roomFor(id));
    await release();
    await waiting;
    await other.findDue(roomFor(id));
    const { claimed } = await other.claim(roomFor(id));
    expect([...early.claimed, ...claimed].map(({ eventId }) => eventId).toSorted()).toEqual(['a1', 'b1']);
  });
});

describe('a long queue', () => {
  it('goes on when the event that was next is removed, and one that waits for a late retry lets new ones pass', async () => {
    const receiver = await startReceiver();
    const { id: endpoint } = await addEndpoint(receiver.url);
    await queueOfOneTank(['e1', 'e2', 'e3', 'e4']);
    await lineUp(endpoint);
    await sql.query(`delete from events where id = 'e1'`);
    await sql.query(`delete from events where id = 'e2'`);
    startWorker();
    await until('the others are delivered', () => receiver.received.length === 2);
    expect(receiver.received.map(({ id }) => id)).toEqual(['e3', 'e4']);
    const pending = `select from webhook_deliveries where status = 'pending'`;
    await until('all is recorded', async () => (await sql.query(pending)).rowCount === 0);

    await stopWorkers();
    await queueOfOneTank(['failed-twice']);
    await lineUp(endpoint);
    await postpone(2, `now() + interval '5 hours'`);
    await queueOfOneTank(['after-it']);
    startWorker();
    await until('the later one is delivered', () => receiver.received.length === 3);
    expect(receiver.received.at(-1)?.id).toBe('after-it');
    await until('that is recorded', async () => (await sql.query(pending)).rowCount === 1);
    await hurry();
    await until('it has its retry', () => receiver.received.at(-1)?.id === 'failed-twice');
  });

  it('lets no new one pass one that waits for its first retry, though another waits longer', async () => {
    const { id } = await addEndpoint('http://127.0.0.1:3/');
    await queueOfOneTank(['e1-failed-twice', 'e2-failed-once']);
    await lineUp(id);
    await postpone(2, `now() + interval '10 minutes'`, `event_id = 'e1-failed-twice'`);
    await postpone(1, `now() + interval '11 minutes'`, `event_id = 'e2-failed-once'`);
    await queueOfOneTank(['new']);
    const worker = work();
    await worker.findDue(roomFor(id));
    expect((await worker.claim(roomFor(id))).claimed).toEqual([]);
    expect(await worker.findDue(roomFor(id))).toEqual([]); // nor is it looked for again before its time
  });
});

it('receivers that hang leave the places of those that answer alone, however many they are', async () => {
  const hanging = await startReceiver(() => new Promise<Reply>(() => undefined));
  const working = await startReceiver();
  await addEndpoint(working.url);
  startWorker();
  await runLow('tank-1');
  await until('it has shown that it answers', () => working.received.length === 1);
  for (let i = 0; i < 70; i += 1) await addEndpoint(`${hanging.url}?${i}`);
  for (let i = 0; i < 40; i += 1) await runLow(`crowd-${i}`);
  await until('the working one has all', () => working.received.length === 41);
  expect(hanging.busiest).toBeLessThanOrEqual(64);
  await hanging.stop();
  receivers.splice(receivers.indexOf(hanging), 1);
});

it('a restored copy sends nothing until the operator says so, and then what waits, unless that is discarded', async () => {
  const receiver = await startReceiver();
  await addEndpoint(receiver.url);
  await runLow('before');
  await sql.query(`update webhook_endpoints set made_in = 'another database'`);
  const warnings: unknown[] = [];
  startWorker(SECRET_KEY, (line) => warnings.push(line));
  await until('it says so', () => warnings.length > 0);
  await runLow('meanwhile');
  await until('both wait', async () => (await endpoints.list())[0]?.pending === 2); // the worker judges, too
  expect((await endpoints.list())[0]?.state).toMatch(/^waiting: this database was restored/);
  expect(receiver.received).toEqual([]);
  expect(await endpoints.resume(false)).toMatchObject({ resumed: 1, pending: 2 });
  await until('they are delivered', () => receiver.received.length === 2);
  expect(await endpoints.resume(false)).toMatchObject({ resumed: 0, pending: 0 });

  await stopWorkers();
  await sql.query(`update webhook_endpoints set made_in = 'another database'`);
  await runLow('of-the-past');
  expect(await endpoints.resume(true)).toMatchObject({ resumed: 1, pending: 1 });
  await runLow('of-today');
  startWorker();
  await until('it is delivered', () => receiver.received.length === 3);
  expect(receiver.received.at(-1)?.event.tank_id).toBe('of-today');
  expect(warnings).toHaveLength(1);
});

it('a polite stop lets what is under way end, and nothing is sent twice', async () => {
  const answers: (() => void)[] = [];
  const receiver = await startReceiver(
    () => new Promise<Reply>((resolve) => answers.push(() => resolve({ status: 200 }))),
  );
  await addEndpoint(receiver.url);
  await runLow('tank-1');
  const worker = startWorker();
  await until('it is under way', () => answers.length === 1);
  const stopped = worker.stop();
  answers[0]?.();
  await stopped;
  startWorker();
  await runLow('tank-2');
  await until('the next one is under way', () => answers.length === 2);
  answers[1]?.();
  expect(receiver.received.map(({ event }) => event.tank_id)).toEqual(['tank-1', 'tank-2']);
});
