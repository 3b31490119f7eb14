// Stands before the service as a proxy does, and fails as networks and proxies do, when it is told to.
import { afterAll, afterEach, beforeEach, jest } from '@jest/globals';
import { once } from 'node:events';
import {
  createServer,
  request as ask,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { TankMonitoring } from 'tank-monitoring-client';
import type { Scope } from '../../../src/common/auth/scope.js';
import { startService, type ServiceOptions } from '../../support/app.js';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: number;
  readonly at: number;
}

/** What becomes of a request, the n-th from 1. */
export type Fate =
  | 'answered'
  /** Reaches the service, and the answer gets lost. */
  | 'answer lost'
  /** Gets lost before it reaches the service. */
  | 'lost'
  /** Is held, without an answer. */
  | 'held'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

export class Front {
  readonly seen: Seen[] = [];
  /** How many requests have no answer as yet. */
  open = 0;
  fate: (n: number, seen: Seen) => Fate | Promise<Fate> = () => 'answered';

  private constructor(
    private readonly server: Server,
    private readonly service: URL,
    readonly url: string,
  ) {}

  static async start(serviceUrl: string): Promise<Front> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const front = new Front(server, new URL(serviceUrl), `http://127.0.0.1:${port}`);
    server.on('request', (request, response) => void front.receive(request, response));
    return front;
  }

  /** Forgets what it has seen, and lets everything through unless told otherwise. */
  reset(fate: Front['fate'] = () => 'answered'): void {
    this.seen.length = 0;
    this.fate = fate;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.open += 1;
    response.on('close', () => (this.open -= 1));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { method = '', url: path = '', headers } = request;
    const seen = { method, path, headers, bytes: body.length, at: performance.now() };
    this.seen.push(seen);
    const fate = await this.fate(this.seen.length, seen);
    if (fate === 'held') return;
    if (fate === 'lost') return void response.destroy();
    if (typeof fate === 'object') return void response.writeHead(fate.status, fate.headers).end(fate.body);
    const { hostname, port } = this.service;
    const onward = ask({ hostname, port, method, path, headers }, (answer) => {
      if (fate === 'answer lost') {
        answer.resume().on('end', () => response.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    onward.end(body);
  }
}

/** A client of a service behind a front, which every test finds as it is at first. To be called once in a spec file. */
export async function startFronted(scopes: readonly Scope[] = ['read'], options: ServiceOptions = {}) {
  const service = await startService(options);
  const front = await Front.start(service.url);
  const key = await service.createKey({ scopes });
  beforeEach(() => front.reset());
  afterEach(() => void jest.restoreAllMocks());
  afterAll(() => front.stop());
  return { service, sql: service.sql, front, key, tms: new TankMonitoring({ url: front.url, key }) };
}

/** What a call ended with, if it failed. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}
