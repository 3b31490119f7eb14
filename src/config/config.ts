// The environment, read once into one frozen object. Every bad variable is reported together, so that an
// operator fixes a deployment in one round.
import { faultOfPostgresUrl } from './postgres-url.js';

export interface Config {
  /** Undefined: the embedded PostgreSQL is used. */
  readonly databaseUrl: string | undefined;
  /** Standbys to read from; empty: everything is read from `databaseUrl`. */
  readonly readUrls: readonly string[];
  /** A standby that is older than this is not read from. */
  readonly maxReplicationLagSeconds: number;
  readonly host: string;
  readonly port: number;
  readonly metricsHost: string;
  readonly metricsPort: number | undefined;
  readonly logLevel: LogLevel;
  readonly corsOrigins: readonly string[];
  /** Whether answers are compressed for those who ask for it. */
  readonly compression: boolean;
  /** Whether the fleet page is served at /fleet. */
  readonly fleetPage: boolean;
  /** How many proxies in front of the service may be believed about the caller's address. */
  readonly trustedProxies: number;
  readonly database: {
    readonly poolSize: number;
    readonly acquireTimeoutMs: number;
    readonly statementTimeoutMs: number;
    readonly lockTimeoutMs: number;
    readonly planCacheMode: PlanCacheMode;
  };
  readonly limits: {
    readonly maxWaitingRequests: number;
    readonly maxConnections: number;
    readonly headersTimeoutMs: number;
    readonly requestTimeoutMs: number;
    readonly keepAliveTimeoutMs: number;
    /** Whatever happens, a request has its answer by then. */
    readonly answerTimeoutMs: number;
    /** A client that has read nothing of its answer for so long is cut off. */
    readonly unreadTimeoutMs: number;
    readonly maxHeaderBytes: number;
    readonly maxBodyBytes: number;
  };
  /** Readings that are sent over HTTP. */
  readonly ingest: {
    readonly isOn: boolean;
    /** Where they are written; undefined: where everything is read. */
    readonly databaseUrl: string | undefined;
    readonly poolSize: number;
    readonly statementTimeoutMs: number;
    readonly lockTimeoutMs: number;
    /** From the end of the body. */
    readonly answerTimeoutMs: number;
    readonly bodyTimeoutMs: number;
    readonly maxBodyBytes: number;
    /** Of all requests that are being worked on together. */
    readonly maxWaitingBytes: number;
  };
  /** Where several instances share their rate limits; undefined: each counts for itself. */
  readonly redisUrl: string | undefined;
  readonly rateLimit: {
    /** Requests a key may make in one window; 0 turns limiting off. */
    readonly requests: number;
    readonly windowSeconds: number;
  };
  readonly webhooks: {
    /** 32 bytes in base64 each: signing secrets are encrypted with the first and read with all. Without any, webhooks are off. */
    readonly secretKeys: readonly string[];
    readonly allowPrivate: boolean;
  };
  /** Whether this process looks for silent tanks, forgets old events and readings and delivers webhooks. */
  readonly worker: boolean;
  readonly eventRetentionDays: number;
  /** How many whole months of readings are kept before the current one; undefined: all. */
  readonly telemetryRetentionMonths: number | undefined;
  readonly shutdown: { readonly delayMs: number; readonly graceMs: number };
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const PLAN_CACHE_MODES = ['force_generic_plan', 'auto', 'force_custom_plan'] as const;
export type PlanCacheMode = (typeof PLAN_CACHE_MODES)[number];

export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(['The environment is not usable:', ...problems.map((problem) => `  - ${problem}`)].join('\n'));
  }
}

export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const read = new EnvironmentReader(environment);
  const databaseUrl = read.postgresUrl('DATABASE_URL');
  const takesReadings = read.isOn('INGEST', true);
  const config: Config = {
    databaseUrl,
    readUrls: read.postgresUrls('DATABASE_READ_URLS'),
    maxReplicationLagSeconds: read.integer('MAX_REPLICATION_LAG', { fallback: 30, min: 1, max: 86_400 }),
    host: read.host('HOST', databaseUrl === undefined),
    port: read.integer('PORT', { fallback: 3000, min: 0, max: 65_535 }),
    metricsHost: read.text('METRICS_HOST') ?? '127.0.0.1',
    metricsPort: read.optionalInteger('METRICS_PORT', { min: 0, max: 65_535 }),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    corsOrigins: read.origins('CORS_ORIGINS'),
    compression: read.isOn('COMPRESSION', true),
    fleetPage: read.isOn('FLEET_PAGE', true),
    trustedProxies: read.integer('TRUSTED_PROXIES', { fallback: 0, min: 0, max: 10 }),
    database: {
      poolSize: read.integer('DATABASE_POOL_SIZE', { fallback: 10, min: 1, max: 500 }),
      acquireTimeoutMs: read.integer('DATABASE_ACQUIRE_TIMEOUT_MS', {
        fallback: 7_000,
        min: 50,
        max: 60_000,
      }),
      statementTimeoutMs: read.integer('DATABASE_STATEMENT_TIMEOUT_MS', {
        fallback: 4_000,
        min: 50,
        max: 60_000,
      }),
      lockTimeoutMs: read.integer('DATABASE_LOCK_TIMEOUT_MS', { fallback: 2_000, min: 50, max: 60_000 }),
      planCacheMode: read.oneOf('DATABASE_PLAN_CACHE_MODE', PLAN_CACHE_MODES, 'force_generic_plan'),
    },
    limits: {
      maxWaitingRequests: read.integer('MAX_WAITING_REQUESTS', { fallback: 4_000, min: 0, max: 100_000 }),
      maxConnections: read.integer('MAX_CONNECTIONS', { fallback: 10_000, min: 1, max: 1_000_000 }),
      headersTimeoutMs: read.integer('HEADERS_TIMEOUT_MS', { fallback: 5_000, min: 100, max: 60_000 }),
      requestTimeoutMs: read.integer('REQUEST_TIMEOUT_MS', { fallback: 7_000, min: 100, max: 60_000 }),
      answerTimeoutMs: read.integer('ANSWER_TIMEOUT_MS', { fallback: 8_000, min: 100, max: 60_000 }),
      unreadTimeoutMs: read.integer('UNREAD_TIMEOUT_MS', { fallback: 20_000, min: 200, max: 600_000 }),
      keepAliveTimeoutMs: read.integer('KEEP_ALIVE_TIMEOUT_MS', { fallback: 65_000, min: 0, max: 600_000 }),
      maxHeaderBytes: read.integer('MAX_HEADER_BYTES', { fallback: 16_384, min: 1_024, max: 262_144 }),
      maxBodyBytes: read.integer('MAX_BODY_BYTES', { fallback: 16_384, min: 256, max: 1_048_576 }),
    },
    ingest: {
      isOn: takesReadings,
      databaseUrl: read.postgresUrl('INGEST_DATABASE_URL'),
      poolSize: read.integer('INGEST_POOL_SIZE', { fallback: 3, min: 2, max: 100 }),
      statementTimeoutMs: read.integer('INGEST_STATEMENT_TIMEOUT_MS', {
        fallback: 25_000,
        min: 50,
        max: 300_000,
      }),
      lockTimeoutMs: read.integer('INGEST_LOCK_TIMEOUT_MS', { fallback: 20_000, min: 50, max: 300_000 }),
      answerTimeoutMs: read.integer('INGEST_ANSWER_TIMEOUT_MS', { fallback: 30_000, min: 100, max: 300_000 }),
      bodyTimeoutMs: read.integer('INGEST_BODY_TIMEOUT_MS', { fallback: 30_000, min: 100, max: 300_000 }),
      maxBodyBytes: read.integer('INGEST_MAX_BODY_BYTES', {
        fallback: 2_097_152,
        min: 1_024,
        max: 67_108_864,
      }),
      maxWaitingBytes: read.integer('INGEST_MAX_WAITING_BYTES', {
        fallback: 134_217_728,
        min: 1_048_576,
        max: 4_294_967_296,
      }),
    },
    redisUrl: read.url('REDIS_URL', /^rediss?:$/, 'redis://host:6379'),
    rateLimit: {
      requests: read.integer('RATE_LIMIT_REQUESTS', { fallback: 0, min: 0, max: 10_000_000 }),
      windowSeconds: read.integer('RATE_LIMIT_WINDOW_SECONDS', { fallback: 60, min: 1, max: 86_400 }),
    },
    webhooks: {
      secretKeys: read.keys('WEBHOOK_SECRET_KEY'),
      allowPrivate: read.oneOf('WEBHOOK_ALLOW_PRIVATE', ['true', 'false'], 'false') === 'true',
    },
    worker: read.isOn('WORKER', takesReadings), // where nothing is written, neither is this
    eventRetentionDays: read.integer('EVENT_RETENTION_DAYS', { fallback: 90, min: 1, max: 3_650 }),
    telemetryRetentionMonths: read.optionalInteger('TELEMETRY_RETENTION', { min: 1, max: 1_200 }),
    shutdown: {
      delayMs: read.integer('SHUTDOWN_DELAY_MS', {
        fallback: databaseUrl === undefined ? 0 : 1_000,
        min: 0,
        max: 600_000,
      }),
      graceMs: read.integer('SHUTDOWN_GRACE_MS', { fallback: 15_000, min: 100, max: 600_000 }),
    },
  };
  const problems = [...read.problems, ...contradictions(config, read)];
  if (problems.length > 0) throw new ConfigError(problems);
  return deepFreeze(config);
}

/** Bounds that are fine alone and cannot hold together. Those that are bad by themselves have been told of already. */
function contradictions(config: Config, read: EnvironmentReader): string[] {
  const { port, metricsPort, limits, database } = config;
  const problems: string[] = [];
  if (config.readUrls.length > 0 && config.databaseUrl === undefined) {
    problems.push('DATABASE_READ_URLS needs a DATABASE_URL: the primary that its standbys are copies of');
  }
  const isGood = (...names: string[]): boolean => !names.some((name) => read.isBad(name));
  if (metricsPort === port && port !== 0 && isGood('PORT')) {
    problems.push(`METRICS_PORT must be another port than PORT, not ${metricsPort} as well`);
  }
  if (
    limits.headersTimeoutMs > limits.requestTimeoutMs &&
    isGood('HEADERS_TIMEOUT_MS', 'REQUEST_TIMEOUT_MS')
  ) {
    problems.push(
      `HEADERS_TIMEOUT_MS must be at most REQUEST_TIMEOUT_MS, which is ${limits.requestTimeoutMs}, not ${limits.headersTimeoutMs}`,
    );
  }
  // Left at its default it is simply the last word; one that is set is meant to leave time for what happens before.
  if (read.text('ANSWER_TIMEOUT_MS') === undefined || !isGood('ANSWER_TIMEOUT_MS')) return problems;
  for (const [name, bound] of [
    ['DATABASE_ACQUIRE_TIMEOUT_MS', database.acquireTimeoutMs],
    ['DATABASE_STATEMENT_TIMEOUT_MS', database.statementTimeoutMs],
  ] as const) {
    if (limits.answerTimeoutMs > bound || !isGood(name)) continue;
    problems.push(
      `ANSWER_TIMEOUT_MS must be more than ${name}, which is ${bound}, not ${limits.answerTimeoutMs}`,
    );
  }
  return problems;
}

interface IntegerRule {
  min: number;
  max: number;
}

class EnvironmentReader {
  readonly problems: string[] = [];
  constructor(private readonly environment: NodeJS.ProcessEnv) {}

  isBad(name: string): boolean {
    return this.problems.some((problem) => problem.startsWith(`${name} `));
  }

  /** An empty variable counts as unset, which is how compose files and shells pass "nothing". */
  text(name: string): string | undefined {
    const value = this.environment[name]?.trim();
    return value === '' ? undefined : value;
  }

  integer(name: string, rule: IntegerRule & { fallback: number }): number {
    return this.optionalInteger(name, rule) ?? rule.fallback;
  }

  optionalInteger(name: string, { min, max }: IntegerRule): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    this.problems.push(`${name} must be a whole number from ${min} to ${max}, not "${text}"`);
    return undefined;
  }

  oneOf<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const found = allowed.find((value) => value === text);
    if (found === undefined)
      this.problems.push(`${name} must be one of ${allowed.join(', ')}, not "${text}"`);
    return found ?? fallback;
  }

  isOn(name: string, fallback: boolean): boolean {
    return this.oneOf(name, ['on', 'off'], fallback ? 'on' : 'off') === 'on';
  }

  origins(name: string): string[] {
    const origins = (this.text(name) ?? '')
      .split(',')
      .map((origin) => origin.trim())
      .filter(Boolean);
    for (const origin of origins) {
      if (origin !== '*' && (!URL.canParse(origin) || new URL(origin).origin !== origin)) {
        this.problems.push(`${name} must list origins such as https://app.example.com, not "${origin}"`);
      }
    }
    return origins;
  }

  /** The embedded database comes with a key printed on the screen: it is for this machine only. */
  host(name: string, isEmbedded: boolean): string {
    const host = this.text(name) ?? (isEmbedded ? '127.0.0.1' : '0.0.0.0');
    if (isEmbedded && !/^(127(\.\d{1,3}){3}|localhost|::1)$/.test(host)) {
      this.problems.push(
        `${name} must be a loopback address such as 127.0.0.1 while DATABASE_URL is unset, not "${host}"`,
      );
    }
    return host;
  }

  /** 32 bytes in base64, and after a comma those that were used before. Never repeated in the message. */
  keys(name: string): string[] {
    const keys = (this.text(name)?.split(',') ?? []).map((key) => key.trim());
    if (!keys.every((key) => /^[A-Za-z0-9+/]{43}=$/.test(key))) {
      this.problems.push(
        `${name} must be 32 random bytes in base64 (openssl rand -base64 32), or two of them with a comma between: the new one, then the old one`,
      );
    } else if (keys.some((key) => new Set(Buffer.from(key, 'base64')).size === 1)) {
      this.problems.push(`${name} is an example, not random: make one with openssl rand -base64 32`);
    }
    return keys;
  }

  postgresUrl(name: string): string | undefined {
    const text = this.text(name);
    const fault = text === undefined ? undefined : faultOfPostgresUrl(text);
    if (fault !== undefined) this.problems.push(`${name} ${fault}`);
    return text;
  }

  /** Of several, which one is wrong is told by its place: they may hold passwords. */
  postgresUrls(name: string): string[] {
    const urls = (this.text(name) ?? '').split(',').map((url) => url.trim());
    if (urls.length === 1 && urls[0] === '') return [];
    for (const [i, url] of urls.entries()) {
      const fault = faultOfPostgresUrl(url);
      if (fault === undefined) continue;
      this.problems.push(
        `${name} has URLs separated by commas (in a password a comma is %2C); number ${i + 1} ${fault}`,
      );
    }
    return urls;
  }

  /** The value is never repeated in the message: it may hold a password. */
  url(name: string, protocol: RegExp, example: string): string | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (!URL.canParse(text) || !protocol.test(new URL(text).protocol)) {
      this.problems.push(`${name} must look like ${example}`);
    }
    return text;
  }
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
  }
  return Object.freeze(value);
}
