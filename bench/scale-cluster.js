// What a cluster costs: the same questions and writes on a Citus coordinator with two workers and on plain PostgreSQL, both Debian's
// PostgreSQL 15 on this machine. All nodes share its processors, so the ratios show the overhead, not what more machines give.
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { defer } from './cleanup.js';
import { runCli } from './cli.js';
import { query } from './database.js';
import { DATABASE, hasDebianPostgres, startPostgres } from './debian-postgres.js';
import { median } from './results.js';
import { startServer, workDirectory } from './servers.js';
import { startSenders } from './start-senders.js';

const EXTENSION = '/usr/share/postgresql/15/extension/citus.control';

const TANKS = 1_000;
const BIG_TANK_READINGS = 600_000;
const IMPORTED_EACH = 200;
const ROUNDS = 5;
const QUESTIONS = 100;
const INGEST_SECONDS = 3;
const FIRST_DAY = Date.UTC(2024, 0, 1);

/** @returns {Promise<{ what: string, ratio: number, detail: string }[] | { skipped: string }>} ratio: times the time of plain PostgreSQL */
export async function measureCluster() {
  if (!existsSync(EXTENSION) || !hasDebianPostgres) {
    return { skipped: `needs the extension Citus 13 in Debian's PostgreSQL 15 (${EXTENSION})` };
  }
  const files = await writeFiles(workDirectory());
  const sides = {
    plain: await openSide(await startPlain(), files),
    cluster: await openSide(await startCluster(), files),
  };
  return [
    await compare('page 1 of 600,000 readings', sides, (side) => ask(side, '?page=1&size=10')),
    await compare('page 50,000 of 600,000 readings', sides, (side) => ask(side, '?page=50000&size=10')),
    compareImports('import of new readings', sides, 'imported'),
    compareImports('import of known readings', sides, 'importedAgain'),
    await compareIngest('ingest, one reading a request', sides, { readings: 1, connections: 32 }),
    await compareIngest('ingest, 1,000 readings a request', sides, { readings: 1_000, connections: 2 }),
  ];
}

async function compare(what, { plain, cluster }, measureOnce) {
  const times = { plain: [], cluster: [] };
  for (let round = 0; round < ROUNDS; round++) {
    times.plain.push(await measureOnce(plain));
    times.cluster.push(await measureOnce(cluster));
  }
  const [alone, spread] = [median(times.plain), median(times.cluster)];
  return { what, ratio: spread / alone, detail: `${spread.toFixed(2)} ms instead of ${alone.toFixed(2)} ms` };
}

function compareImports(what, { plain, cluster }, which) {
  const rate = (side) => `${Math.round((TANKS * IMPORTED_EACH) / side[which]).toLocaleString('en')}/s`;
  return { what, ratio: cluster[which] / plain[which], detail: `${rate(cluster)} instead of ${rate(plain)}` };
}

async function compareIngest(what, { plain, cluster }, load) {
  const rates = { plain: [], cluster: [] };
  for (let round = 0; round < ROUNDS; round++) {
    rates.plain.push(await send(plain, load));
    rates.cluster.push(await send(cluster, load));
  }
  const [alone, spread] = [median(rates.plain), median(rates.cluster)];
  return {
    what,
    ratio: alone / spread,
    detail:
      `${Math.round(spread).toLocaleString('en')} readings/s instead of ${Math.round(alone).toLocaleString('en')}; ` +
      `refused there so far: ${cluster.refused}`,
  };
}

/** The median of some questions, one after the other, in milliseconds. */
async function ask({ service, agent }, parameters) {
  const times = [];
  for (let question = 0; question < QUESTIONS; question++) {
    const started = performance.now();
    await status(service, agent, `/v1/tanks/tank-1/telemetry${parameters}`);
    times.push(performance.now() - started);
  }
  return median(times);
}

function status({ port, key }, agent, path) {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent, headers: { 'X-API-Key': key } }, (response) => {
      response.resume();
      response.once('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`${path}: ${response.statusCode}`)),
      );
    }).once('error', reject);
  });
}

/** Each run sends readings that were never sent before. @returns readings a second */
async function send(side, { readings, connections }) {
  side.sentUntil += 3_600_000;
  const { service, senders, tanks, sentUntil } = side;
  const job = { port: service.port, key: service.key, tanks, readings, connections, seconds: INGEST_SECONDS };
  const { rate, failed } = await senders.send({ ...job, from: sentUntil });
  side.refused = (side.refused ?? 0) + failed;
  return rate * readings;
}

/** A filled database with a service on it, and how long its imports took, in seconds. */
async function openSide(url, files) {
  await runCli(['import', files.tanks, files.big], url);
  const imported = await secondsOf(() => runCli(['import', files.readings], url));
  const importedAgain = await secondsOf(() => runCli(['import', files.readings], url));
  await query(url, 'vacuum analyze');
  const scopes = ['--scope', 'read', '--scope', 'telemetry:write'];
  const key = (await runCli(['keys', 'create', '--name', 'benchmark', ...scopes], url)).trim();
  const service = await startServer('service', { url, key });
  const agent = new Agent({ keepAlive: true });
  defer(() => agent.destroy());
  const tanks = Array.from({ length: TANKS }, (_, i) => `tank-${i + 1}`);
  return {
    imported,
    importedAgain,
    service,
    agent,
    tanks,
    senders: startSenders(),
    sentUntil: Date.now() - 86_400_000,
  };
}

async function secondsOf(work) {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

function* linesOf(tanks, each, stepMs) {
  for (let n = 0; n < each; n++) {
    for (const tank of tanks) {
      const at = new Date(FIRST_DAY + n * stepMs).toISOString();
      yield {
        object: 'telemetry',
        tank_id: `tank-${tank}`,
        created_at: at,
        fill_percentage: 50 + (n % 400) / 10,
      };
    }
  }
}

async function writeFiles(folder) {
  const files = {
    tanks: join(folder, 'tanks.ndjson'),
    big: join(folder, 'big.ndjson'),
    readings: join(folder, 'readings.ndjson'),
  };
  const objects = function* () {
    yield { object: 'customer', id: 'owner', name: 'Owner', email: 'owner@example.com', is_verified: false };
    for (let tank = 1; tank <= TANKS; tank++) {
      yield {
        object: 'tank',
        id: `tank-${tank}`,
        owner_id: 'owner',
        name: `Tank ${tank}`,
        assigned_device_id: `device-${tank}`,
        capacity: 1000,
        capacity_unit: 'liters',
        min_fill_alert_percentage: 20,
        location: {},
      };
    }
  };
  await writeLines(files.tanks, objects());
  await writeLines(files.big, linesOf([1], BIG_TANK_READINGS, 60_000));
  const others = Array.from({ length: TANKS - 1 }, (_, i) => i + 2);
  await writeLines(files.readings, linesOf(others, IMPORTED_EACH, 900_000));
  return files;
}

async function writeLines(path, values) {
  const file = await open(path, 'w');
  let text = '';
  for (const value of values) {
    text += `${JSON.stringify(value)}\n`;
    if (text.length < 1 << 20) continue;
    await file.write(text);
    text = '';
  }
  await file.write(text);
  await file.close();
}

async function startPlain() {
  const { url } = await startPostgres('plain');
  await query(url('postgres'), `create database ${DATABASE}`);
  await runCli(['migrate'], url(DATABASE));
  return url(DATABASE);
}

async function startCluster() {
  const settings = ['shared_preload_libraries=citus', 'wal_level=logical', 'max_prepared_transactions=200'];
  const nodes = [];
  for (const name of ['coordinator', 'worker-1', 'worker-2']) {
    const node = await startPostgres(name, settings);
    await query(node.url('postgres'), `create database ${DATABASE}`);
    await query(node.url(DATABASE), 'create extension citus');
    nodes.push(node);
  }
  const [coordinator, ...workers] = nodes;
  const url = coordinator.url(DATABASE);
  await query(url, `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`);
  for (const { port } of workers) await query(url, `select citus_add_node('127.0.0.1', ${port})`);
  await runCli(['migrate'], url);
  await runCli(['cluster', 'prepare'], url);
  return url;
}
