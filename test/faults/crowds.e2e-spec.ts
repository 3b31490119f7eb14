// Too many at once, and too slow: clients that stall, and thousands that come together.
import { afterEach, describe, expect, it } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { startService } from '../support/app.js';
import { askAtOnce } from './support/burst.js';
import { createFleet } from './support/fleet.js';
import { codesOf, expectOnly, expectSound, shareOf, tell } from './support/judgement.js';
import { Load } from './support/load.js';
import { lockTable } from './support/own-postgres.js';
import { ask } from './support/requests.js';
import { ServiceProcess } from './support/service-process.js';
import { newDatabase, stage } from './support/stage.js';
import { until } from './support/until.js';

const database = await newDatabase();
const fleet = await createFleet(database.url);
const service = await ServiceProcess.start({ DATABASE_URL: database.url });

afterEach(() => expectSound(service));

class StalledClient {
  received = '';
  isClosed = false;
  private readonly socket: Socket;

  /** Sends this much of a request, and then nothing more. */
  constructor(serviceUrl: string, beginning: string) {
    const { hostname, port } = new URL(serviceUrl);
    this.socket = connect(Number(port), hostname, () => this.socket.write(beginning));
    this.socket.on('data', (chunk) => (this.received += chunk.toString()));
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => (this.isClosed = true));
  }

  get isConnected(): boolean {
    return this.socket.readyState === 'open';
  }

  stop(): Promise<void> {
    this.socket.destroy();
    return Promise.resolve();
  }
}

describe('clients that stall', () => {
  const unfinished = `GET /v1/tanks HTTP/1.1\r\nHost: tanks\r\nX-API-Key: ${fleet.key}\r\nX-Slow: `;
  const halfBody = `GET /v1/tanks HTTP/1.1\r\nHost: tanks\r\nX-API-Key: ${fleet.key}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 6\r\n\r\npa`;

  it.each([
    ['in their headers', unfinished, ''],
    ['in their body', halfBody, 'request_timeout'],
  ])('%s are sent away, and the others are served meanwhile', async (_, beginning, code) => {
    const stalled = Array.from({ length: 400 }, () => stage.add(new StalledClient(service.url, beginning)));
    await until('all 400 are connected', () => stalled.every((client) => client.isConnected));

    const load = new Load({
      serviceUrl: service.url,
      paths: fleet.paths,
      headers: fleet.headers,
      clients: 5,
    });
    await load.seen(200, 200);
    await until('the stalled are sent away', () => stalled.every(({ isClosed }) => isClosed));
    await load.stop();

    tell('beside 400 stalled clients', load.outcomes);
    expectOnly([200], load.outcomes);
    const statusLines = new Set(stalled.map(({ received }) => received.split('\r\n', 1)[0]));
    expect(statusLines).toEqual(new Set(['HTTP/1.1 408 Request Timeout']));
    const [, body = ''] = stalled[0]?.received.split('\r\n\r\n') ?? [];
    expect(body).toContain(code);
  });

  it('without having sent anything are closed without a word, as browsers that connect ahead of need expect', async () => {
    const silent = stage.add(new StalledClient(service.url, ''));
    await until('it is sent away', () => silent.isClosed);
    expect(silent.received).toBe('');
  });
});

describe('3,000 requests at once', () => {
  it('are all answered, and some of them served', async () => {
    const questions = Array.from({ length: 3_000 }, (_, i) => {
      return { path: fleet.paths[i % fleet.paths.length] ?? '/', headers: fleet.headers };
    });
    const outcomes = await askAtOnce(service.url, questions);

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
      environment: { DATABASE_POOL_SIZE: '2', ANSWER_TIMEOUT_MS: '36000' },
      adjust: (config) => ({ ...config, limits: { ...config.limits, maxWaitingRequests: maxWaiting } }),
    });
    // The key is known from here on, so that every request below waits for the same thing.
    expectOnly([200], [await ask(small.url, { path: '/v1/customers', headers: fleet.headers })]);
    const unlock = await lockTable(database.url, 'tanks');

    const load = new Load({
      serviceUrl: small.url,
      paths: fleet.paths,
      headers: fleet.headers,
      clients: 200,
    });
    await load.seen(503, 100);
    expect(codesOf(load.outcomes)).toEqual(['overloaded']);
    await unlock();
    const unlockedAt = performance.now();
    await load.seen(200, maxWaiting, 0);
    await load.seen(200, 100, unlockedAt);
    await load.stop();

    const refused = load.outcomes.filter(({ status }) => status === 503);
    tell('200 clients where 40 may wait', load.outcomes);
    tell('the refused', refused);
    expectOnly([200, 503], load.outcomes);
  });
});
