// What a night of forecasts costs. Tanks with some weeks of readings are made, everything is forecast once, then a day is added and the
// night is measured. It does one thing at a time, here or in PostgreSQL, and does not pause as it does beside a service: so its
// time is that of one core. Then all forecasts are forgotten, and tanks are read while the service makes them, and once it has.
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { Forecasting } from '../build/forecasts/forecasting.js';
import { runCli } from './cli.js';
import { openDatabase } from './database.js';
import { startGenerator } from './load.js';
import { startServer } from './servers.js';

const SIZES = {
  default: { tanks: 10_000, days: 30 },
  large: { tanks: 100_000, days: 30 },
  smoke: { tanks: 50, days: 20 },
};
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TANKS_AT_ONCE = 500;

export async function measureForecasts(server, options, tell) {
  const size = SIZES[options.size];
  const start = Math.floor(Date.now() / DAY_MS) * DAY_MS + 9 * HOUR_MS;
  const { url } = await openDatabase(server, 'tank_bench_forecasts', {
    content: size,
    keep: false,
    fill: (filled) => fill(filled, size, start, tell),
  });
  const pool = new Pool({ connectionString: url, max: 3 });
  let now = start;
  const forecasting = new Forecasting(pool, () => now, 0);
  tell('the first forecasts');
  const first = await measure(() => forecasting.run());
  now += DAY_MS;
  await addReadings(pool, 0, size.tanks, 4, now);
  tell('a night');
  const night = await measure(() => forecasting.run());
  tell('reads beside forecasts');
  const beside = await readBeside(pool, url, options);
  await pool.end();
  return { ...size, first, night, beside, hundredThousand: (night.seconds * 100_000) / size.tanks };
}

/** Everything that is due now: for data that are to be read without forecasts being made beside it. */
export async function makeForecasts(url) {
  const pool = new Pool({ connectionString: url, max: 3 });
  await new Forecasting(pool, Date.now, 0).run();
  await pool.end();
}

/** Reads of one tank while the service makes the first forecasts, and after it. */
async function readBeside(pool, url, { seconds }) {
  await pool.query('delete from tank_forecasts');
  const key = (await runCli(['keys', 'create', '--name', 'reader'], url)).trim();
  const paths = (await pool.query('select id from tanks limit 200')).rows.map(({ id }) => `/v1/tanks/${id}`);
  const service = await startServer('service', { url, key });
  const generator = startGenerator();
  const read = () =>
    generator.load(service, { paths, accept: 'application/json', expected: [], connections: 16, seconds });
  await read(); // warm
  const begun = await made(pool);
  const whileMade = await read();
  const ended = await made(pool);
  for (let before = -1, now = ended; now !== before; now = await made(pool)) {
    before = now;
    await sleep(2_000);
  }
  const alone = await read();
  await service.stop();
  return { rate: whileMade.rate, alone: alone.rate, made: ended - begun };
}

async function made(pool) {
  return Number((await pool.query('select count(*) from tank_forecasts')).rows[0].count);
}

async function fill(url, { tanks, days }, now, tell) {
  const pool = new Pool({ connectionString: url, max: 1 });
  await pool.query(
    `insert into customers (id, created_at, email, name) values ('c', now(), 'c@example.com', 'C')`,
  );
  await pool.query(
    `insert into tanks (id, created_at, owner_id, name, assigned_device_id, capacity, capacity_unit, min_fill_alert_percentage)
     select 't' || i, now(), 'c', 'T', 'd' || i, 100, 'liters', 20 from generate_series(1, $1::integer) i`,
    [tanks],
  );
  for (let from = 0; from < tanks; from += TANKS_AT_ONCE) {
    await addReadings(pool, from, from + TANKS_AT_ONCE, days * 4, now);
    if (from % 10_000 === 0) tell(`readings of ${from} tanks`);
  }
  await pool.query('analyze');
  await pool.end();
}

/** Four a day, each tank with a use of its own. */
async function addReadings(pool, after, last, count, now) {
  await pool.query(
    `insert into telemetry (tank_key, created_at, fill_percentage)
     select key, $1::timestamptz - i * interval '6 hours', 20 + ((i * 0.1 * (1 + key % 9))::numeric % 70)::float8
     from tanks, generate_series(0, $2::integer - 1) i where key > $3 and key <= $4
     on conflict do nothing`,
    [new Date(now), count, after, last],
  );
}

async function measure(work) {
  const started = performance.now();
  const used = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(used);
  return {
    seconds: Number(((performance.now() - started) / 1000).toFixed(3)),
    processor: Number(((user + system) / 1e6).toFixed(1)),
  };
}
