// Many requests on one connection before any is answered: all are answered in order, at nobody else's cost, and none once
// the client is gone.
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { createTestDatabase } from '../support/database.js';
import { createFleet } from './support/fleet.js';
import { expectOnly, expectSound } from './support/judgement.js';
import { Load } from './support/load.js';
import { ServiceProcess } from './support/service-process.js';
import { Stage } from './support/stage.js';
import { until } from './support/until.js';
import { Wire } from './support/wire.js';

const stage = new Stage();
afterAll(() => stage.clear());

const database = await createTestDatabase();
stage.add({ stop: () => database.drop() });
const fleet = await createFleet(database.url);
const service = stage.add(
  await ServiceProcess.start({
    DATABASE_URL: database.url,
    // Less than the whole pipelines below take, which must not matter to what waits in them.
    ANSWER_TIMEOUT_MS: '1000',
  }),
);

afterEach(() => expectSound(service));

function get(path: string, id: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: tanks\r\nX-API-Key: ${fleet.key}\r\nX-Request-Id: ${id}\r\n\r\n`;
}

function pipeline(depth: number, name: string, path = '/v1/tanks?size=1'): string {
  return Array.from({ length: depth }, (_, i) => get(path, `${name}-${i}`)).join('');
}

function callersOf(name: string) {
  return async () => {
    const lines = await service.logLines();
    return lines.filter(({ request_id: id }) => String(id).startsWith(`${name}-`)).length;
  };
}

async function megabytes(): Promise<number> {
  const status = await readFile(`/proc/${service.child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

describe('a pipeline of thousands of requests', () => {
  it('is answered whole and in order, while others are served as if it were one more of them', async () => {
    const depth = 3_000;
    const load = stage.add(
      new Load({
        serviceUrl: service.url,
        paths: fleet.paths,
        headers: fleet.headers,
        clients: 4,
        pauseMs: 0,
      }),
    );
    await load.seen(200, 50);
    const client = stage.add(new Wire(service.url, pipeline(depth, 'deep')));
    const startedAt = performance.now();
    await client.answered(depth, 100_000);
    const others = load.since(startedAt).length;
    await load.stop();

    const ids = client.answers.map(({ headers }) => headers['x-request-id']);
    expect(ids).toEqual(Array.from({ length: depth }, (_, i) => `deep-${i}`));
    expect(new Set(client.statuses)).toEqual(new Set([200]));
    expectOnly([200], load.outcomes);
    // Where connections do not take turns, the others get next to nothing.
    expect(others).toBeGreaterThan(depth / 10);
  });

  it('is dropped when its client is gone', async () => {
    const depth = 3_000;
    const client = stage.add(new Wire(service.url, pipeline(depth, 'gone')));
    await client.answered(5);
    client.reset();
    const load = stage.add(
      new Load({ serviceUrl: service.url, paths: fleet.paths, headers: fleet.headers, clients: 2 }),
    );
    await load.seen(200, 200);
    await load.stop();
    expect(await callersOf('gone')()).toBeLessThan(depth / 2);
    const settled = await callersOf('gone')();
    await until('nothing of it is served any more', async () => (await callersOf('gone')()) === settled);
  });

  it('whose answers are never read costs little memory', async () => {
    const before = await megabytes();
    // Unbounded, the answers alone would take 2 GB.
    const clients = Array.from({ length: 40 }, (_, i) =>
      stage.add(new Wire(service.url, pipeline(500, `unread${i}`, '/openapi.json'), { isReading: false })),
    );
    await until('all have answers', () => clients.every(({ socket }) => socket.readableLength > 0), 30_000);
    const load = stage.add(
      new Load({ serviceUrl: service.url, paths: fleet.paths, headers: fleet.headers, clients: 2 }),
    );
    await load.seen(200, 200);
    await load.stop();
    expect((await megabytes()) - before).toBeLessThan(250);
    await Promise.all(clients.map((client) => client.stop()));
  });

  it('with half a request at its end is answered, and that one refused when it does not come', async () => {
    const client = stage.add(new Wire(service.url, `${pipeline(200, 'half')}GET /v1/ta`));
    await client.ended(60_000);
    expect(client.statuses).toEqual([...Array(200).fill(200), 408]);
  });
});
