// Reads beside standbys: the same service with its reads at the primary, and at two streaming standbys. All servers share this
// machine's processors, so the ratio shows what the detour costs, not what more machines give.
import { DATABASE, hasDebianPostgres, startPostgres, startStandby } from './debian-postgres.js';
import { runCli } from './cli.js';
import { buildData } from './data.js';
import { query } from './database.js';
import { startGenerator } from './load.js';
import { median } from './results.js';
import { startServer } from './servers.js';

const DATA = { customers: 200, tanks: 1_000, readings: 40_000, big: 20_000, small: 1_000 };
const ROUNDS = 3;
const SECONDS = 2;

export async function measureStandbys() {
  if (!hasDebianPostgres) return { skipped: "needs Debian's PostgreSQL 15" };
  const primary = await startPostgres('primary', ['wal_level=replica']);
  await query(primary.url('postgres'), `create database ${DATABASE}`);
  const url = primary.url(DATABASE);
  await runCli(['migrate'], url);
  await buildData(url, DATA);
  const key = (await runCli(['keys', 'create', '--name', 'benchmark'], url)).trim();
  const standbys = [await startStandby('standby-1', primary), await startStandby('standby-2', primary)];
  const alone = await startServer('service', { url, key });
  process.env.DATABASE_READ_URLS = standbys.map((standby) => standby.url(DATABASE)).join(',');
  const beside = await startServer('service', { url, key });
  delete process.env.DATABASE_READ_URLS;

  const [tank] = await query(url, 'select id from tanks where not deleted order by key limit 1');
  const generator = startGenerator();
  const load = async (server, path) => {
    const job = {
      paths: [path],
      accept: 'application/json',
      expected: [],
      connections: 16,
      seconds: SECONDS,
    };
    return (await generator.load(server, job)).rate;
  };
  const rows = [];
  for (const [what, path] of [
    ['tank by id', `/v1/tanks/${tank.id}`],
    ['customers ×10, page 1', '/v1/customers?page=1&size=10'],
    ['fleet, page 1 by fill', '/v1/fleet/tanks'],
  ]) {
    const rates = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const run = { alone: await load(alone, path), beside: await load(beside, path) };
      if (round > 0) rates.push(run); // the first one warms
    }
    const rate = (name) => Math.round(median(rates.map((run) => run[name]))).toLocaleString('en');
    rows.push({
      what,
      ratio: median(rates.map((run) => run.beside / run.alone)),
      detail: `${rate('beside')} requests/s instead of ${rate('alone')}`,
    });
  }
  return rows;
}
