// The client in a real browser, from its published files, without a bundler, on a page of another origin.
import { afterAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Packed } from '../client/support/packed.js';
import { startService } from '../support/app.js';
import { insertCustomers } from '../support/builders.js';
import { insertFleet } from '../support/ingest.js';
import { placeChanges } from '../support/replica.js';
import { launchBrowser, PATIENCE_MS } from './support/launch-browser.js';

type Client = typeof import('tank-monitoring-client');
declare global {
  interface Window {
    client: Client;
    /** Signed in with the key of the tests. */
    tms: InstanceType<Client['TankMonitoring']>;
  }
}

const PAGE = `<!doctype html><title>A page</title>
<script type="module">
  import * as client from './tank-monitoring-client/dist/index.js';
  window.client = client;
</script>`;

const packed = await Packed.unpack();
const host = createServer((request, response) => {
  const isPage = request.url === '/';
  const type = isPage ? 'text/html' : 'text/javascript';
  const file = isPage ? Promise.resolve(PAGE) : readFile(join(packed.place, '..', request.url ?? ''));
  file.then(
    (content) => response.writeHead(200, { 'Content-Type': type }).end(content),
    () => response.writeHead(404).end(),
  );
}).listen(0, '127.0.0.1');
await once(host, 'listening');
const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
const service = await startService({
  environment: { CORS_ORIGINS: origin, RATE_LIMIT_REQUESTS: '20' },
  adjust: (config) => ({ ...config, rateLimit: { ...config.rateLimit, windowSeconds: 2 } }),
});
const { url, sql } = service;
await insertFleet(sql);
const key = await service.createKey({ scopes: ['read', 'telemetry:write'] });
const browser = await launchBrowser();
const page = await browser.newPage();
page.setDefaultTimeout(PATIENCE_MS);
await page.goto(origin);
await page.waitForFunction(() => 'client' in window);
await page.evaluate((options) => void (window.tms = new window.client.TankMonitoring(options)), { url, key });
afterAll(async () => {
  await browser.close();
  host.close();
  await packed.remove();
});

describe('in a browser', () => {
  it('reads, walks, sends and reports problems as in Node', async () => {
    const more = Array.from({ length: 30 }, () => ({}));
    await insertCustomers(sql, more);
    const found = await page.evaluate(async () => {
      const { tms } = window;
      const { ProblemError, ReadingsRefusedError } = window.client;
      let customers = 0;
      for await (const { object } of tms.customers.list({ size: 7 }))
        if (object === 'customer') customers += 1;
      const readings = Array.from({ length: 2_000 }, (_, n) => ({
        tank_id: n === 1_000 ? 'nobody' : 'a',
        created_at: new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString(),
        fill_percentage: 50,
      }));
      const refusal: unknown = await tms.telemetry.send(readings).catch((error: unknown) => error);
      const missing: unknown = await tms.tanks.get('nobody').catch((error: unknown) => error);
      return {
        customers,
        refused:
          refusal instanceof ReadingsRefusedError && refusal.errors.map(({ index, code }) => [index, code]),
        created: refusal instanceof ReadingsRefusedError && refusal.result.created,
        missing: missing instanceof ProblemError && [missing.status, missing.code, typeof missing.requestId],
      };
    });
    expect(found).toEqual({
      customers: 32,
      refused: [[1_000, 'unknown_tank']],
      created: 1_999,
      missing: [404, 'not_found', 'string'],
    });
  });

  it('waits for its rate limit, and ends at once when it is aborted', async () => {
    const found = await page.evaluate(async () => {
      const { tms } = window;
      const asked = await Promise.all(Array.from({ length: 30 }, () => tms.fleet.get()));
      const stop = new AbortController();
      const walk = tms.tanks.list({}, { signal: stop.signal });
      stop.abort(new Error('enough'));
      return { asked: asked.length, ended: await walk.next().catch((error: Error) => error.message) };
    });
    expect(found).toEqual({ asked: 30, ended: 'enough' });
  });

  it('follows changes, until it is aborted', async () => {
    await placeChanges(sql);
    const following = page.evaluate(async () => {
      const { tms } = window;
      const stop = new AbortController();
      const seen: string[] = [];
      try {
        for await (const { data } of tms.changes.follow({ after: 'latest', signal: stop.signal })) {
          document.title = 'following';
          for (const change of data)
            if (change.type === 'tank' && 'name' in change.data) seen.push(change.data.name);
          if (seen.length > 0) setTimeout(() => stop.abort(new Error('enough')), 100);
        }
      } catch (error) {
        return { seen, ended: (error as Error).message };
      }
      return { seen, ended: 'by itself' };
    });
    await page.waitForFunction(() => document.title === 'following');
    await sql.query(`update tanks set name = 'Renamed' where id = 'a'`);
    await placeChanges(sql);
    expect(await following).toEqual({ seen: ['Renamed'], ended: 'enough' });
  });
});
