// Answers over 1 kB are compressed for those who ask for it; whoever does not, gets what they always got, and ETags hold for both.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { request, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startService, type TestService } from '../support/app.js';
import { insertCustomer } from '../support/builders.js';

let service: TestService;
let plain: string;
beforeAll(async () => {
  service = await startService();
  for (let n = 0; n < 20; n++) await insertCustomer(service.sql, { id: `customer-${n}` });
  plain = (await service.raw({ path: LIST })).text;
});

const LIST = '/v1/customers?size=20';
const SMALL = '/v1/customers/customer-1';

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

function ask(
  path: string,
  headers: Record<string, string>,
  method = 'GET',
  url = service.url,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(`${url}${path}`, { method, headers: { 'x-api-key': service.key, ...headers } });
    asked.once('error', reject);
    asked.once('response', (response) => {
      buffer(response).then(
        (body) => resolve({ status: response.statusCode, headers: response.headers, body }),
        reject,
      );
    });
    asked.end();
  });
}

describe('a long answer', () => {
  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ])('is compressed for a caller who accepts %s', async (encoding, decompress) => {
    const { status, headers, body } = await ask(LIST, { 'accept-encoding': encoding });

    expect({ status, encoding: headers['content-encoding'] }).toEqual({ status: 200, encoding });
    expect(headers.vary).toMatch(/Accept-Encoding/);
    expect(body.length).toBeLessThan(plain.length / 2);
    expect(decompress(body).toString()).toBe(plain);
  });

  it.each([
    {},
    { 'accept-encoding': 'identity' },
    { 'accept-encoding': 'gzip;q=0, br;q=0' },
    { 'accept-encoding': 'zstd' },
  ])('is left as it is for whoever does not ask: %j', async (asked) => {
    const { headers, body } = await ask(LIST, asked);

    expect(headers).not.toHaveProperty('content-encoding');
    expect(headers['content-length']).toBe(String(Buffer.byteLength(plain)));
    expect(headers.vary).toMatch(/Accept-Encoding/);
    expect(body.toString()).toBe(plain);
  });

  it('has one ETag, compressed or not, and is a 304 to it either way', async () => {
    const { headers: plainHeaders } = await ask(LIST, {});
    const { headers: gzipHeaders } = await ask(LIST, { 'accept-encoding': 'gzip' });
    const etag = plainHeaders.etag ?? '';

    expect(gzipHeaders.etag).toBe(etag);
    expect(etag).toMatch(/^W\//);
    for (const asked of [{}, { 'accept-encoding': 'gzip, br' }]) {
      const { status, headers, body } = await ask(LIST, { ...asked, 'if-none-match': etag });
      expect({ status, etag: headers.etag, length: body.length }).toEqual({ status: 304, etag, length: 0 });
      expect(headers).not.toHaveProperty('content-encoding');
      expect(headers.vary).toMatch(/Accept-Encoding/);
    }
  });

  it('tells no length to a HEAD whose GET would be compressed', async () => {
    const { headers } = await ask(LIST, { 'accept-encoding': 'gzip' }, 'HEAD');

    expect(headers).not.toHaveProperty('content-length');
    expect((await ask(LIST, {}, 'HEAD')).headers['content-length']).toBe(String(Buffer.byteLength(plain)));
  });
});

it('a short answer is not compressed: it would not become shorter', async () => {
  const { headers, body } = await ask(SMALL, { 'accept-encoding': 'gzip, br' });

  expect(headers).not.toHaveProperty('content-encoding');
  expect(headers['content-length']).toBe(String(body.length));
});
