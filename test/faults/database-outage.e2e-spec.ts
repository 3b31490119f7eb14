// The database goes away in every way it can, under load. One process lives through all of it, and recovers by itself.
import { afterEach, expect, it } from '@jest/globals';
import { createFleet } from './support/fleet.js';
import { codesOf, expectOnly, expectSound, shareOf } from './support/judgement.js';
import { Load } from './support/load.js';
import { OwnPostgres } from './support/own-postgres.js';
import { ServiceProcess, type LogLine } from './support/service-process.js';
import { until } from './support/until.js';

const postgres = await OwnPostgres.start();
const fleet = await createFleet(postgres.url);
const service = await ServiceProcess.start({ DATABASE_URL: postgres.url });

const telemetry = `/v1/tanks/${fleet.tankId}/telemetry`;

function startLoad(paths = fleet.paths, clients = 20): Load {
  return new Load(service, { paths, headers: fleet.headers }, clients);
}

/** What an orchestrator sees. */
function startProbe(path: '/health/live' | '/health/ready'): Load {
  return new Load(service, { paths: [path] }, 1, 50);
}

async function stopAll(...loads: readonly Load[]): Promise<void> {
  await Promise.all(loads.map((load) => load.stop()));
}

async function wordsOnReadiness(writer: ServiceProcess): Promise<LogLine[]> {
  return (await writer.logLines()).filter(({ msg = '' }) => /^not ready|^what is accepted can/.test(msg));
}

afterEach(() => expectSound(service));

it('PostgreSQL that is killed and comes back costs callers a 503, and is served from again', async () => {
  const [load, live, ready] = [startLoad(), startProbe('/health/live'), startProbe('/health/ready')];
  await load.seen(200, 100);
  await ready.seen(200, 1);

  await postgres.kill();
  const killedAt = performance.now();
  await load.seen(503, 200, killedAt);
  await ready.seen(503, 3, killedAt);
  const duringOutage = load.since(killedAt);

  await postgres.bringUp();
  const backAt = performance.now();
  await ready.seen(200, 1, backAt);
  await load.seen(200, 1, backAt);
  await load.served(100, backAt);
  await stopAll(load, live, ready);

  expectOnly([200, 503], load.outcomes);
  expect(codesOf(load.outcomes)).toEqual(['database_unavailable']);
  expect(shareOf(200, duringOutage)).toBe(0);
  expectOnly([200], live.outcomes);
  expectOnly([200, 503], ready.outcomes);
});

it('that every connection to PostgreSQL is cut, again and again, is noticed by next to nobody', async () => {
  const load = startLoad();
  let cut = 0;
  for (let round = 1; round <= 20; round++) {
    await until('the load goes on', () => load.outcomes.length >= round * 100);
    cut += await postgres.cutConnections();
  }
  await until('the load goes on', () => load.outcomes.length >= 2_200);
  await load.stop();

  expect(cut).toBeGreaterThanOrEqual(100);
  expectOnly([200, 503], load.outcomes);
  expect(shareOf(200, load.outcomes)).toBeGreaterThanOrEqual(0.99);
});

it('a table that is locked is a 503 in bounded time for what needs it, while everything else is served', async () => {
  const unlock = await postgres.lock('telemetry');
  // Fewer than the pool has connections, so that some are left for the others and for the service itself.
  const [blocked, others] = [startLoad([telemetry], 4), startLoad(['/v1/customers', '/v1/tanks'], 4)];
  await blocked.seen(503, 8);
  await others.seen(200, 50);
  await unlock();
  const unlockedAt = performance.now();
  await blocked.seen(200, 20, unlockedAt);
  await stopAll(blocked, others);

  expectOnly([200, 503], blocked.outcomes);
  expect(codesOf(blocked.outcomes)).toEqual(['database_unavailable']);
  expectOnly([200], blocked.since(unlockedAt));
  expectOnly([200], others.outcomes);
});

it('PostgreSQL that stops answering without closing a connection is a 503 in bounded time, and is served from again after its return', async () => {
  const [load, live, ready] = [startLoad(), startProbe('/health/live'), startProbe('/health/ready')];
  await load.seen(200, 100);

  await postgres.freeze();
  const frozenAt = performance.now();
  await load.seen(503, 25, frozenAt);
  await ready.seen(503, 1, frozenAt);
  await postgres.thaw();
  const thawedAt = performance.now();
  await load.served(100, thawedAt);
  await stopAll(load, live, ready);

  expectOnly([200, 503], load.outcomes);
  expect(codesOf(load.outcomes)).toContain('database_unavailable');
  expectOnly([200], live.outcomes);
  expectOnly([200, 503], ready.outcomes);
});

it('a service whose role that writes is refused is no longer ready, says why in one line, and is ready again with the role', async () => {
  await postgres.query("create role writer superuser login password 'of-writer'");
  const url = new URL(postgres.url);
  [url.username, url.password] = ['writer', 'of-writer'];
  const writer = await ServiceProcess.start({ DATABASE_URL: postgres.url, INGEST_DATABASE_URL: url.href });
  expectOnly([200], [await writer.ready()]);

  await postgres.query('alter role writer nologin');
  await postgres.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'writer'");
  let answer = await writer.ready();
  await until('it is not ready', async () => (answer = await writer.ready()).status !== 200);
  expectOnly([503], [answer]);
  expect(JSON.parse(answer.body)).toMatchObject({
    code: 'not_ready',
    detail:
      'The database that readings are written to cannot be reached, or refuses the login; the log says more.',
  });
  expectOnly([200], [await writer.get('/v1/tanks', fleet.key)]);
  await postgres.query('alter role writer login');
  await until('it is ready', async () => (await writer.ready()).status === 200);
  await until('it has said so', async () => (await wordsOnReadiness(writer)).length === 2);

  expect(await wordsOnReadiness(writer)).toEqual([
    expect.objectContaining({
      level: 'error',
      msg: expect.stringMatching(
        /^not ready: The database at .*role "writer" is not permitted to log in.* Check INGEST_DATABASE_URL\.$/,
      ),
    }),
    expect.objectContaining({ level: 'info', msg: 'what is accepted can be written now' }),
  ]);
  await expectSound(writer);
});
