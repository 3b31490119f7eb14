// What comes in and goes out: readings sent over HTTP against the bare and the typical way, reads and an import beside them,
// changes that are followed, alerts that ring, webhooks that are delivered. On a database of its own.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { measureChanges } from './changes.js';
import { runCli } from './cli.js';
import { buildData } from './data.js';
import { openDatabase, query } from './database.js';
import { readingOf } from './readings.js';
import { median } from './results.js';
import { SERVER_NAMES, startServer } from './servers.js';
import { startSenders } from './start-senders.js';
import { measureManage } from './manage.js';
import { measureWebhooks } from './webhooks.js';

const SINGLE = { readings: 1, connections: 64 };
const BATCH = { readings: 1_000, connections: 4 };
const HOUR_MS = 3_600_000;

export async function measureLive(server, generator, options, tell) {
  const { rounds, seconds } = options;
  const tanks = options.size === 'smoke' ? 200 : 10_000;
  const size = { customers: 300, tanks, readings: 20, big: 10, small: 10 };
  const { url } = await openDatabase(server, 'tank_bench_live', {
    content: size,
    keep: false,
    fill: (filled) => buildData(filled, size),
  });
  const secretKey = randomBytes(32).toString('base64');
  Object.assign(process.env, { WEBHOOK_SECRET_KEY: secretKey, WEBHOOK_ALLOW_PRIVATE: 'true' });
  const key = (
    await runCli(
      ['keys', 'create', '--name', 'sender', '--scope', 'read', 'telemetry:write', 'tanks:write'],
      url,
    )
  ).trim();
  const ids = (await query(url, 'select id from tanks where not deleted order by key')).map(({ id }) => id);
  const world = { url, key, ids, rounds, seconds, generator, senders: startSenders(), tell };

  tell('readings come in');
  const servers = [];
  for (const name of SERVER_NAMES) servers.push(await startServer(name, { url, key }));
  const singles = await race(world, servers, SINGLE);
  const [service, ...others] = servers;
  for (const { stop } of others) await stop();
  const uplinks = await sendUplinks(world, service);
  const managed = await measureManage(world, service, nextHour);
  const batches = await sendAndImport(world, service, options.size === 'smoke' ? 2 : 50);
  const best = median(singles.service.map(({ rate }) => rate));
  const beside = await readBeside(world, service, best / 2);
  const imported = await importBeside(world, service, options.imported, best / 4);
  const changes = await measureChanges(
    {
      ...world,
      size: options.size,
      send: (load) => sendFor(world, service, load),
      readTanks: () => readTanks(world, service),
    },
    service,
  );
  const alerts = await ringAll(world, service);
  const webhooks = await measureWebhooks({ ...world, read: () => readTanks(world, service) }, service);
  await service.stop();
  return { singles, uplinks, managed, batches, beside, imported, changes, alerts, webhooks };
}

/** Each run sends readings that were never sent before. */
let clock = Date.now() - 20 * 24 * HOUR_MS;
function nextHour() {
  clock += HOUR_MS;
  return clock;
}

function sendFor({ senders, key, ids, seconds }, { port }, load) {
  return senders.send({ port, key, tanks: ids, from: nextHour(), seconds, ...load });
}

/** Every round each server, in rotating order. */
async function race(world, servers, load) {
  const runs = Object.fromEntries(servers.map(({ name }) => [name, []]));
  for (const server of servers) await sendFor({ ...world, seconds: world.seconds / 2 }, server, load); // warm
  for (let round = 0; round < world.rounds; round++) {
    for (let turn = 0; turn < servers.length; turn++) {
      const server = servers[(turn + round) % servers.length];
      runs[server.name].push(await sendFor(world, server, load));
    }
  }
  return runs;
}

/** One uplink a request against one reading a request, of tanks that all have sensors; and, alone, one with a history against one without. */
async function sendUplinks(world, service) {
  world.tell('uplinks come in');
  await query(
    world.url,
    `insert into tank_sensors (tank_key, profile_id, calibration)
     select key, 'em400-udl', '{"empty":1000,"full":0,"unit":"mm","shape":"upright"}' from tanks where not deleted`,
  );
  await query(
    world.url,
    `update sensor_profiles set history = '{"path":"log","time":"at","level":"distance"}' where id = 'em400-udl'`,
  );
  await query(world.url, 'vacuum analyze tank_sensors');
  const found = await query(
    world.url,
    'select assigned_device_id as id from tanks where not deleted order by key',
  );
  const load = { ...SINGLE, devices: found.map(({ id }) => id) };
  await sendFor({ ...world, seconds: world.seconds / 2 }, service, load); // warm
  const runs = [];
  for (let round = 0; round < world.rounds; round++) {
    const readings = await sendFor(world, service, SINGLE);
    const sent = await sendFor(world, service, load);
    const plain = await sendFor(world, service, { ...load, connections: 1 });
    const long = await sendFor(world, service, { ...load, connections: 1, entries: 100 });
    const failed = sent.failed + plain.failed + long.failed;
    runs.push({ readings: readings.rate, uplinks: sent.rate, plain: plain.p50, long: long.p50, failed });
  }
  return runs;
}

/** Readings in requests of a thousand, and the same readings an hour later in a file. */
async function sendAndImport(world, service, most) {
  const runs = [];
  for (let round = 0; round < world.rounds; round++) {
    const sent = await sendFor({ ...world, seconds: undefined }, service, { ...BATCH, most });
    const rows = most * BATCH.readings;
    const from = nextHour();
    const lines = function* () {
      for (let n = 0; n < rows; n++) yield `${lineOf(readingOf(n, world.ids, from))}\n`;
    };
    const started = performance.now();
    await importLines(world.url, lines());
    runs.push({
      sent: sent.rate * BATCH.readings,
      imported: rows / ((performance.now() - started) / 1000),
      failed: sent.failed,
    });
  }
  return runs;
}

const lineOf = (reading) => JSON.stringify({ object: 'telemetry', ...reading });

function readTanks({ generator, ids, seconds }, service) {
  const paths = ids.slice(0, 200).map((id) => `/v1/tanks/${id}`);
  return generator.load(service, {
    paths,
    accept: 'application/json',
    expected: [],
    connections: 16,
    seconds,
  });
}

/** Reads of one tank alone, and while readings come in at this pace. */
async function readBeside(world, service, pace) {
  const { rounds, seconds } = world;
  const read = () => readTanks(world, service);
  const runs = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await read();
    const sending = sendFor({ ...world, seconds: seconds + 1 }, service, { ...SINGLE, pace });
    await sleep(300);
    const beside = await read();
    const sent = await sending;
    runs.push({ alone: alone.rate, beside: beside.rate, failed: sent.failed, sent: sent.rate });
  }
  return runs;
}

/** A file is imported for the same tanks while their readings come in: nobody is refused. */
async function importBeside(world, service, rows, pace) {
  const { url, ids, tell } = world;
  tell('readings come in while a file is imported');
  const from = Date.now() - 400 * 24 * HOUR_MS;
  const lines = function* () {
    for (let n = 0; n < rows; n++) {
      const at = new Date(from + Math.floor(n / ids.length) * 60_000).toISOString();
      yield `${lineOf({ tank_id: ids[n % ids.length], created_at: at, fill_percentage: n % 100 })}\n`;
    }
  };
  const sending = sendFor({ ...world, seconds: 600 }, service, { ...SINGLE, pace });
  const started = performance.now();
  await importLines(url, lines());
  const took = (performance.now() - started) / 1000;
  world.senders.stop();
  const { requests, failed, p50 } = await sending;
  return { rows, seconds: took, requests, failed, p50 };
}

function importLines(url, lines) {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('../dist/cli.js', import.meta.url)), 'import', '-'],
      {
        env: { ...process.env, DATABASE_URL: url },
        stdio: ['pipe', 'ignore', 'inherit'],
      },
    );
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`The import ended with ${code}.`)),
    );
    const feed = () => {
      for (let block = ''; ; block = '') {
        for (let n = 0; n < 1_000; n++) {
          const { value, done } = lines.next();
          if (done) return void child.stdin.end(block);
          block += value;
        }
        if (!child.stdin.write(block)) return void child.stdin.once('drain', feed);
      }
    };
    feed();
  });
}

/** One reading of every tank that takes it below its threshold, and one of every tank that does not. */
async function ringAll(world, service) {
  const { url, ids, rounds, tell, senders, key } = world;
  tell('every tank runs low');
  const runs = [];
  for (let round = 0; round < rounds; round++) {
    const rates = {};
    // The last ends with the events that webhooks are measured with.
    for (const judged of (rounds - round) % 2 === 1 ? [false, true] : [true, false]) {
      await query(url, 'delete from telemetry');
      await query(
        url,
        'update tanks set min_fill_alert_percentage = 20 where min_fill_alert_percentage <> 20',
      );
      const from = Date.now() - HOUR_MS / 2; // none of them is silent
      await query(
        url,
        `insert into telemetry select key, to_timestamp($1::float8 / 1000) - n * interval '15 minutes', 21 + n
         from tanks, generate_series(1, 3) n where not deleted order by key, 2`,
        [from],
      );
      await until(url, 'select not exists (select from tanks_to_judge) as is_so');
      await query(url, 'delete from tank_alerts'); // nobody judges meanwhile
      await query(url, 'delete from events');
      await query(url, 'vacuum analyze telemetry, tank_states, events, telemetry_counts');
      const load = {
        ...SINGLE,
        port: service.port,
        key,
        tanks: ids,
        from,
        fill: judged ? 19 : 22,
        most: ids.length,
      };
      rates[judged ? 'judged' : 'unjudged'] = (await senders.send(load)).rate;
      if (judged)
        await until(url, `select count(*) = ${ids.length} as is_so from events where type = 'tank.low'`);
    }
    runs.push(rates);
  }
  return runs;
}

async function until(url, condition) {
  for (let tries = 0; tries < 200; tries++) {
    const [{ is_so: isSo }] = await query(url, condition);
    if (isSo) return;
    await sleep(100);
  }
  throw new Error(`Not so after 20 seconds: ${condition}`);
}
