// Many requests on one connection before any is answered: up to a limit all are answered in order, at nobody else's cost.
import { afterEach, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { createFleet, createKey } from './support/fleet.js';
import { expectOnly, expectSound } from './support/judgement.js';
import { Load } from './support/load.js';
import { ServiceProcess } from './support/service-process.js';
import { newDatabase } from './support/stage.js';
import { until } from './support/until.js';
import { Wire } from './support/wire.js';

const database = await newDatabase();
const fleet = await createFleet(database.url);
const service = await ServiceProcess.start({
  DATABASE_URL: database.url,
  // Soon, for those that wait until it is over; a request on a slow machine has time enough.
  ANSWER_TIMEOUT_MS: '4000',
});

afterEach(() => expectSound(service));

function get(path: string, id: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: tanks\r\nX-API-Key: ${fleet.key}\r\nX-Request-Id: ${id}\r\n\r\n`;
}

function pipeline(depth: number, name: string, path = '/v1/tanks?size=1'): string {
  return Array.from({ length: depth }, (_, i) => get(path, `${name}-${i}`)).join('');
}

async function megabytes(): Promise<number> {
  const status = await readFile(`/proc/${service.child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** As many as may be sent before the first is answered. */
const DEPTH = 17;
/** A script of 1.6 MB: 17 of it are more than the system buffers for a client that does not read. */
const LARGE = '/docs/swagger-ui-bundle.js';

const CUSTOMER = JSON.stringify({ name: 'Anna', email: 'anna@example.com' });

describe('a pipeline', () => {
  it('is answered whole and in order, while others are served as if it were one more of them', async () => {
    const load = new Load(service, fleet, 4, 0);
    await load.seen(200, 50);
    const client = new Wire(service.url, '');
    const rounds = 20;
    const startedAt = performance.now();
    for (let round = 1; round <= rounds; round++) {
      client.socket.write(pipeline(DEPTH, `deep-${round}`));
      await client.answered(round * DEPTH);
    }
    const others = load.since(startedAt).length;
    await load.stop();

    const ids = client.answers.map(({ headers }) => headers['x-request-id']);
    const asked = Array.from(
      { length: rounds * DEPTH },
      (_, i) => `deep-${Math.floor(i / DEPTH) + 1}-${i % DEPTH}`,
    );
    expect(ids).toEqual(asked);
    expect(new Set(client.statuses)).toEqual(new Set([200]));
    expectOnly([200], load.outcomes);
    expect(others).toBeGreaterThan(rounds);
  });

  it('whose answers are not read makes no more work until they are', async () => {
    const key = await createKey(database.url, { scopes: ['read', 'customers:write'] });
    const create = (id: string) =>
      `PUT /v1/customers/${id} HTTP/1.1\r\nHost: tanks\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${CUSTOMER.length}\r\n\r\n${CUSTOMER}`;
    const statusOf = async (id: string) =>
      (await fetch(`${service.url}/v1/customers/${id}`, { headers: { 'X-API-Key': key } })).status;
    const client = new Wire(service.url, pipeline(12, 'ahead', LARGE) + create('behind'), {
      isReading: false,
    });
    await until('an answer has begun', () => client.socket.readableLength > 0);
    for (let i = 0; i < 5; i++) {
      const other = new Wire(service.url, create(`beside-${i}`));
      expect((await other.answered(1)).map(({ status }) => status)).toEqual([201]);
    }
    expect(await statusOf('behind')).toBe(404);

    client.socket.on('data', () => undefined);
    await until('it has read what was before it', async () => (await statusOf('behind')) === 200);
    client.stop();
  });

  it('whose answers are never read costs little memory', async () => {
    const before = await megabytes();
    // Unbounded, the answers alone would take 1 GB.
    const clients = Array.from(
      { length: 40 },
      (_, i) => new Wire(service.url, pipeline(DEPTH, `unread${i}`, LARGE), { isReading: false }),
    );
    await until('all have answers', () => clients.every(({ socket }) => socket.readableLength > 0));
    const load = new Load(service, fleet, 2);
    await load.seen(200, 200);
    await load.stop();
    expect((await megabytes()) - before).toBeLessThan(250);
    for (const client of clients) client.stop();
  });
});
