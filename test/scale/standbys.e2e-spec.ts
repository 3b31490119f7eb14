// Beside two streaming standbys: they take the reads, the primary steps in for one that is gone, too old or busy recovering, and
// a key ends everywhere when it is revoked.
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { StandbyReads } from '../../src/platform/database/standby-reads.js';
import { announcedDetour, execute, query } from '../support/database.js';
import { Browser } from '../support/identity.js';
import { watchStandbys } from '../support/standbys.js';
import { hasDebianPostgres, type DebianPostgres } from '../faults/support/debian-postgres.js';
import { createKey, type Fleet } from '../faults/support/fleet.js';
import { expectOnly, expectSound } from '../faults/support/judgement.js';
import { Load } from '../faults/support/load.js';
import { freePort } from '../faults/support/ports.js';
import { metricsAt } from '../faults/support/requests.js';
import { sendReading } from '../faults/support/senders.js';
import { ServiceProcess } from '../faults/support/service-process.js';
import { until } from '../faults/support/until.js';
import { contractFailures } from './support/contract.js';
import { caughtUp, DATABASE, startPrimary, startStandbys } from './support/replication.js';

const MAX_LAG_SECONDS = 30;

let primary: DebianPostgres;
let standbys: readonly [DebianPostgres, DebianPostgres];
let fleet: Fleet;
let sender: string;
let service: ServiceProcess;
let metricsPort: number;

const askFor = (path: string, key = fleet.key) => service.get(path, key);
/** None of them shows what is written meanwhile. */
async function whilePaused(action: () => Promise<void>): Promise<void> {
  await Promise.all(standbys.map((standby) => standby.pauseReplay()));
  try {
    await action();
  } finally {
    await Promise.all(standbys.map((standby) => standby.resumeReplay()));
  }
  await areInUse(true, true);
}

interface Health {
  readonly standbys: { in_use: boolean }[];
}

function areInUse(...wanted: boolean[]): Promise<void> {
  return until(`standbys in use: ${wanted.join()}`, async () => {
    const { standbys: told } = JSON.parse((await service.ready()).body) as Health;
    return told.map(({ in_use }) => in_use).join() === wanted.join();
  });
}

let minute = 0;
async function sendNew(): Promise<string> {
  const instant = new Date(Date.UTC(2026, 5, 1) + (minute += 1) * 60_000).toISOString();
  const { status, body } = await sendReading(service.url, sender, fleet.tankId, instant);
  expect({ status, body }).toMatchObject({ status: 200 });
  return instant;
}

async function newest(): Promise<string> {
  const { body } = await askFor(`/v1/tanks/${fleet.tankId}/telemetry?size=1`);
  return (JSON.parse(body) as { data: { created_at: string }[] }).data[0]?.created_at ?? '';
}

const described = hasDebianPostgres ? describe : describe.skip;
described("beside standbys (skipped without Debian's postgresql-15)", () => {
  beforeAll(async () => {
    ({ primary, fleet } = await startPrimary());
    sender = await createKey(primary.url(DATABASE), { scopes: ['telemetry:write'] });
    standbys = await startStandbys(primary.port);
    metricsPort = await freePort();
    service = await ServiceProcess.start({
      DATABASE_URL: primary.url(DATABASE),
      DATABASE_READ_URLS: standbys.map((standby) => standby.url(DATABASE)).join(', '),
      METRICS_PORT: String(metricsPort),
    });
  });
  afterEach(() => expectSound(service));

  it('reads go to the standbys in turn, and readings to the primary', async () => {
    const instant = await sendNew();
    await until('the reading is read', async () => (await newest()) === instant);
    for (let turn = 0; turn < 4; turn++) await newest();

    const busy = await Promise.all(
      [...standbys, primary].map((server) =>
        query(
          server.url(DATABASE),
          "select from pg_stat_activity where application_name = 'tank-monitoring-api' and query like '%telemetry_page%'",
        ),
      ),
    );
    expect(busy.map((sessions) => sessions.length > 0)).toEqual([true, true, false]);
  });

  it('one that lags too far is left out, told in metrics and readiness, and used again when it has caught up', async () => {
    await standbys[0].pauseReplay();
    const instant = await sendNew();
    await areInUse(false, true);

    const seen = await Promise.all(Array.from({ length: 20 }, newest));
    expect(new Set(seen)).toEqual(new Set([instant]));
    const metrics = await metricsAt(metricsPort);
    expect(metrics).toMatch(/^database_standby_in_use\{standby="1"\} 0$/m);
    expect(metrics).toMatch(/^database_standby_in_use\{standby="2"\} 1$/m);
    const lag = Number(/^database_replication_lag_seconds\{standby="1"\} (.*)$/m.exec(metrics)?.[1]);
    expect(lag).toBeGreaterThan(MAX_LAG_SECONDS);

    await standbys[0].resumeReplay();
    await areInUse(true, true);
  });

  it('a key that is made or revoked is known at once however far they lag', async () => {
    await whilePaused(async () => {
      const key = await createKey(primary.url(DATABASE));
      expect((await askFor('/v1/tanks', key)).status).toBe(200);

      const revoke = 'update api_keys set revoked_at = now() where prefix = $1';
      await execute(primary.url(DATABASE), revoke, [key.slice(0, key.indexOf('.'))]);

      await until('the key is refused', async () => (await askFor('/v1/tanks', key)).status === 401);
    });
  });

  it('one that is behind is asked about keys no more, though it may be read from', async () => {
    const { standbys: watched } = await watchStandbys(primary.url(DATABASE), [standbys[0].url(DATABASE)]);
    expect(watched.nextFresh()?.number).toBe(1);
    await whilePaused(async () => {
      await sendNew();
      await until('it is not fresh', () => watched.nextFresh() === undefined);
      expect(watched.next()?.number).toBe(1);
    });
  });

  it('those with a recent change are read from when the primary is a standby itself', async () => {
    await sendNew();
    await caughtUp(primary, standbys[1]);
    const [place, other] = standbys.map((standby) => standby.url(DATABASE)) as [string, string];
    const { standbys: watched } = await watchStandbys(place, [other]);
    expect([watched.primaryIsAway, watched.next()?.number]).toEqual([true, 1]);
  });

  it('who signs in is let in at once however far they lag, and a key that is made over HTTP is listed', async () => {
    await whilePaused(async () => {
      const key = await createKey(primary.url(DATABASE), { scopes: ['read', 'keys'] });
      const browser = new Browser(service.url);
      const post = (path: string, body: object) => browser.statusOf(path, { method: 'POST', body });

      expect(await post('/auth/key', { key })).toBe(200);
      expect(await browser.statusOf('/v1/me')).toBe(200);
      expect(await post('/v1/keys', { name: 'made in a session' })).toBe(201);
      expect(await (await browser.ask('/v1/keys')).text()).toContain('made in a session');
      expect(await post('/auth/logout', {})).toBe(204);
      expect(await browser.statusOf('/v1/me')).toBe(401);
    });
  });

  it('a read that recovery cancels is answered by another server', async () => {
    await execute(primary.url(DATABASE), 'create table looked_at (n int)');
    await standbys[0].set('max_standby_streaming_delay', '0');
    await caughtUp(primary, standbys[0]);
    const url = primary.url(DATABASE);
    const { pools, standbys: watched } = await watchStandbys(url, [standbys[0].url(DATABASE)]);
    const reads = new StandbyReads(pools.primary.reads, watched, 10);
    const isLookedAt = async () => {
      const looking = await query(
        standbys[0].url(DATABASE),
        "select from pg_locks where relation = 'looked_at'::regclass and mode = 'AccessShareLock'",
      );
      return looking.length > 0;
    };

    const slow = {
      name: 'slow',
      text: 'select count(*) as n, count(pg_sleep(1)) from looked_at right join (values (1)) v (n) using (n)',
    };
    const rows = reads.rows<{ n: number }>(slow, []);
    await until('the standby is asked', isLookedAt);
    await execute(url, 'alter table looked_at add column m int');

    expect(await rows).toMatchObject([{ n: 1 }]);
    await until('it was cancelled', async () => {
      const [row] = await query<{ n: number }>(
        standbys[0].url(DATABASE),
        'select sum(confl_lock)::int as n from pg_stat_database_conflicts',
      );
      return (row?.n ?? 0) > 0;
    });
  });

  it('while the primary is away reads go on until they would be too old; with it, all comes back', async () => {
    expect((await askFor('/v1/tanks')).status).toBe(200);
    const lateKey = await createKey(primary.url(DATABASE));
    await Promise.all(standbys.map((standby) => caughtUp(primary, standby)));
    const load = new Load(service, fleet, 3);
    await load.seen(200, 20);

    await primary.crash();
    const awayAt = performance.now();
    await load.seen(200, 20, awayAt);
    const late = await askFor('/v1/tanks', lateKey);
    const sent = await sendReading(service.url, sender, fleet.tankId, '2026-08-01T10:00:00Z');
    await load.seen(503, 5, awayAt);
    const oldAt = performance.now();
    await primary.bringUp();
    const backAt = performance.now();
    await load.seen(200, 20, backAt);
    await areInUse(true, true);
    await load.stop();

    expect(late.status).toBe(200);
    expect(sent.status).toBe(503);
    expectOnly(
      [200],
      load.outcomes.filter(({ startedAt }) => startedAt < awayAt + MAX_LAG_SECONDS * 500),
    );
    expectOnly([200, 503], load.outcomes);
    expect(oldAt - awayAt).toBeGreaterThan(MAX_LAG_SECONDS * 500);
  });

  it('the contract holds, where a write waits for the standbys', async () => {
    // With this, what is committed can be read on the standbys: tests that read what they wrote need not know of them.
    await primary.set('synchronous_commit', 'remote_apply');
    await primary.set('synchronous_standby_names', 'FIRST 2 (standby_1, standby_2)');

    const failures = await contractFailures(
      {
        TEST_DATABASE_URL: primary.url('postgres'),
        ...announcedDetour({ standbyPorts: standbys.map(({ port }) => port) }),
      },
      // Changes are given out a moment later, when every standby is known to have them: changes.e2e-spec beside this one.
      '--testPathIgnorePatterns=test/changes',
      // Cut off from the primary alone, the service goes on; and readiness has more to tell here. Both are tested above. What tells followers: as above.
      '--testNamePattern',
      '^(?!a database out of reach|GET /health/ready says ok|.* tells followers)',
    );
    expect(failures).toEqual([]);
  }, 1_800_000);
});
