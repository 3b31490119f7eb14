// Too many at once, and too slow: clients that stall, and thousands that come together.
import { afterEach, describe, expect, it } from '@jest/globals';
import { startService } from '../support/app.js';
import { createFleet } from './support/fleet.js';
import { expectOnly, expectSound, shareOf } from './support/judgement.js';
import { Load } from './support/load.js';
import { lockTable } from './support/own-postgres.js';
import { ask } from './support/requests.js';
import { ServiceProcess } from './support/service-process.js';
import { newDatabase } from './support/stage.js';
import { until } from './support/until.js';
import { Wire } from './support/wire.js';

const database = await newDatabase();
const fleet = await createFleet(database.url);
const service = await ServiceProcess.start({ DATABASE_URL: database.url });

afterEach(() => expectSound(service));

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

it('more requests than may wait are told so at once, while those that wait are still waiting', async () => {
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

  expectOnly([200, 503], load.outcomes);
});
