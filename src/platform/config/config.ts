// The environment, read once into one frozen object. Every bad setting is reported together, so that an operator fixes a
// deployment in one round. The settings themselves are in settings.ts; what follows from them is here.
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { isLoopback } from './kinds.js';
import { SETTINGS, type SettingName, type Values } from './settings.js';

/** By which whoever needs the configuration asks Nest for it. */
export const CONFIG = Symbol('configuration');

export type Config = DeepReadonly<ReturnType<typeof toConfig>>;

@Global()
@Module({})
export class ConfigModule {
  static with(config: Config): DynamicModule {
    return { module: ConfigModule, providers: [{ provide: CONFIG, useValue: config }], exports: [CONFIG] };
  }
}

export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(['The environment is not usable:', ...problems.map((problem) => `  - ${problem}`)].join('\n'));
  }
}

export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = [];
  // An empty variable counts as unset, which is how compose files and shells pass "nothing".
  const textOf = (name: SettingName) => environment[name]?.trim() || undefined;
  const config = toConfig((name) =>
    SETTINGS[name].read(textOf(name), (reason) => void problems.push(`${name} ${reason}`)),
  );
  problems.push(...contradictions(config, problems, (name) => textOf(name) !== undefined));
  if (problems.length > 0) throw new ConfigError(problems);
  return deepFreeze(config);
}

/** Node's own for headers. A form body holds what a query string may, which is a part of them. */
export const FORM_BYTES = 16_384;

type Read = <Name extends SettingName>(name: Name) => Values[Name];

function toConfig(read: Read) {
  const databaseUrl = read('DATABASE_URL');
  const isEmbedded = databaseUrl === undefined;
  const takesReadings = read('INGEST');
  const poolSize = read('DATABASE_POOL_SIZE');
  const answerMs = read('ANSWER_TIMEOUT_MS');
  const withinAnswer = parts(answerMs);
  const withinIngest = parts((answerMs * 15) / 4);
  const graceMs = read('SHUTDOWN_GRACE_MS');
  const maxIngestBytes = read('INGEST_MAX_BODY_BYTES');
  return {
    databaseUrl,
    readUrls: read('DATABASE_READ_URLS'),
    maxReplicationLagSeconds: 30,
    host: read('HOST') ?? (isEmbedded ? '127.0.0.1' : '0.0.0.0'),
    port: read('PORT'),
    metricsPort: read('METRICS_PORT'),
    metricsHost: read('METRICS_HOST'),
    logLevel: read('LOG_LEVEL'),
    publicUrl: read('PUBLIC_URL'),
    corsOrigins: read('CORS_ORIGINS'),
    trustedProxies: read('TRUSTED_PROXIES'),
    // Each wait inside a request is shorter than the request's own time, so that the log says which one was too long.
    database: {
      poolSize,
      acquireTimeoutMs: withinAnswer(7 / 8),
      statementTimeoutMs: withinAnswer(1 / 2),
      lockTimeoutMs: withinAnswer(1 / 4),
    },
    limits: {
      answerTimeoutMs: withinAnswer(1),
      headersTimeoutMs: withinAnswer(5 / 8),
      /** For one request and its answer, until it was read. No client holds its place for longer. */
      exchangeTimeoutMs: Math.max(90_000, withinAnswer(3), withinIngest(3)),
      /** More than the 60 s after which load balancers give up an idle connection: the side that uses it must close it first. */
      keepAliveTimeoutMs: 65_000,
      /** Idle, they take about 100 MB. */
      maxConnections: 10_000,
      /** About what ten connections to the database answer within the default time; more would time out. */
      maxWaitingRequests: 4_000,
      /** Who waits for changes holds a connection of HTTP, and none to the database. */
      maxWaitingForChanges: 1_000,
      maxHeaderBytes: FORM_BYTES,
      maxBodyBytes: FORM_BYTES,
    },
    ingest: {
      isOn: takesReadings,
      databaseUrl: read('INGEST_DATABASE_URL'),
      /** Few: requests that wait are written together. At least two: one may wait for a lock. */
      poolSize: Math.max(2, Math.round(poolSize * 0.3)),
      /** An import may hold a lock for some seconds. */
      lockTimeoutMs: withinIngest(2 / 3),
      statementTimeoutMs: withinIngest(5 / 6),
      /** From the end of the body. */
      answerTimeoutMs: withinIngest(1),
      bodyTimeoutMs: withinIngest(1),
      maxBodyBytes: maxIngestBytes,
      /** Of all requests in progress together. */
      maxWaitingBytes: 64 * maxIngestBytes,
    },
    fillToPercent: read('FILL_TO_PERCENT'),
    companyName: read('COMPANY_NAME'),
    map: { tilesUrl: read('MAP_TILES_URL'), attribution: read('MAP_ATTRIBUTION') },
    redisUrl: read('REDIS_URL'),
    rateLimit: {
      requests: read('RATE_LIMIT_REQUESTS'),
      windowSeconds: 60,
    },
    webhooks: {
      secretKeys: read('WEBHOOK_SECRET_KEY'),
      allowPrivate: read('WEBHOOK_ALLOW_PRIVATE'),
      /** For the names of receivers; none: those of /etc/resolv.conf. */
      nameServers: [] as string[],
    },
    /** Undefined where people sign in with API keys only. */
    oidc: whole({
      issuer: read('OIDC_ISSUER'),
      clientId: read('OIDC_CLIENT_ID'),
      clientSecret: read('OIDC_CLIENT_SECRET'),
      trustEmail: read('OIDC_TRUST_EMAIL'),
      admins: read('OIDC_ADMINS'),
    }),
    /** Undefined without a broker. */
    mqtt: whole({
      broker: read('MQTT_URL'),
      key: read('MQTT_KEY'),
      topics: read('MQTT_TOPICS'),
      clientId: read('MQTT_CLIENT_ID'),
    }),
    mail: {
      server: read('SMTP_URL'),
      from: read('MAIL_FROM'),
      /** Where the demo keeps its mails: it has no server. */
      folder: undefined as string | undefined,
    },
    /** Where nothing may be written, the background work cannot be done either. */
    worker: read('WORKER') ?? takesReadings,
    eventRetentionDays: read('EVENT_RETENTION_DAYS'),
    telemetryRetentionMonths: read('TELEMETRY_RETENTION_MONTHS'),
    shutdown: {
      delayMs: isEmbedded ? 0 : graceMs / 15,
      graceMs,
    },
  };
}

/** Undefined where a part is: if only some are, NEEDED says so. */
function whole<T extends object>(all: T): { [Name in keyof T]: NonNullable<T[Name]> } | undefined {
  return isWhole(all) ? all : undefined;
}

function isWhole<T extends object>(all: T): all is { [Name in keyof T]: NonNullable<T[Name]> } {
  return !Object.values(all).includes(undefined);
}

function parts(wholeMs: number): (share: number) => number {
  return (share) => Math.round(wholeMs * share);
}

/** Settings that others need: with any of the first, all of the second. */
const NEEDED: readonly [SettingName[], SettingName[], words: string][] = [
  [['MQTT_URL'], ['MQTT_KEY'], 'is required with MQTT_URL: an API key with telemetry:write'],
  [
    ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
    ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'PUBLIC_URL'],
    'is required to sign in with an identity provider',
  ],
  [
    ['SMTP_URL'],
    ['MAIL_FROM', 'PUBLIC_URL', 'WEBHOOK_SECRET_KEY'],
    'is required with SMTP_URL, to send mails',
  ],
];

/** Settings that are valid alone but not together. */
function contradictions(
  { databaseUrl, readUrls, host, port, metricsPort }: Config,
  problems: readonly string[],
  isSet: (name: SettingName) => boolean,
): string[] {
  const found: string[] = [];
  // The embedded database comes with a key printed on the screen: it is for this machine only.
  if (databaseUrl === undefined && !isLoopback(host)) {
    found.push(
      `HOST must be a loopback address such as 127.0.0.1 while DATABASE_URL is unset, not "${host}"`,
    );
  }
  if (databaseUrl === undefined && readUrls.length > 0) {
    found.push('DATABASE_READ_URLS needs a DATABASE_URL: the primary that its standbys are copies of');
  }
  for (const [causes, names, words] of NEEDED) {
    if (!causes.some(isSet)) continue;
    found.push(...names.filter((name) => !isSet(name)).map((name) => `${name} ${words}`));
  }
  const isPortKnown = !problems.some((problem) => problem.startsWith('PORT '));
  if (metricsPort === port && port !== 0 && isPortKnown) {
    found.push(`METRICS_PORT must be another port than PORT, not ${metricsPort} as well`);
  }
  return found;
}

type DeepReadonly<T> = {
  readonly [Name in keyof T]: T[Name] extends object ? DeepReadonly<T[Name]> : T[Name];
};

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
  }
  return Object.freeze(value);
}
