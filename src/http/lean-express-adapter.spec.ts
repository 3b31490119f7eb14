// What the adapter does is invisible where it works: Express finds nothing to replace, and lines join the head of an answer.
// If a version of Node, Express or Nest undoes it, this is where it is seen.
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

  it('writes the header lines of a response beside the headers that were set', async () => {
    express.get('/lines', (_: Request, response: Response) => {
      response.headerLines = 'X-One: 1\r\nX-Two: 2\r\n';
      response.setHeader('X-Three', '3');
      adapter.reply(response, { some: 'body' }, 200);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;

    const answer = await fetch(`http://127.0.0.1:${port}/lines`, { headers: { connection: 'close' } });

    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-one': '1',
      'x-two': '2',
      'x-three': '3',
      'content-type': 'application/json; charset=utf-8',
      'content-length': '15',
    });
    expect(await answer.json()).toEqual({ some: 'body' });
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
