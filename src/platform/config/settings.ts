// The one table of settings. `npm run settings` writes .env.example and the tables in docs/configuration.md from it.
import {
  address,
  addresses,
  flag,
  issuerUrl,
  oneOf,
  origin,
  origins,
  postgresUrl,
  postgresUrls,
  redisUrl,
  secretKeys,
  text,
  tilesUrl,
  wholeNumber,
  withDefault,
  type Setting,
} from './kinds.js';
import { mailFrom, smtpUrl } from './mail-settings.js';
import { mqttClientId, mqttKey, mqttTopics, mqttUrl } from './mqtt-settings.js';

/** By the headings of the docs. */
export const GROUPS = {
  Database: {
    DATABASE_URL: postgresUrl(
      'The PostgreSQL database, version 15 or later.',
      'an embedded PostgreSQL with demo data, for this machine only',
    ),
    DATABASE_READ_URLS: postgresUrls(
      'Standbys to read from. DATABASE_URL is then their primary. One that is more than 30 s behind is left out.',
      'reads use DATABASE_URL',
    ),
    DATABASE_POOL_SIZE: withDefault(
      10,
      wholeNumber('connections', 1, 500),
    )('Connections for reads. Writing readings uses 3 more for every 10, at least 2.'),
  },
  HTTP: {
    HOST: address('Address to listen on.', '0.0.0.0, or 127.0.0.1 without a DATABASE_URL'),
    PORT: withDefault(3000, wholeNumber('port', 0, 65_535))('Port to listen on. 0 is any free port.'),
    ANSWER_TIMEOUT_MS: withDefault(
      8_000,
      wholeNumber('milliseconds', 1_000, 60_000),
    )(
      'A request is answered within this time, one with a body within 15/4 of it. The limits of its steps are parts of this time.',
    ),
    PUBLIC_URL: origin('Where people reach the service: links begin with it.', 'no links'),
    CORS_ORIGINS: origins('Origins whose pages may call the API from a browser.', 'none'),
    TRUSTED_PROXIES: withDefault(
      0,
      wholeNumber('proxies', 0, 10),
    )("Number of proxies in front of the service whose X-Forwarded-For gives the caller's address."),
  },
  'Signing in': {
    OIDC_ISSUER: issuerUrl(
      "The company's identity provider (OpenID Connect). Needs the next two, and PUBLIC_URL.",
      'people sign in with API keys only',
    ),
    OIDC_CLIENT_ID: text('What the provider calls this service.', 'none'),
    OIDC_CLIENT_SECRET: text('What the provider gave this service to prove itself.', 'none'),
    OIDC_ADMINS: addresses('Who is an admin from each sign-in on.', 'nobody'),
    OIDC_TRUST_EMAIL: withDefault(
      false,
      flag,
    )('true for a provider that never says whether it has verified an address, such as Entra ID.'),
  },
  'Rate limits': {
    RATE_LIMIT_REQUESTS: withDefault(
      0,
      wholeNumber('requests', 0, 10_000_000),
    )('Requests that a key, or an address without a valid key, may make in a minute. 0 is no limit.'),
    REDIS_URL: redisUrl(
      'Redis through which instances share their rate limits.',
      'each instance counts for itself',
    ),
  },
  Readings: {
    INGEST: withDefault(
      true,
      flag,
    )('false turns all writes over HTTP off, for a standby or a database role that may not write.'),
    INGEST_DATABASE_URL: postgresUrl(
      'Where readings, customers, tanks and sensors are written and the background work is done, with a role of its own.',
      'DATABASE_URL',
    ),
    INGEST_MAX_BODY_BYTES: withDefault(
      2_097_152,
      wholeNumber('bytes', 1_024, 67_108_864),
    )(
      'Maximum size of a body of readings, decompressed. All bodies in memory together may have 64 times as much.',
    ),
  },
  MQTT: {
    MQTT_URL: mqttUrl(
      'The broker whose messages are taken as uplinks, by one of the processes with background work. ?protocol=3.1.1 is for brokers without MQTT 5.',
      'no broker',
    ),
    MQTT_KEY: mqttKey(
      'API key with telemetry:write, required with MQTT_URL: messages count as sent with it.',
      'none',
    ),
    MQTT_TOPICS: mqttTopics(
      'Filters to subscribe to, and who publishes there. The first that fits a message counts.',
    ),
    MQTT_CLIENT_ID: withDefault(
      'tank-monitoring',
      mqttClientId,
    )('Names the session that the broker keeps. Services with other databases need other ones.'),
  },
  Mail: {
    SMTP_URL: smtpUrl(
      'The mail server that recipients are told by; smtp uses STARTTLS where it is offered, smtps TLS from the start. Needs MAIL_FROM, PUBLIC_URL and WEBHOOK_SECRET_KEY, the same in all processes.',
      'mail is off',
    ),
    MAIL_FROM: mailFrom('Who mails are from.', 'none'),
  },
  'Background work': {
    WORKER: flag(
      'false leaves the background work to worker processes: judging tanks, placing changes, delivering webhooks, sending mails, forecasting, removing old events, changes, uplinks and readings, adding partitions.',
      'the same as INGEST',
    ),
    EVENT_RETENTION_DAYS: withDefault(90, wholeNumber('days', 1, 3_650))('How long events are kept.'),
    TELEMETRY_RETENTION_MONTHS: wholeNumber(
      'months',
      1,
      1_200,
    )('How many whole months of readings are kept before the current one.', 'all readings are kept'),
    WEBHOOK_SECRET_KEY: secretKeys(
      'Key that encrypts the signing secrets of webhooks (openssl rand -base64 32). To change it, set "new,old".',
      'webhooks are off',
    ),
    WEBHOOK_ALLOW_PRIVATE: withDefault(
      false,
      flag,
    )('true allows webhooks to private addresses and over plain http, for tests and closed networks.'),
  },
  'Fleet page': {
    MAP_TILES_URL: tilesUrl(
      'Tile server for the map of the fleet page. The browsers of visitors then load its pictures from there.',
      'the map that comes with the page',
    ),
    MAP_ATTRIBUTION: text(
      'What the tile server wants to be shown on the map, such as "© OpenStreetMap contributors".',
      'nothing',
    ),
  },
  Operation: {
    LOG_LEVEL: withDefault(
      'info',
      oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    )('The least severe level that is logged.'),
    METRICS_PORT: wholeNumber(
      'port',
      0,
      65_535,
    )('Port of the Prometheus metrics, at /metrics.', 'no metrics'),
    METRICS_HOST: withDefault(
      '127.0.0.1',
      address,
    )('Address to listen on for METRICS_PORT; 0.0.0.0 where Prometheus is on another machine.'),
    SHUTDOWN_GRACE_MS: withDefault(
      15_000,
      wholeNumber('milliseconds', 100, 600_000),
    )(
      'How long requests in flight may take after SIGTERM. For 1/15 of it before, requests are still accepted while /health/ready reports 503.',
    ),
  },
};

const TABLE = {
  ...GROUPS.Database,
  ...GROUPS.HTTP,
  ...GROUPS['Signing in'],
  ...GROUPS['Rate limits'],
  ...GROUPS.Readings,
  ...GROUPS.MQTT,
  ...GROUPS.Mail,
  ...GROUPS['Background work'],
  ...GROUPS['Fleet page'],
  ...GROUPS.Operation,
};

export type SettingName = keyof typeof TABLE;
export type Values = { [Name in SettingName]: ReturnType<(typeof TABLE)[Name]['read']> };

export const SETTINGS: { readonly [Name in SettingName]: Setting<Values[Name]> } = TABLE;
