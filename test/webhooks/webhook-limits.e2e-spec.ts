// What holds up nobody else: tests and receivers that are slow, endpoints that answer again, and replays of very many events.
import { describe, expect, it } from '@jest/globals';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { EventEmitter, once } from 'node:events';
import { REPLAYED_AT_ONCE } from '../../src/webhooks/delivery-queue.statements.js';
import type { WebhookEndpointWithSecret as Endpoint } from 'tank-monitoring-client';
import { until } from '../faults/support/until.js';
import { startService, type Agent } from '../support/app.js';
import { insertFleetOf } from '../support/builders.js';
import { ADDRESS, agentOf, CLOSED_NETWORK, startEndpoints } from '../support/endpoints.js';
import { Receiver } from '../support/receiver.js';

const hooks = await startEndpoints();
const { service, sql, all, ours, create, happen, deliveriesOf, startWorker, test: testOf } = hooks;

/** Three deliveries failed and wait for hours; one of them was asked to by the receiver. */
async function waiting(): Promise<string> {
  const { id } = await create();
  hooks.reply = { status: 500 };
  await happen(['e1', 'e2', 'e3']);
  startWorker();
  await until('all failed', async () => (await deliveriesOf(id)).every(({ detail }) => detail !== null));
  await hooks.stopWorkers();
  await sql.query(
    `update webhook_deliveries set next_try_at = now() + interval '5 hours';
     update webhook_deliveries set retry_after = now() + interval '1 hour' where event_id = 'e3';
     update webhook_lines set due_at = now() + interval '5 hours'`,
  );
  hooks.receiver.received.length = 0;
  hooks.reply = { status: 204 };
  return id;
}

const hoursTo = (time: unknown) => Math.round((Date.parse(String(time)) - Date.now()) / 3_600_000);

describe('tests of one customer', () => {
  it('leave room for those of others: two of a key, four of a customer, eight in all', async () => {
    const told = new EventEmitter();
    const held = await Receiver.start(async () => {
      await once(told, 'to answer');
      return hooks.reply;
    });
    const [oneOf, another] = [
      await create({ url: held.url, customer_id: 'ours' }),
      await create({ url: held.url }),
    ];
    const running: Promise<unknown>[] = [];
    const fill = async (endpoint: Endpoint, as: Agent): Promise<void> => {
      for (let i = 0; i < 2; i += 1) running.push(testOf(endpoint, as).then(() => undefined));
      await until('both are sent', () => held.received.length === running.length);
      const { status, body } = await testOf(endpoint, as);
      expect([status, body]).toEqual([503, expect.objectContaining({ code: 'overloaded' })]);
    };
    await fill(oneOf, ours);
    await fill(oneOf, await agentOf(service, 'ours'));
    await testOf(oneOf, await agentOf(service, 'ours')).expect(503);
    await fill(another, all);
    await fill(another, await agentOf(service));
    await testOf(another, await agentOf(service)).expect(503);
    told.emit('to answer');
    await Promise.all(running);
    await held.stop();
    await testOf(oneOf, ours).expect(200); // there is room again
  });

  it('whose name server never answers hold up nobody, and no thread that others look names up with', async () => {
    const silent = createSocket('udp4').bind(0, '127.0.0.1');
    await once(silent, 'listening');
    const nameServers = [`127.0.0.1:${silent.address().port}`];
    const beside = await startService({
      environment: { ...CLOSED_NETWORK, WORKER: 'true' },
      adjust: (config) => ({ ...config, webhooks: { ...config.webhooks, nameServers } }),
    });
    await insertFleetOf(beside.sql, { ours: [], theirs: [] });
    const [greedy, modest] = [await agentOf(beside, 'theirs'), await agentOf(beside, 'ours')];
    const hanging = await create({ url: 'http://hook.example/' }, greedy);
    const working = await create({ url: hooks.receiver.url.replace('127.0.0.1', 'localhost') }, modest);
    const asked = once(silent, 'message');
    const crowd = Array.from({ length: 50 }, async () => await testOf(hanging, greedy));
    await asked;

    expect((await testOf(working, modest)).body).toMatchObject({ delivered: true });
    expect(await lookup('localhost')).toBeDefined(); // as the connections to the database do
    expect(await beside.status('/v1/tanks')).toBe(200);
    await beside.sql.query(
      `insert into events (id, type, created_at, tank_id, owner_id, data)
       select owner, 'tank.low', now(), 'tank of ' || owner, owner, '{}' from unnest(array['theirs', 'ours']) owner`,
    );
    await until('the delivery arrives', () => hooks.receiver.received.some(({ id }) => id === 'ours'));

    const tested = (await Promise.all(crowd)).filter(({ status }) => status !== 503);
    expect(tested.length).toBeGreaterThan(0);
    for (const { body } of tested)
      expect(body).toMatchObject({ delivered: false, detail: 'the name could not be looked up' });
    await beside.stop();
    silent.close();
  });
});

describe('an endpoint that answers again', () => {
  it('by a delivery wakes what waits for it, each once, and not before the time it asked for', async () => {
    const id = await waiting();
    startWorker();
    await happen(['e4']);
    await until('they are sent', () => hooks.receiver.received.length === 3);
    expect(hooks.receiver.received.map((one) => one.id).toSorted()).toEqual(['e1', 'e2', 'e4']);
    await until('that is recorded', async () => (await deliveriesOf(id, '?state=delivered')).length === 3);
    const [left] = await deliveriesOf(id, '?state=pending');
    expect([left?.['event_id'], hoursTo(left?.['next_attempt_at'])]).toEqual(['e3', 1]);

    // Woken once already.
    await sql.query(
      `update webhook_deliveries set next_try_at = now() + interval '5 hours', retry_after = null where status = 'pending'`,
    );
    await happen(['e5']);
    await until('it is sent', async () => (await deliveriesOf(id, '?state=delivered')).length === 4);
    await all.post(`${ADDRESS}/${id}/test`).expect(200);
    expect(hoursTo((await deliveriesOf(id, '?state=pending'))[0]?.['next_attempt_at'])).toBe(5);
  });

  it('by a test wakes it too, unless it is disabled or failed', async () => {
    const id = await waiting();
    const test = () => all.post(`${ADDRESS}/${id}/test`).expect(200);
    const asleep = async () =>
      (await deliveriesOf(id)).filter(({ next_attempt_at: at }) => hoursTo(at) === 5).length;
    hooks.reply = { status: 500 };
    await test();
    hooks.reply = { status: 204 };
    await all.patch(`${ADDRESS}/${id}`).send({ enabled: false }).expect(200);
    await test();
    expect(await asleep()).toBe(3);
    await all.patch(`${ADDRESS}/${id}`).send({ enabled: true }).expect(200);
    await test();
    expect(await asleep()).toBe(0);
    startWorker();
    await until('they are sent', async () => (await deliveriesOf(id, '?state=delivered')).length === 2);
  });
});

it('a replay of very many goes in slices, and misses none', async () => {
  const { id } = await create();
  await happen(Array.from({ length: REPLAYED_AT_ONCE + 1 }, (_, n) => `e${String(n).padStart(6, '0')}`));
  await sql.query(`update webhook_deliveries set status = 'delivered'`);

  const { body } = await all.post(`${ADDRESS}/${id}/replay`).send({ since: '2020-01-01T00:00:00Z' });

  expect(body).toEqual({ object: 'webhook_replay', queued: REPLAYED_AT_ONCE + 1 });
});
