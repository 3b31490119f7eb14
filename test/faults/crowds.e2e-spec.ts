// Too many at once, and too slow: clients that stall, and thousands that come together.
import { afterEach, describe, expect, it } from '@jest/globals';
import { startService } from '../support/app.js';
import { createFleet } from './support/fleet.js';
import { expectOnly, expectSound, shareOf, tell } from './support/judgement.js';
import { Load } from './support/load.js';
import { lockTable } from './support/own-postgres.js';
import { ask, type Outcome } from './support/requests.js';
import { ServiceProcess } from './support/service-process.js';
import { newDatabase } from './support/stage.js';
import { until } from './support/until.js';
import { Wire } from './support/wire.js';

const database = await newDatabase();
const fleet = await createFleet(database.url);
const service = await ServiceProcess.start({ DATABASE_URL: database.url });

afterEach(() => expectSound(service));

/** Each on a connection of its own. Bare sockets cost this process less than an HTTP client: the crowd must not starve the service. */
async function askAtOnce(times: number): Promise<Outcome[]> {
  const asked = Array.from({ length: times }, async (_, i): Promise<Outcome> => {
    const path = fleet.paths[i % fleet.paths.length] ?? '/';
    const startedAt = performance.now();
    const head = `GET ${path} HTTP/1.1\r\nHost: tanks\r\nX-API-Key: ${fleet.key}\r\nConnection: close\r\n\r\n`;
    const wire = new Wire(service.url, head);
    await new Promise((resolve) => wire.socket.once('close', resolve));
    const milliseconds = performance.now() - startedAt;
    const nothing = { status: undefined, headers: {}, body: '' };
    return { path, startedAt, milliseconds, error: wire.error, ...nothing, ...wire.answers[0] };
  });
  return Promise.all(asked);
}

describe('clients that stall', () => {
  const unfinished = `GET /v1/tanks HTTP/1.1\r\nHost: tanks\r\nX-API-Key: ${fleet.key}\r\nX-Slow: `;
  const halfBody = `GET /v1/tanks HTTP/1.1\r\nHost: tanks\r\nX-API-Key: ${fleet.key}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 6\r\n\r\npa`;

  it.each([
    ['in their headers', unfinished, ''],
    ['in their body', halfBody, 'request_timeout'],
  ])('%s are sent away, and the others are served meanwhile', async (_, beginning, code) => {
    const stalled = Array.from({ length: 400 }, () => new Wire(service.url, beginning));
    await until('all 400 are connected', () => stalled.every(({ wasConnected }) => wasConnected));

    const load = new Load(service, fleet, 5);
    await load.seen(200, 200);
    await until('the stalled are sent away', () => stalled.every(({ isClosed }) => isClosed));
    await load.stop();

    tell('beside 400 stalled clients', load.outcomes);
    expectOnly([200], load.outcomes);
    expect(new Set(stalled.map(({ statuses }) => String(statuses)))).toEqual(new Set(['408']));
    expect(stalled[0]?.answers[0]?.body).toContain(code);
  });

  it('without having sent anything are closed without a word, as browsers that connect ahead of need expect', async () => {
    const silent = new Wire(service.url, '');
    await until('it is sent away', () => silent.isClosed);
    expect([silent.answers, silent.rest]).toEqual([[], '']);
  });
});

describe('3,000 requests at once', () => {
  it('are all answered, and some of them served', async () => {
    const outcomes = await askAtOnce(3_000);

    tell('3,000 at once', outcomes);
    expectOnly([200, 503], outcomes);
    expect(shareOf(200, outcomes)).toBeGreaterThan(0);
  });
});

describe('more requests than may wait', () => {
  it('are told so at once, while those that wait are still waiting', async () => {
    const maxWaiting = 40;
    const small = await startService({
      database,
      // Long enough that nobody's time is over when we look.
      environment: { DATABASE_POOL_SIZE: '2', ANSWER_TIMEOUT_MS: '60000' },
      adjust: (config) => ({ ...config, limits: { ...config.limits, maxWaitingRequests: maxWaiting } }),
    });
    // The key is known from here on, so that every request below waits for the same thing.
    expectOnly([200], [await ask(small.url, { path: '/v1/customers', headers: fleet.headers })]);
    const unlock = await lockTable(database.url, 'tanks');

    const load = new Load(small, fleet, 200);
    const refusals = () => load.outcomes.filter(({ body }) => body.includes('"overloaded"'));
    await until('100 are told so', () => refusals().length >= 100);
    expect(shareOf(200, load.outcomes)).toBe(0);
    await unlock();
    const unlockedAt = performance.now();
    await load.seen(200, maxWaiting, 0);
    await load.seen(200, 100, unlockedAt);
    await load.stop();

    tell('200 clients where 40 may wait', load.outcomes);
    expectOnly([200, 503], load.outcomes);
  });
});
