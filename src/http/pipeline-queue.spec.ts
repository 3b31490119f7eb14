// Of one connection one request is answered at a time, in order; what is behind it waits, and is let go with the connection.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Express, Request, Response } from 'express';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { ServiceAdapter } from './service-adapter.js';

const adapter = new ServiceAdapter();
adapter.initHttpServer();
const server: Server = adapter.getHttpServer();
const underWay = new Map<string, Response>();
const asked: string[] = [];
adapter.getInstance<Express>().use((request: Request, response: Response) => {
  asked.push(request.url);
  underWay.set(request.url, response);
  response.on('close', () => underWay.delete(request.url));
  server.emit('asked');
});

let client: Socket;
let received: string;
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterEach(() => {
  client.destroy();
  asked.length = 0;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

function send(count: number): void {
  received = '';
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('data', (chunk) => (received += chunk.toString())).on('error', () => undefined);
  client.write(Array.from({ length: count }, (_, i) => `GET /${i} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
}

describe('requests on one connection', () => {
  it('are answered one after the other', async () => {
    const first = once(server, 'asked');
    send(17);
    await first;
    for (let i = 0; i < 17; i++) {
      expect([...underWay.keys()]).toEqual([`/${i}`]);
      const next = i < 16 ? once(server, 'asked') : once(underWay.get('/16') as Response, 'close');
      underWay.get(`/${i}`)?.end(`answer ${i}.`);
      await next;
    }
    while (!received.includes('answer 16.')) await once(client, 'data');
    expect(received.match(/answer \d+/g)).toEqual(Array.from({ length: 17 }, (_, i) => `answer ${i}`));
  });

  it('are let go when their connection is', async () => {
    const first = once(server, 'asked');
    send(5);
    await first;
    const gone = once(underWay.get('/0') as Response, 'close');
    client.resetAndDestroy();
    await gone;
    expect(asked).toEqual(['/0']);
  });

  it('are too many when more than 16 wait', async () => {
    send(18);
    await once(client, 'close');
    expect(received).toBe('');
    expect(underWay.size).toBe(0);
  });
});
