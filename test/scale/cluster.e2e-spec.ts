// The database on a real Citus cluster, a coordinator with two workers: made a distributed one with and without data, also after a
// preparation that broke off; and everything that was promised holds there.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Agent as HttpAgent } from 'node:http';
import type { Pool } from 'pg';
import { DebianPostgres, hasDebianPostgres } from '../faults/support/debian-postgres.js';
import { createKey } from '../faults/support/fleet.js';
import { ask, type Outcome } from '../faults/support/requests.js';
import { ServiceProcess } from '../faults/support/service-process.js';
import { stage } from '../faults/support/stage.js';
import { insertFleetOf, insertReadings } from '../support/builders.js';
import { runCli, type CliResult } from '../support/cli.js';
import { contentsOf } from '../support/contents.js';
import {
  createCitusDatabase,
  databaseUrl,
  execute,
  joinNodes,
  openPool,
  query,
} from '../support/database.js';
import type { CitusNodes } from '../support/database.js';
import { judgeAll } from '../../src/alerts/judging.js';
import { contractFailures } from './support/contract.js';

const hasCitus = hasDebianPostgres && existsSync('/usr/share/postgresql/15/extension/citus.control');

const NEEDS_CITUS =
  "skipped: needs the extension Citus 13 in Debian's PostgreSQL 15 (/usr/share/postgresql/15/extension/citus.control)";

/** Few shards, so that a database is made quickly: the databases of specs are many and small. */
const SETTINGS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_connections: '300',
  max_prepared_transactions: '300',
  'citus.shard_count': '4',
};

class CitusCluster {
  private constructor(
    readonly coordinator: DebianPostgres,
    readonly workers: readonly DebianPostgres[],
  ) {}

  static async start(): Promise<CitusCluster> {
    const coordinator = await DebianPostgres.start(SETTINGS);
    const workers = [await DebianPostgres.start(SETTINGS), await DebianPostgres.start(SETTINGS)];
    return new CitusCluster(coordinator, workers);
  }

  get nodes(): CitusNodes {
    return {
      coordinator: this.coordinator.url('postgres'),
      workers: this.workers.map((worker) => worker.url('postgres')),
    };
  }

  /** Without a table, on all nodes. Returns its URL on the coordinator. */
  async createDatabase(name: string): Promise<string> {
    await createCitusDatabase(this.nodes, name);
    return databaseUrl(this.nodes.coordinator, name);
  }
}

let cluster: CitusCluster;
beforeAll(async () => {
  if (hasCitus) cluster = await CitusCluster.start();
});

let databases = 0;
const newDatabase = () => cluster.createDatabase(`tanks_${(databases += 1)}`);

async function migrated(): Promise<string> {
  const url = await newDatabase();
  expect(await runCli(url, 'migrate')).toMatchObject({ code: 0 });
  return url;
}

async function prepared(): Promise<string> {
  const url = await migrated();
  expect(await prepare(url)).toMatchObject({ code: 0 });
  return url;
}

const prepare = (url: string, ...options: string[]) => runCli(url, 'cluster', 'prepare', ...options);
const NOTHING_TO_DO = 'The database is a distributed one already: nothing to do.\n';

function poolOf(url: string): Pool {
  const pool = openPool(url);
  stage.add({ stop: () => pool.end() });
  return pool;
}

const TANKS = 30;
const DAYS = 20;
const tankId = (number: number) => `tank-${number}`;

async function fillTanks(sql: Pool): Promise<void> {
  await insertFleetOf(sql, { ours: Array.from({ length: TANKS }, (_, i) => tankId(i)) });
}

/** Readings every few hours of most tanks, some of them low. */
async function fillReadings(sql: Pool): Promise<void> {
  for (let tank = 0; tank < TANKS - 2; tank++) {
    const readings = Array.from({ length: DAYS * 5 }, (_, i) => ({
      created_at: new Date(Date.UTC(2026, 0, 1) + i * 17_000_000 + tank).toISOString(),
      fill_percentage: (tank * 7 + i) % 100,
    }));
    await insertReadings(sql, tankId(tank), readings);
  }
}

/** Everything the service keeps beside what was given to it. */
async function keptIn(sql: Pool): Promise<object> {
  const { rows: states } = await sql.query('select * from tank_states order by tank_id');
  const { rows: counts } = await sql.query(
    'select tank_key, level, start::text, n from telemetry_counts order by 1, 2, 3',
  );
  return { ...(await contentsOf(sql)), states, counts };
}

const verified = (url: string): Promise<CliResult> => runCli(url, 'counts', 'verify');
const RIGHT = { code: 0, stderr: 'All counts are right.\n' };

const described = hasCitus ? describe : describe.skip;

described(`cluster prepare (${hasCitus ? 'Citus' : NEEDS_CITUS})`, () => {
  it('says what is missing, and how to get it', async () => {
    await execute(cluster.coordinator.url('postgres'), 'create database plain');
    const plain = cluster.coordinator.url('plain');
    expect(await prepare(plain)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('create extension citus'),
    });

    await execute(plain, 'create extension citus');
    expect(await prepare(plain)).toMatchObject({ code: 1, stderr: expect.stringContaining('migrate') });

    await runCli(plain, 'migrate');
    const { code, stderr } = await prepare(plain);
    expect(code).toBe(1);
    expect(stderr).toContain('citus_set_coordinator_host');
    expect(stderr).toContain('citus_add_node');
  });

  it('prints the SQL instead, which does the same', async () => {
    const url = await migrated();

    const { code, stdout } = await prepare(url, '--dry-run');
    expect(code).toBe(0);
    expect(await query(url, 'select from pg_dist_partition')).toEqual([]);

    execFileSync('psql', ['--no-psqlrc', '--set=ON_ERROR_STOP=1', '--dbname', url], { input: stdout });
    expect(await prepare(url)).toMatchObject({ code: 0, stderr: NOTHING_TO_DO });
  });

  it('takes a database that was on one machine before, keeps all of it, and moves the readings to the workers', async () => {
    const { coordinator, workers } = cluster.nodes;
    for (const node of [coordinator, ...workers]) await execute(node, 'create database grown');
    const url = databaseUrl(coordinator, 'grown');
    await runCli(url, 'migrate');
    const sql = poolOf(url);
    await fillTanks(sql);
    await fillReadings(sql);
    const before = await keptIn(sql);
    const page = `select * from telemetry_page('tank-1', null, '2026-01-02', '2026-01-09', 5, 10)`;
    const { rows: pageBefore } = await sql.query(page);

    await joinNodes(cluster.nodes, 'grown');
    expect(await prepare(url)).toMatchObject({ code: 0 });

    expect(await keptIn(sql)).toEqual(before);
    expect((await sql.query(page)).rows).toEqual(pageBefore);
    expect(await verified(url)).toMatchObject(RIGHT);
    const { rows } = await sql.query<{ here: number; nodes: number }>(`
      select pg_relation_size('telemetry')::int as here,
             (select count(distinct nodeport)::int from citus_shards where table_name = 'telemetry'::regclass) as nodes`);
    expect(rows).toEqual([{ here: 0, nodes: 2 }]);
  });

  it("is repeated by migrate, for functions that a migration has brought in one machine's form", async () => {
    const url = await prepared();
    // As after an upgrade: of another version, and with a plan that knows no values.
    await execute(
      url,
      `update installed_functions set hash = 'another' where name in ('readings_of', 'telemetry_page')`,
    );

    expect(await runCli(url, 'migrate')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/telemetry_page\(\) be planned with its values[^]*2 functions changed/),
    });
    expect(await prepare(url)).toMatchObject({ stderr: NOTHING_TO_DO });
  });
});

described('on a cluster', () => {
  let url: string;
  let sql: Pool;
  beforeAll(async () => {
    url = await prepared();
    sql = poolOf(url);
    await fillTanks(sql);
  });

  const start = async () => await ServiceProcess.start({ DATABASE_URL: url, WORKER: 'false' });
  const agent = new HttpAgent({ keepAlive: true });
  const send = (serviceUrl: string, key: string, readings: readonly object[]): Promise<Outcome> =>
    ask(serviceUrl, {
      path: '/v1/telemetry',
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ readings }),
      giveUpMs: 60_000,
      agent,
    });

  it('writers of the same tanks in any order all get through, and each event happens once', async () => {
    const services = [await start(), await start()];
    const key = await createKey(url, { scopes: ['telemetry:write'] });
    const now = Date.now();
    const reading = (tank: number, minute: number, fill: number) => ({
      tank_id: tankId(tank),
      created_at: new Date(now - minute * 60_000).toISOString(),
      fill_percentage: fill,
    });
    // Full before; then everybody reports that the tanks are low, each in another order.
    await send(
      services[0]?.url ?? '',
      key,
      [...Array(TANKS).keys()].map((tank) => reading(tank, 100, 25)),
    );
    const writers = Array.from({ length: 16 }, async (_, writer) => {
      const outcomes: Outcome[] = [];
      for (let round = 0; round < 6; round++) {
        const tanks = [...Array(TANKS).keys()].map((i) => (i * 7 + writer * 5) % TANKS);
        const readings = tanks.map((tank) => reading(tank, 90 - round * 16 + writer, 10));
        outcomes.push(await send(services[writer % 2]?.url ?? '', key, readings));
      }
      return outcomes;
    });
    const outcomes = (await Promise.all(writers)).flat();

    expect(new Set(outcomes.map(({ status, error }) => status ?? error))).toEqual(new Set([200]));
    await Promise.all([judgeAll(sql), judgeAll(sql)]);
    await judgeAll(sql); // what one of them left to the other
    const { rows } = await sql.query<{ tank_id: string; n: number }>(
      `select tank_id, count(*)::int as n from events where type = 'tank.low' group by tank_id`,
    );
    expect(rows).toHaveLength(TANKS);
    expect(rows.filter(({ n }) => n !== 1)).toEqual([]);
    expect(await verified(url)).toMatchObject(RIGHT);
    for (const service of services) await service.stop();
  });

  it('everything that was promised to callers and operators holds', async () => {
    const { coordinator, workers } = cluster.nodes;
    const failures = await contractFailures(
      {
        TEST_PREPARE: 'citus',
        TEST_DATABASE_URL: coordinator,
        TEST_WORKER_URLS: workers.join(','),
      },
      '--testPathIgnorePatterns=test/states.e2e-spec',
      `--testNamePattern=^(?!.*(${NOT_ON_A_CLUSTER.join('|')}))`,
    );
    expect(failures).toEqual([]);
  }, 1_800_000);
});

/** They write by hand what Citus refuses, as the table in docs/cluster.md says. So do all of states.e2e-spec. */
const NOT_ON_A_CLUSTER = [
  'after random writes from several connections at once',
  'is unknown for a silent tank and for one without readings',
  'a kill -9 in the middle has left everything exact, and another run does the rest',
];
