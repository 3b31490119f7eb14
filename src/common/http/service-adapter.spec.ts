// What prototypes at birth do is invisible where it works. If a version of Node, Express or Nest undoes it, this is where it is
// seen; that nothing else changes is seen in stock-nest.spec.ts.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Express, Request, Response } from 'express';
import { IncomingMessage, ServerResponse, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceAdapter } from './service-adapter.js';

const adapter = new ServiceAdapter({ maxHeaderSize: 2000 });
adapter.initHttpServer();
const express = adapter.getInstance<Express>();
const server: Server = adapter.getHttpServer();
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const ask = (path: string, headers = {}) =>
  fetch(`${url}${path}`, { headers: { ...headers, connection: 'close' } });

describe('prototypes at birth', () => {
  it("hand Express requests and responses that already have Express's prototypes", async () => {
    const before = new Promise<object[]>((resolve) => {
      // Runs before Express does.
      server.prependOnceListener('request', (...pair) =>
        resolve(pair.map((one) => Object.getPrototypeOf(one))),
      );
    });
    express.get('/prototypes', (request: Request, response: Response) => {
      const isWhole = request instanceof IncomingMessage && response instanceof ServerResponse;
      response.json({ isWhole, query: request.query, ip: request.ip });
    });

    const answer = await ask('/prototypes?a=1');

    const [request, response] = await before;
    expect(request).toBe(express.request);
    expect(response).toBe(express.response);
    expect(await answer.json()).toEqual({ isWhole: true, query: { a: '1' }, ip: '127.0.0.1' });
  });
});

describe('the HTTP server', () => {
  it('keeps the options it was given', async () => {
    expect((await ask('/', { 'x-long': 'x'.repeat(3000) })).status).toBe(431);
  });
});
