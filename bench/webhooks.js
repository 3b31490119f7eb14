// What is sent to other systems: how fast, what reads pay for it, what receivers that hang cost those that answer, and what
// deliveries that are held up cost those that are not.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLAIM } from '../build/webhooks/delivery-queue.statements.js';
import { defer } from './cleanup.js';
import { runCli } from './cli.js';
import { query, withClient } from './database.js';
import { median } from './results.js';
import { residentBytes } from './servers.js';

const DELIVERED_A_SECOND = 100;
const HANGING = 12;
const BLOCKED = 30_000;
const CLAIMS = 200;

export async function measureWebhooks(world, service) {
  world.tell('webhooks are delivered');
  const receiver = await startReceiver((response) => response.writeHead(204).end());
  const endpoint = await addWebhook(world.url, receiver.hook);
  const delivered = await deliverAll(world, service, receiver, endpoint);
  const reads = await readWhileDelivering(world, endpoint);
  const beside = await deliverBesideHanging(world, receiver, endpoint);
  return { ...delivered, reads, beside, claims: await claimBehindBlocked(world) };
}

async function startReceiver(answer) {
  const receiver = { received: 0, hook: '', cut: () => server.closeAllConnections() };
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      receiver.received += 1;
      answer(response);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  defer(() => server.close().closeAllConnections());
  receiver.hook = `http://127.0.0.1:${server.address().port}/hook`;
  return receiver;
}

async function addWebhook(url, hook) {
  await runCli(['webhooks', 'add', hook], url);
  const [{ id }] = await query(
    url,
    'select id from webhook_endpoints order by created_at desc, id desc limit 1',
  );
  return id;
}

/** Queues events for an endpoint, the oldest first, and returns how many. */
async function queueEvents(url, endpoint, most = null) {
  const queued = await query(
    url,
    `insert into webhook_deliveries (endpoint_id, event_id, tank_id)
     select $1, id, tank_id from events order by id limit $2 returning 1`,
    [endpoint, most],
  );
  return queued.length;
}

/** How many a second reach the receiver, once as many as that are queued. */
async function rateOf(receiver, queue, meanwhile = () => undefined) {
  const before = receiver.received;
  const started = performance.now();
  const events = await queue();
  while (receiver.received < before + events) {
    meanwhile();
    if (performance.now() - started > 120_000) {
      throw new Error(`Only ${receiver.received - before} of ${events} were delivered.`);
    }
    await sleep(20);
  }
  return { events, rate: events / ((performance.now() - started) / 1000) };
}

/** Every event that is kept, to a receiver on this machine. */
async function deliverAll({ url }, service, receiver, endpoint) {
  let memory = 0;
  const measured = await rateOf(
    receiver,
    () => queueEvents(url, endpoint),
    () => {
      memory = Math.max(memory, residentBytes(service));
    },
  );
  return { ...measured, memory };
}

async function readWhileDelivering({ url, rounds, read }, endpoint) {
  const queueSome = () =>
    query(
      url,
      `insert into webhook_deliveries (endpoint_id, event_id, tank_id)
       select $1, id, tank_id from events order by random() limit $2`,
      [endpoint, DELIVERED_A_SECOND / 10],
    );
  const runs = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await read();
    const pace = setInterval(() => void queueSome(), 100);
    const beside = await read();
    clearInterval(pace);
    runs.push({ alone: alone.rate, beside: beside.rate });
  }
  return runs;
}

/** The same events alone, and while twelve endpoints never answer theirs. */
async function deliverBesideHanging({ url, rounds, tell }, receiver, endpoint) {
  tell(`webhooks are delivered beside ${HANGING} receivers that hang`);
  const few = 3_000;
  const hanging = await startReceiver(() => undefined);
  const ids = [];
  for (let n = 0; n < HANGING; n++) ids.push(await addWebhook(url, `${hanging.hook}?${n}`));
  const runs = [];
  for (let round = 0; round < rounds; round++) {
    const { rate: alone } = await rateOf(receiver, () => queueEvents(url, endpoint, few));
    for (const id of ids) await queueEvents(url, id, few);
    const { rate: beside } = await rateOf(receiver, () => queueEvents(url, endpoint, few));
    runs.push({ alone, beside });
    await query(url, 'delete from webhook_deliveries where endpoint_id = any ($1)', [ids]);
    hanging.cut(); // nothing of this round is under way in the next one
  }
  await query(url, 'delete from webhook_endpoints where id = any ($1)', [ids]);
  return runs;
}

/** Milliseconds of a claim that finds nothing to do: with nothing there, and with many that wait behind failing ones. */
function claimBehindBlocked({ url, tell }) {
  tell(`claims beside ${BLOCKED} deliveries that are held up`);
  return withClient(url, timeClaims);
}

async function timeClaims(client) {
  await client.query(
    `insert into webhook_deliveries (endpoint_id, event_id, tank_id, is_in_line)
     select 'blocked', event.id, 'tank-' || n % 300, true
     from generate_series(1, $1::integer) n cross join (select id from events limit 1) event`,
    [BLOCKED],
  );
  await client.query(
    `insert into webhook_lines (line, endpoint_id, due_at)
     select distinct line, endpoint_id, now() + interval '1 hour' from webhook_deliveries where endpoint_id = 'blocked'`,
  );
  const times = { empty: [], blocked: [] };
  for (let n = 0; n < CLAIMS; n++) {
    for (const endpoint of Object.keys(times)) {
      const started = performance.now();
      await client.query(CLAIM, [[endpoint], [32], 'the benchmark']);
      times[endpoint].push(performance.now() - started);
    }
  }
  return { empty: median(times.empty), blocked: median(times.blocked) };
}
