// Readings in 120 monthly partitions against the same readings in one table: pages, an import, and thirteen months that go.
import { mkdirSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { firstMonthKept, removeOldReadings } from '../build/telemetry/storage/old-readings.js';
import { defer } from './cleanup.js';
import { runCli } from './cli.js';
import { openDatabase, openServer, query, withClient } from './database.js';
import { seededRandom } from './random.js';
import { median } from './results.js';

const DIRECTORY = fileURLToPath(new URL(`../.data/bench/partitions-${process.pid}`, import.meta.url));
const MONTHS = 120;
const REMOVED_MONTHS = 13;
const ROUNDS = 9;
const CALLS = 300;
const IMPORTED = 100_000;
const TANKS = 200;

const PAGES = [
  { what: 'page 1 of a tank', skip: 0 },
  { what: 'page 50,000 of a tank', skip: 499_990 },
];

/**
 * On a server of which `databaseUrl` names any database; two are made beside it and dropped again. A ratio is the time on
 * partitions by the time on one table.
 * @returns {Promise<{ what: string, ratio: number, detail: string }[]>}
 */
export async function measurePartitions(databaseUrl) {
  const server = await openServer({ database: databaseUrl });
  const flat = await fill(server, 'tank_bench_flat');
  const partitioned = await fill(server, 'tank_bench_partitioned');
  await runCli(['partition', 'on'], partitioned);
  await query(partitioned, 'vacuum analyze');

  const results = [];
  for (const page of PAGES) results.push(await comparePages(page, flat, partitioned));
  results.push(await compareImports(flat, partitioned));
  results.push(await compareRemovals(flat, partitioned));
  return results;
}

/** A tank with 5,000 readings in each month, so that it has a page 50,000, and others with one a day. */
async function fill(server, name) {
  const { url } = await openDatabase(server, name, {
    content: { MONTHS, TANKS },
    keep: false,
    fill: (filled) => withClient(filled, (client) => client.query(FILL)),
  });
  await query(url, 'vacuum analyze');
  return url;
}

const FIRST_MONTH = `(date_trunc('month', now() at time zone 'UTC') - interval '${MONTHS - 1} months')`;
const FILL = `
  insert into customers (id, email, name) values ('owner', 'owner@example.com', 'Owner');
  insert into tanks (id, owner_id, name, assigned_device_id, capacity, capacity_unit, min_fill_alert_percentage)
  select 'tank-' || n, 'owner', 'Tank ' || n, 'device-' || n, 1000, 'liters', 10 from generate_series(1, ${TANKS}) n;
  insert into telemetry
  select key, (${FIRST_MONTH} + month * interval '1 month' + n * interval '8 minutes') at time zone 'UTC', n % 100
  from tanks, generate_series(0, ${MONTHS - 1}) month, generate_series(0, 4999) n where id = 'tank-1';
  insert into telemetry
  select key, (${FIRST_MONTH} + month * interval '1 month' + n * interval '1 day') at time zone 'UTC', n
  from tanks, generate_series(0, ${MONTHS - 1}) month, generate_series(0, 27) n where id <> 'tank-1'`;

/** As the service asks: prepared, with a generic plan. In turns, so that whatever else the machine does meets both alike. */
async function comparePages({ what, skip }, flat, partitioned) {
  return withClient(flat, (onFlat) =>
    withClient(partitioned, async (onPartitions) => {
      for (const client of [onFlat, onPartitions]) {
        await client.query('set plan_cache_mode = force_generic_plan');
        await callPages(client, skip);
      }
      const runs = [];
      for (let round = 0; round < ROUNDS; round++) {
        const run = { flat: await callPages(onFlat, skip), partitions: await callPages(onPartitions, skip) };
        runs.push({ ...run, ratio: run.partitions / run.flat });
      }
      const of = (name) => median(runs.map((run) => run[name]));
      return {
        what,
        ratio: of('ratio'),
        detail: `${of('partitions').toFixed(3)} ms on ${MONTHS} partitions, ${of('flat').toFixed(3)} ms on one table`,
      };
    }),
  );
}

/** @returns {Promise<number>} milliseconds a call */
async function callPages(client, skip) {
  const started = performance.now();
  for (let call = 0; call < CALLS; call++) {
    const { rows } = await client.query({
      name: 'page',
      text: 'select total, created_at, fill_percentage from telemetry_page($1, null, $2, $3, $4, 10)',
      values: ['tank-1', '-infinity', 'infinity', skip],
    });
    if (rows.length !== 10) throw new Error(`A page of ${rows.length} readings.`);
  }
  return (performance.now() - started) / CALLS;
}

async function compareImports(flat, partitioned) {
  const file = await writeReadings();
  const seconds = {};
  for (const [name, url] of Object.entries({ partitions: partitioned, flat })) {
    const started = performance.now();
    await runCli(['import', file], url);
    seconds[name] = (performance.now() - started) / 1000;
  }
  return compared(`import of ${IMPORTED.toLocaleString('en')} readings`, seconds);
}

/** New ones of two months of every tank, between those that are there. */
async function writeReadings() {
  mkdirSync(DIRECTORY, { recursive: true });
  defer(() => rmSync(DIRECTORY, { recursive: true, force: true }));
  const random = seededRandom(11);
  const lines = Array.from({ length: IMPORTED }, (_, n) => {
    const at = new Date(Date.now() - 86_400_000 - Math.floor(n / TANKS) * 10_007_003).toISOString();
    const level = Math.floor(random() * 1000) / 10;
    return `{"object":"telemetry","tank_id":"tank-${1 + (n % TANKS)}","created_at":"${at}","fill_percentage":${level}}\n`;
  });
  const file = join(DIRECTORY, 'readings.ndjson');
  await writeFile(file, lines.join(''));
  return file;
}

async function compareRemovals(flat, partitioned) {
  const seconds = {};
  for (const [name, url] of Object.entries({ partitions: partitioned, flat })) {
    await withClient(url, async (client) => {
      const keepFrom = await firstMonthKept(client, MONTHS - 1 - REMOVED_MONTHS);
      const started = performance.now();
      const removed = await removeOldReadings(client, keepFrom);
      seconds[name] = (performance.now() - started) / 1000;
      const expected = REMOVED_MONTHS * (5_000 + 28 * (TANKS - 1));
      if (removed !== expected) throw new Error(`${removed} readings were removed instead of ${expected}.`);
    });
  }
  return compared(`removal of ${REMOVED_MONTHS} months`, seconds);
}

function compared(what, { partitions, flat }) {
  return {
    what,
    ratio: partitions / flat,
    detail: `${partitions.toFixed(2)} s on ${MONTHS} partitions, ${flat.toFixed(2)} s on one table`,
  };
}
