// SIGTERM: not ready at once, nothing in flight lost, a polite good-bye on every connection, exit 0 in time.
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { Agent } from 'node:http';
import { createFleet } from './support/fleet.js';
import { codesOf, expectOnly, tell } from './support/judgement.js';
import { Load } from './support/load.js';
import { OwnPostgres } from './support/own-postgres.js';
import { ask, type Outcome } from './support/requests.js';
import { ServiceProcess, type Environment } from './support/service-process.js';
import { Stage } from './support/stage.js';
import { until } from './support/until.js';

const DELAY_MS = 1_000;
const GRACE_MS = 8_000;
/** What a busy machine may add to any of them. */
const SLACK_MS = 3_000;

const stage = new Stage();
afterAll(() => stage.clear());

const postgres = stage.add(await OwnPostgres.start());
const fleet = await createFleet(postgres.url);
const lockedPath = '/v1/tanks';

async function startService(environment: Environment = {}): Promise<ServiceProcess> {
  return stage.add(
    await ServiceProcess.start({
      DATABASE_URL: postgres.url,
      SHUTDOWN_DELAY_MS: String(DELAY_MS),
      SHUTDOWN_GRACE_MS: String(GRACE_MS),
      ...environment,
    }),
  );
}

/** Sends the signal and returns how the process ended and how long that took. */
async function endBy(signal: NodeJS.Signals, service: ServiceProcess, deadlineMs: number) {
  const signalledAt = performance.now();
  service.child.signal(signal);
  await until(`the service ends on ${signal}`, () => !service.child.isRunning, deadlineMs);
  return { ...(await service.child.ended), afterMs: Math.round(performance.now() - signalledAt) };
}

/** Requests that wait for a lock, and whether their statements have reached the database. */
async function waitForLockedReads(count: number): Promise<void> {
  await until(`${count} reads wait for the lock`, async () => {
    const waiting = await postgres.query(
      `select 1 from pg_stat_activity where application_name = 'tank-monitoring-api' and wait_event_type = 'Lock'`,
    );
    return waiting.length === count;
  });
}

describe('SIGTERM under load', () => {
  it('loses nothing, says good-bye on every connection, and ends with 0', async () => {
    // Time enough for each client to come by once more, however slow the machine.
    const delayMs = 3 * DELAY_MS;
    const service = await startService({ SHUTDOWN_DELAY_MS: String(delayMs) });
    const load = stage.add(
      new Load({ serviceUrl: service.url, paths: fleet.paths, headers: fleet.headers, clients: 20 }),
    );
    await load.seen(200, 100);
    const readiness = [await ask(service.url, { path: '/health/ready' })];

    const ending = endBy('SIGTERM', service, delayMs + GRACE_MS);
    await until('it is not ready any more', async () => {
      const answer = await ask(service.url, { path: '/health/ready' });
      readiness.push(answer);
      return answer.status === 503;
    });
    const { code, afterMs } = await ending;
    await load.stop();

    tell('SIGTERM under load', load.outcomes, `exit ${code} after ${afterMs} ms`);
    expect(code).toBe(0);
    expectOnly([200], load.outcomes);
    // Each of the 20 was told before its connection was closed, none found it closed.
    const farewells = load.outcomes.filter(({ headers }) => headers.connection === 'close');
    expect(farewells).toHaveLength(20);
    expectOnly([200, 503], readiness);
    expect(codesOf(readiness)).toEqual(['shutting_down']);
    expect(await service.child.stderr()).toBe('');
  });

  it('waits for the requests in flight, and ends as soon as they are answered', async () => {
    const service = await startService({ SHUTDOWN_DELAY_MS: '0', DATABASE_LOCK_TIMEOUT_MS: '4000' });
    const agent = new Agent({ keepAlive: true });
    const unlock = await postgres.lock('tanks');
    const inFlight: Promise<Outcome>[] = Array.from({ length: 5 }, () =>
      ask(service.url, { path: lockedPath, headers: fleet.headers, agent }),
    );
    await waitForLockedReads(5);

    service.child.signal('SIGTERM');
    await until('no new connection is accepted', async () => {
      const { error } = await ask(service.url, { path: '/health/live' });
      return error === 'ECONNREFUSED';
    });
    await unlock();
    const unlockedAt = performance.now();
    const outcomes = await Promise.all(inFlight);
    const { code } = await service.child.ended;
    const afterMs = performance.now() - unlockedAt;
    agent.destroy();

    tell('in flight at SIGTERM', outcomes, `exit ${code} ${Math.round(afterMs)} ms after the last`);
    expectOnly([200], outcomes);
    expect(code).toBe(0);
    expect(outcomes.map(({ headers }) => headers.connection)).toEqual(Array(5).fill('close'));
    // Kept-alive connections that nobody uses any more do not hold it up until the grace is over.
    expect(afterMs).toBeLessThan(SLACK_MS);
  });

  it('ends at once on a second signal', async () => {
    const service = await startService({ SHUTDOWN_GRACE_MS: '60000', SHUTDOWN_DELAY_MS: '60000' });
    const first = performance.now();
    service.child.signal('SIGTERM');
    await until('it is not ready any more', async () => {
      const { status } = await ask(service.url, { path: '/health/ready' });
      return status === 503;
    });
    const { code, signal, afterMs } = await endBy('SIGTERM', service, SLACK_MS);

    tell('two signals', [], `exit ${code ?? signal} ${afterMs} ms after the second`);
    expect(performance.now() - first).toBeLessThan(60_000);
    expect({ code, signal }).toEqual({ code: 1, signal: null });
  });
});

describe('SIGTERM while the database does not answer', () => {
  afterEach(() => postgres.thaw());

  it('answers the requests in flight, and ends within the grace', async () => {
    const service = await startService();
    expectOnly([200], [await ask(service.url, { path: '/v1/customers', headers: fleet.headers })]);
    await postgres.freeze();
    const load = stage.add(
      new Load({ serviceUrl: service.url, paths: fleet.paths, headers: fleet.headers, clients: 20 }),
    );

    const { code, signal, afterMs } = await endBy('SIGTERM', service, DELAY_MS + GRACE_MS + SLACK_MS);
    await load.stop();

    tell('SIGTERM while frozen', load.outcomes, `exit ${code ?? signal} after ${afterMs} ms`);
    expectOnly([503], load.outcomes);
    expect({ code, signal }).toEqual({ code: 0, signal: null });
  });

  it('ends within the grace with nobody asking, though a last use is left to write down', async () => {
    const service = await startService();
    expectOnly([200], [await ask(service.url, { path: '/v1/customers', headers: fleet.headers })]);
    await postgres.freeze();

    const { code, signal, afterMs } = await endBy('SIGTERM', service, DELAY_MS + GRACE_MS + SLACK_MS);
    tell('SIGTERM while frozen, idle', [], `exit ${code ?? signal} after ${afterMs} ms`);
    expect({ code, signal }).toEqual({ code: 0, signal: null });
  });
});
