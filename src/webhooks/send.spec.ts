// One delivery, against real receivers that behave as receivers do.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { newSecret } from './secrets.js';
import { Sender, signedHeaders } from './send.js';

const BODY = JSON.stringify({ object: 'event', type: 'tank.low', note: 'Öl – 20 %' });
const sender = new Sender({ allowPrivate: true, timeoutMs: 60_000 });
/** For receivers that never answer: the others have all the time that a busy machine needs. */
const hasty = new Sender({ allowPrivate: true, timeoutMs: 500 });
const servers: Server[] = [];

async function receiver(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

const answering = (status: number, headers: Record<string, string> = {}): Promise<string> =>
  receiver((request, response) => {
    request.resume();
    response.writeHead(status, headers).end();
  });

afterAll(() => {
  for (const one of [sender, hasty]) one.close();
  for (const server of servers) server.close().closeAllConnections();
});

describe('a delivery', () => {
  let url: string;
  const seen: { headers: IncomingMessage['headers']; body: string }[] = [];

  beforeAll(async () => {
    url = await receiver((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        seen.push({ headers: request.headers, body });
        response.writeHead(204).end();
      });
    });
  });

  it('can be verified with the public library of the specification, with either secret while one is rolled', async () => {
    const secrets = [newSecret(), newSecret()];
    const outcome = await sender.send(url, signedHeaders('event-1', BODY, secrets), BODY);
    expect(outcome).toEqual({ delivered: true, status: 204, reason: null, retryAfterMs: 0 });
    const [{ headers, body } = { headers: {}, body: '' }] = seen;
    for (const secret of secrets) {
      const verified = new Webhook(secret).verify(body, headers as Record<string, string>);
      expect(verified).toEqual(JSON.parse(BODY));
    }
    expect(() => new Webhook(newSecret()).verify(body, headers as Record<string, string>)).toThrow(
      'No matching signature found',
    );
    expect(headers['webhook-id']).toBe('event-1');
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it.each([
    [500, 'answered 500'],
    [410, 'answered 410'],
    [301, 'answered 301 (redirects are not followed)'],
    [404, 'answered 404'],
  ])('that is answered with %s has failed', async (status, reason) => {
    const to = await answering(status, { Location: `${url}/elsewhere` });
    const before = seen.length;
    expect(await sender.send(to, {}, BODY)).toEqual({ delivered: false, status, reason, retryAfterMs: 0 });
    expect(seen).toHaveLength(before);
  });

  it('returns how long the receiver asks to wait', async () => {
    const to = await answering(503, { 'Retry-After': '120' });
    expect((await sender.send(to, {}, BODY)).retryAfterMs).toBe(120_000);
  });

  it.each([
    ['nothing', ''],
    ['few 1xx answers', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('that is answered with %s and never more fails in time', async (_, words) => {
    const to = await receiver((request) => request.socket.write(words));
    const outcome = await hasty.send(to, {}, BODY);
    expect(outcome).toMatchObject({ delivered: false, reason: 'no answer within 0.5 s' });
  });

  it('whose answer never ends fails in time, whatever its status', async () => {
    const to = await receiver((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    const outcome = await hasty.send(to, {}, BODY);
    expect(outcome).toMatchObject({ delivered: false, reason: 'no answer within 0.5 s' });
  });

  it.each([
    [
      'an upgrade',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
      'answered 101',
    ],
    [
      '1xx answers without end',
      'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000),
      'it sent too many 1xx answers',
    ],
  ])('that is answered with %s has failed', async (_, words, reason) => {
    const to = await receiver((request) => request.socket.write(words));
    expect(await sender.send(to, {}, BODY)).toMatchObject({ delivered: false, reason });
  });

  it('whose connection is closed without an answer has failed', async () => {
    const to = await receiver((request) => request.socket.end());
    expect(await sender.send(to, {}, BODY)).toMatchObject({ delivered: false, status: null });
  });

  it('does not take in a large answer', async () => {
    let sent = 0;
    const to = await receiver((_request, response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(64 * 1024);
      const pour = (): void => {
        while (sent < 10 * 1024 * 1024 && !response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', pour);
        }
        response.end();
      };
      pour();
    });
    expect(await sender.send(to, {}, BODY)).toMatchObject({ delivered: true, status: 200 });
    expect(sent).toBeLessThan(10 * 1024 * 1024);
  });

  it('whose connection is reset has failed', async () => {
    const to = await receiver((request) => request.socket.resetAndDestroy());
    expect(await sender.send(to, {}, BODY)).toMatchObject({ delivered: false, status: null });
  });

  it('to a private address is not made, whatever the endpoint was allowed to be when it was added', async () => {
    const strict = new Sender({ allowPrivate: false });
    const before = seen.length;
    const outcome = await strict.send(url.replace('http:', 'https:'), {}, BODY);
    expect(outcome).toMatchObject({ delivered: false, status: null });
    expect(outcome.reason).toContain('127.0.0.1 is not a public address');
    const byName = await strict.send(url.replace('http://127.0.0.1', 'https://localhost'), {}, BODY);
    expect(byName.reason).toContain('localhost leads to no public address');
    expect(seen).toHaveLength(before);
    strict.close();
  });
});
