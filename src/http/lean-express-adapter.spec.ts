// The adapter exists for one effect: Express finds nothing to replace. If a version of Express or Nest undoes it, this
// is where it is seen.
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Express, Request, Response } from 'express';
import { IncomingMessage, ServerResponse, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LeanExpressAdapter } from './lean-express-adapter.js';

describe('LeanExpressAdapter', () => {
  const adapter = new LeanExpressAdapter({ maxHeaderSize: 2000 });
  adapter.initHttpServer();
  const express = adapter.getInstance<Express>();
  const server: Server = adapter.getHttpServer();
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  it("hands Express requests and responses that already have Express's prototypes", async () => {
    const before = new Promise<object[]>((resolve) => {
      // Runs before Express does.
      server.prependListener('request', (...pair) => resolve(pair.map((one) => Object.getPrototypeOf(one))));
    });
    express.get('/', (request: Request, response: Response) => {
      const isWhole = request instanceof IncomingMessage && response instanceof ServerResponse;
      response.json({ isWhole, query: request.query, ip: request.ip });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;

    const answer = await fetch(`http://127.0.0.1:${port}/?a=1`, { headers: { connection: 'close' } });

    const [request, response] = await before;
    expect(request).toBe(express.request);
    expect(response).toBe(express.response);
    expect(await answer.json()).toEqual({ isWhole: true, query: { a: '1' }, ip: '127.0.0.1' });
  });

  it('keeps the options of the server', async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;

    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      headers: { connection: 'close', 'x-long': 'x'.repeat(3000) },
    });

    expect(answer.status).toBe(431);
  });
});
