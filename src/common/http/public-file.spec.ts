// A file that everybody may ask for is compressed once, and is the same answer as any other.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express from 'express';
import { once } from 'node:events';
import { request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { compressFor } from './compression.js';
import { compareTagsAlways } from './etag.js';
import { PublicFile } from './public-file.js';

const content = 'a line of a document\n'.repeat(1000);
const file = new PublicFile(content, 'json', { 'Cache-Control': 'no-cache' });
/** The bodies that were handed over, one for each answer. */
const sent: unknown[] = [];

const app = express();
compareTagsAlways(app);
app.use((asked, response, next) => {
  compressFor(asked, response);
  const send = response.send.bind(response);
  response.send = (body: unknown) => {
    sent.push(body);
    return send(body);
  };
  next();
});
app.get('/file', (asked, response) => file.send(asked, response));
app.get('/short', (asked, response) => new PublicFile('short', 'txt').send(asked, response));

let server: Server;
beforeAll(async () => {
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
});

async function ask(headers: Record<string, string>, method = 'GET', path = '/file') {
  const { port } = server.address() as AddressInfo;
  const asked = request({ port, host: '127.0.0.1', path, method, headers, agent: false });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

describe('a public file', () => {
  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip;q=0.5, br;q=0', 'gzip', gunzipSync],
  ])('is compressed once for all who accept %s', async (accepted, encoding, decompress) => {
    sent.length = 0;
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask({ 'accept-encoding': accepted })));
    answers.push(await ask({ 'accept-encoding': accepted }));

    for (const { status, headers, body } of answers) {
      expect({ status, encoding: headers['content-encoding'], length: headers['content-length'] }).toEqual({
        status: 200,
        encoding,
        length: String(body.length),
      });
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-cache',
      });
      expect(headers.vary).toMatch(/Accept-Encoding/);
      expect(decompress(body).toString()).toBe(content);
    }
    expect(sent).toHaveLength(6);
    expect(new Set(sent).size).toBe(1); // the same object, not one like it
  });

  it.each([
    {},
    { 'accept-encoding': 'deflate' },
    { 'accept-encoding': 'identity, deflate, br;q=0' },
    { range: 'bytes=0-9' },
  ])('is sent whole and as it is to a caller who sends %j', async (headers: Record<string, string>) => {
    const answer = await ask(headers);

    expect({ status: answer.status, body: answer.body.toString() }).toEqual({ status: 200, body: content });
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect(answer.headers).not.toHaveProperty('accept-ranges');
  });

  it('has one ETag in every encoding, and is a 304 without a body to it', async () => {
    const { etag = '' } = (await ask({})).headers;
    for (const accepted of ['identity', 'br', 'gzip']) {
      const headers = { 'accept-encoding': accepted };
      expect((await ask(headers)).headers.etag).toBe(etag);
      const again = await ask({ ...headers, 'if-none-match': `"x", ${etag}`, 'cache-control': 'no-cache' });
      expect({ status: again.status, length: again.body.length }).toEqual({ status: 304, length: 0 });
      expect(again.headers).toMatchObject({ etag, 'cache-control': 'no-cache' });
      expect(again.headers).not.toHaveProperty('content-encoding');
    }
  });

  it('has its headers without a body for a HEAD', async () => {
    const { status, headers, body } = await ask({}, 'HEAD');

    expect({ status, length: headers['content-length'], body: body.length }).toEqual({
      status: 200,
      length: String(content.length),
      body: 0,
    });
  });

  it('is left as it is when it is short', async () => {
    const { headers, body } = await ask({ 'accept-encoding': 'br, gzip' }, 'GET', '/short');

    expect(headers).not.toHaveProperty('content-encoding');
    expect(body.toString()).toBe('short');
  });
});
