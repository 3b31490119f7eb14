// The one table of settings. `npm run settings` writes .env.example and the tables in docs/configuration.md from it.
import {
  address,
  addresses,
  flag,
  issuerUrl,
  oneLine,
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
  type Setting,
} from './kinds.js';
import { mailFrom, smtpUrl } from './mail-settings.js';
import { mqttClientId, mqttKey, mqttTopics, mqttUrl } from './mqtt-settings.js';

const TABLE = {
  DATABASE_URL: postgresUrl.about(
    'The PostgreSQL database, version 15 or later.',
    'an embedded PostgreSQL with demo data, for this machine only',
  ),
  DATABASE_READ_URLS: postgresUrls.about(
    'Standbys to read from. DATABASE_URL is then their primary. One that is more than 30 s behind is left out.',
    'reads use DATABASE_URL',
  ),
  DATABASE_POOL_SIZE: wholeNumber('connections', 1, 500)
    .or(10)
    .about('Connections for reads. Writing readings uses 3 more for every 10, at least 2.'),

  HOST: address.about('Address to listen on.', '0.0.0.0, or 127.0.0.1 without a DATABASE_URL'),
  PORT: wholeNumber('port', 0, 65_535).or(3000).about('Port to listen on. 0 is any free port.'),
  ANSWER_TIMEOUT_MS: wholeNumber('milliseconds', 1_000, 60_000)
    .or(8_000)
    .about(
      'A request is answered within this time, one with a body within 15/4 of it. The limits of its steps are parts of this time.',
    ),
  PUBLIC_URL: origin.about('Where people reach the service: links begin with it.', 'no links'),
  CORS_ORIGINS: origins.about('Origins whose pages may call the API from a browser.', 'none'),
  TRUSTED_PROXIES: wholeNumber('proxies', 0, 10)
    .or(0)
    .about("Number of proxies in front of the service whose X-Forwarded-For gives the caller's address."),

  OIDC_ISSUER: issuerUrl.about(
    "The company's identity provider (OpenID Connect). Needs the next two, and PUBLIC_URL.",
    'people sign in with API keys only',
  ),
  OIDC_CLIENT_ID: text.about('What the provider calls this service.', 'none'),
  OIDC_CLIENT_SECRET: text.about('What the provider gave this service to prove itself.', 'none'),
  OIDC_ADMINS: addresses.about('Who is an admin from each sign-in on.', 'nobody'),
  OIDC_TRUST_EMAIL: flag
    .or(false)
    .about('true for a provider that never says whether it has verified an address, such as Entra ID.'),

  RATE_LIMIT_REQUESTS: wholeNumber('requests', 0, 10_000_000)
    .or(0)
    .about('Requests that a key, or an address without a valid key, may make in a minute. 0 is no limit.'),
  REDIS_URL: redisUrl.about(
    'Redis through which instances share their rate limits.',
    'each instance counts for itself',
  ),

  INGEST: flag
    .or(true)
    .about('false turns all writes over HTTP off, for a standby or a database role that may not write.'),
  INGEST_DATABASE_URL: postgresUrl.about(
    'Where readings, customers, tanks and sensors are written and the background work is done, with a role of its own.',
    'DATABASE_URL',
  ),
  INGEST_MAX_BODY_BYTES: wholeNumber('bytes', 1_024, 67_108_864)
    .or(2_097_152)
    .about(
      'Maximum size of a body of readings, decompressed. All bodies in memory together may have 64 times as much.',
    ),

  MQTT_URL: mqttUrl.about(
    'The broker whose messages are taken as uplinks, by one of the processes with background work. ?protocol=3.1.1 is for brokers without MQTT 5.',
    'no broker',
  ),
  MQTT_KEY: mqttKey.about(
    'API key with telemetry:write, required with MQTT_URL: messages count as sent with it.',
    'none',
  ),
  MQTT_TOPICS: mqttTopics.about(
    'Filters to subscribe to, and who publishes there. The first that fits a message counts.',
  ),
  MQTT_CLIENT_ID: mqttClientId
    .or('tank-monitoring')
    .about('Names the session that the broker keeps. Services with other databases need other ones.'),

  SMTP_URL: smtpUrl.about(
    'The mail server that recipients are told by; smtp uses STARTTLS where it is offered, smtps TLS from the start. Needs MAIL_FROM, PUBLIC_URL and WEBHOOK_SECRET_KEY, the same in all processes.',
    'mail is off',
  ),
  MAIL_FROM: mailFrom.about('Who mails are from.', 'none'),

  WORKER: flag.about(
    'false leaves the background work to worker processes: judging tanks, placing changes, delivering webhooks, sending mails, forecasting, removing old events, changes, uplinks and readings, adding partitions.',
    'the same as INGEST',
  ),
  EVENT_RETENTION_DAYS: wholeNumber('days', 1, 3_650).or(90).about('How long events are kept.'),
  TELEMETRY_RETENTION_MONTHS: wholeNumber('months', 1, 1_200).about(
    'How many whole months of readings are kept before the current one.',
    'all readings are kept',
  ),
  WEBHOOK_SECRET_KEY: secretKeys.about(
    'Key that encrypts the signing secrets of webhooks (openssl rand -base64 32). To change it, set "new,old".',
    'webhooks are off',
  ),
  WEBHOOK_ALLOW_PRIVATE: flag
    .or(false)
    .about('true allows webhooks to private addresses and over plain http, for tests and closed networks.'),

  COMPANY_NAME: oneLine.about(
    'The company whose people use the fleet page: shown where they sign in, and in the head of the page.',
    'the name of the product alone',
  ),
  FILL_TO_PERCENT: wholeNumber('percent', 1, 100)
    .or(85)
    .about(
      'Up to what level a tank may be filled: amounts that fit are up to it, in the plan, in suggested runs and in daily mails. The same in all processes.',
    ),
  MAP_TILES_URL: tilesUrl.about(
    'Tile server for the map of the fleet page. The browsers of visitors then load its pictures from there.',
    'the map that comes with the page',
  ),
  MAP_ATTRIBUTION: text.about(
    'What the tile server wants to be shown on the map, such as "© OpenStreetMap contributors".',
    'nothing',
  ),

  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')
    .or('info')
    .about('The least severe level that is logged.'),
  METRICS_PORT: wholeNumber('port', 0, 65_535).about(
    'Port of the Prometheus metrics, at /metrics.',
    'no metrics',
  ),
  METRICS_HOST: address
    .or('127.0.0.1')
    .about('Address to listen on for METRICS_PORT; 0.0.0.0 where Prometheus is on another machine.'),
  SHUTDOWN_GRACE_MS: wholeNumber('milliseconds', 100, 600_000)
    .or(15_000)
    .about(
      'How long requests in flight may take after SIGTERM. For 1/15 of it before, requests are still accepted while /health/ready reports 503.',
    ),
};

export type SettingName = keyof typeof TABLE;
export type Values = { [Name in SettingName]: ReturnType<(typeof TABLE)[Name]['read']> };

export const SETTINGS: { readonly [Name in SettingName]: Setting<Values[Name]> } = TABLE;
