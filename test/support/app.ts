// The service as production builds it, on a database and a random port of its own, asked over real HTTP. Every response
// the agents get is held against the OpenAPI document without a test having to ask.
import { afterAll } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { pino } from 'pino';
import request from 'supertest';
import type { DataSource } from 'typeorm';
import { createService } from '../../src/app.setup.js';
import { loadConfig, type Config } from '../../src/platform/config/config.js';
import { listen } from '../../src/app.lifecycle.js';
import { buildDocument } from '../../src/common/openapi/document.js';
import type { Logger } from '../../src/platform/logging/logger.js';
import type { FindExamples } from '../../src/common/openapi/serve-documentation.js';
import { keep } from './kept.js';
import { openPool, wayTo, type TestDatabase } from './database.js';
import { createTestDatabase } from './test-database.js';
import { keysOf, openOperator, type KeyBounds, type TestKeys } from './operator.js';
import { ResponseValidator, type OpenApiDocument, type SeenResponse } from './openapi.js';
import { sendBytes, sendRaw, type RawRequest } from './raw.js';

export type Agent = ReturnType<typeof request.agent>;

export interface ServiceOptions {
  /** Variables beside those every test sets. */
  readonly environment?: Readonly<Record<string, string>>;
  /** For bounds that are no settings, so that a test need not wait for them. */
  readonly adjust?: (config: Config) => Config;
  readonly logger?: Logger;
  readonly demoKey?: string;
  readonly examples?: FindExamples;
  /** Of another service, or of whoever drops it. */
  readonly database?: TestDatabase;
}

export interface TestService {
  readonly url: string;
  readonly database: TestDatabase;
  /** For what the API cannot do: write. */
  readonly sql: Pool;
  readonly document: OpenApiDocument;
  readonly keys: TestKeys;
  /** As the operator's commands connect. */
  readonly operator: DataSource;
  /** Sees everything. */
  readonly key: string;
  /** Calls with `key`. */
  readonly api: Agent;
  /** Calls with another key, or without one. */
  agent(key?: string): Agent;
  /** Sends a request as it is written, with `key` unless told another or none. */
  raw(request: RawRequest, key?: string | null): Promise<SeenResponse>;
  status(path: string, key?: string | null): Promise<number>;
  /** Sends any bytes, which must end in a response. */
  bytes(bytes: string | Buffer): Promise<SeenResponse>;
  createKey(bounds?: Partial<KeyBounds>): Promise<string>;
  /** Ends the service and leaves the database, for what it does last. */
  stop(): Promise<void>;
}

/** Webhooks are on. */
const SECRET_KEY = randomBytes(32).toString('base64');

/** Every service of a spec file ends with the file, also when the test that started it failed half-way. */
const endings: (() => Promise<void>)[] = [];
afterAll(async () => {
  await Promise.all(endings.map((end) => end()));
});

export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const database = options.database ?? (await createTestDatabase());
  const way = wayTo(database.url);
  const settings = loadConfig({
    ...way,
    DATABASE_POOL_SIZE: '4',
    LOG_LEVEL: 'silent',
    WORKER: 'false',
    ANSWER_TIMEOUT_MS: '60000', // a busy machine makes a test slower, not red
    WEBHOOK_SECRET_KEY: SECRET_KEY,
    ...options.environment,
  });
  const config = options.adjust?.(settings) ?? settings;
  const app = await createService({
    config,
    databaseUrl: way.DATABASE_URL,
    logger: options.logger ?? pino({ level: 'silent' }),
    ...(options.demoKey === undefined ? {} : { demoKey: options.demoKey }),
    ...(options.examples === undefined ? {} : { examples: options.examples }),
  });
  const url = await listen(app, { ...config, host: '127.0.0.1', port: 0 });

  const operator = await openOperator(database.url);
  const keys = keysOf(operator);
  const sql = openPool(database.url, { max: 3 });
  const { isOn: hasWrites } = config.ingest;
  const document = keep(
    `document ${hasWrites ? 'with' : 'without'} writes`,
    () => JSON.parse(JSON.stringify(buildDocument(app, hasWrites))) as OpenApiDocument,
  );
  const validator = new ResponseValidator(document);
  const agent = (key?: string) => validatingAgent(url, validator, key);
  const createKey = (bounds: Partial<KeyBounds> = {}) =>
    keys.create({ name: 'test', customerId: null, expiresAt: null, ...bounds });
  const key = await createKey({ scopes: ['read', 'recipients', 'webhooks', 'activity', 'keys', 'users'] });

  const checked = (response: SeenResponse): SeenResponse => {
    validator.check(response);
    return response;
  };
  const raw = async (asked: RawRequest, as: string | null = key) => {
    const headers = as === null ? [] : [['X-API-Key', as] as const];
    return checked(await sendRaw(url, { ...asked, headers: [...headers, ...(asked.headers ?? [])] }));
  };
  const status = async (path: string, as?: string | null) => (await raw({ path }, as)).status;
  const bytes = async (sent: string | Buffer) => checked(await sendBytes(url, sent));

  let stopped: Promise<void> | undefined;
  const stop = () => {
    if (stopped !== undefined) return stopped;
    // Node waits for connections that have sent nothing, and a page that is still open makes new ones.
    const disconnect = setInterval(() => app.getHttpServer().closeAllConnections(), 100);
    stopped = app.close().finally(() => clearInterval(disconnect));
    return stopped;
  };
  endings.push(async () => {
    await stop();
    await operator.destroy();
    await sql.end();
    if (options.database === undefined) await database.drop();
  });
  return {
    url,
    database,
    sql,
    document,
    keys,
    operator,
    key,
    api: agent(key),
    agent,
    raw,
    status,
    bytes,
    createKey,
    stop,
  };
}

function validatingAgent(url: string, validator: ResponseValidator, key?: string): Agent {
  const agent = request.agent(url);
  if (key !== undefined) agent.set('X-API-Key', key);
  agent.use((asked: request.Test) => {
    // Supertest runs these checks before those of the test itself.
    asked.expect((response) => {
      const { pathname, search } = new URL(asked.url);
      validator.check({
        method: asked.method,
        path: pathname + search,
        status: response.status,
        headers: response.headers,
        text: textOf(response),
      });
    });
  });
  return agent;
}

/** Superagent takes what it does not know, NDJSON too, for bytes. */
export function textOf(response: request.Response): string {
  return Buffer.isBuffer(response.body) ? response.body.toString('utf8') : (response.text ?? '');
}
