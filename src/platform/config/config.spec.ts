// The environment: sensible when nothing is set, and every bad setting reported together, without its secrets.
import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from './config.js';
import { warningsOfSettings } from './ignored-settings.js';
import { SETTINGS } from './settings.js';

const DATABASE_URL = 'postgres://user:hunter2@db.example.com:5432/tanks';

function problemsOf(environment: NodeJS.ProcessEnv): readonly string[] {
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('loadConfig', () => {
  it('needs nothing: then it is the embedded database, for this machine only', () => {
    expect(loadConfig({})).toMatchObject({
      databaseUrl: undefined,
      host: '127.0.0.1',
      port: 3000,
      metricsPort: undefined,
      metricsHost: '127.0.0.1',
      logLevel: 'info',
      corsOrigins: [],
      trustedProxies: 0,
      rateLimit: { requests: 0 },
      telemetryRetentionMonths: undefined,
      shutdown: { delayMs: 0 },
    });
  });

  it('listens on every address when a database is given', () => {
    expect(loadConfig({ DATABASE_URL })).toMatchObject({ databaseUrl: DATABASE_URL, host: '0.0.0.0' });
  });

  it('reads every setting of the table, and nothing else', () => {
    const asked = new Set<string>();
    loadConfig(new Proxy({}, { get: (_, name) => void asked.add(String(name)) }));

    expect([...asked].toSorted()).toEqual(Object.keys(SETTINGS).toSorted());
  });

  it('reads each value', () => {
    const config = loadConfig({
      DATABASE_URL,
      HOST: '::1',
      PORT: '8080',
      METRICS_PORT: '9090',
      METRICS_HOST: '0.0.0.0',
      LOG_LEVEL: 'debug',
      CORS_ORIGINS: 'https://a.example.com, https://b.example.com:8443',
      TRUSTED_PROXIES: '2',
      DATABASE_POOL_SIZE: '20',
      RATE_LIMIT_REQUESTS: '100',
      TELEMETRY_RETENTION_MONTHS: '24',
      INGEST: 'false',
    });

    expect(config).toMatchObject({
      host: '::1',
      port: 8080,
      metricsPort: 9090,
      metricsHost: '0.0.0.0',
      logLevel: 'debug',
      corsOrigins: ['https://a.example.com', 'https://b.example.com:8443'],
      trustedProxies: 2,
      database: { poolSize: 20 },
      ingest: { isOn: false },
      worker: false,
      rateLimit: { requests: 100, windowSeconds: 60 },
      telemetryRetentionMonths: 24,
    });
  });

  it('derives every bound inside a request from the time it has', () => {
    const environment = {
      ANSWER_TIMEOUT_MS: '4000',
      SHUTDOWN_GRACE_MS: '30000',
      DATABASE_POOL_SIZE: '4',
    };

    expect(loadConfig(environment)).toMatchObject({
      database: { acquireTimeoutMs: 3_500, statementTimeoutMs: 2_000, lockTimeoutMs: 1_000 },
      limits: {
        answerTimeoutMs: 4_000,
        headersTimeoutMs: 2_500,
        exchangeTimeoutMs: 90_000,
      },
      ingest: {
        poolSize: 2,
        answerTimeoutMs: 15_000,
        bodyTimeoutMs: 15_000,
        statementTimeoutMs: 12_500,
        lockTimeoutMs: 10_000,
      },
      shutdown: { delayMs: 0, graceMs: 30_000 },
    });
  });

  it.each([
    ['true', true],
    ['on', true],
    ['false', false],
    ['off', false],
  ])('takes %s for a flag', (INGEST, isOn) => {
    expect(loadConfig({ INGEST })).toMatchObject({ ingest: { isOn }, worker: isOn });
  });

  it('takes no other word for a flag', () => {
    expect(problemsOf({ WORKER: 'yes' })).toEqual(['WORKER must be true or false, not "yes"']);
  });

  it('takes an empty variable for one that is not set', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: ' ', CORS_ORIGINS: '' })).toEqual(loadConfig({}));
  });

  it('cannot be changed afterwards', () => {
    const config = loadConfig({});

    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.database)).toBe(true);
    expect(Object.isFrozen(config.corsOrigins)).toBe(true);
  });

  it('reports every bad setting at once', () => {
    const problems = problemsOf({
      DATABASE_URL: 'mysql://user:hunter2@db/tanks',
      PORT: '70000',
      LOG_LEVEL: 'loud',
      CORS_ORIGINS: 'app.example.com',
      DATABASE_POOL_SIZE: 'many',
      RATE_LIMIT_REQUESTS: '-1',
    });

    expect(problems.map((problem) => String(problem.split(' ', 1)[0])).toSorted()).toEqual([
      'CORS_ORIGINS',
      'DATABASE_POOL_SIZE',
      'DATABASE_URL',
      'LOG_LEVEL',
      'PORT',
      'RATE_LIMIT_REQUESTS',
    ]);
    expect(new ConfigError(problems).message).toContain(
      '  - PORT must be a whole number from 0 to 65535, not "70000"',
    );
  });

  it.each(['mysql://user:hunter2@db/tanks', 'user:hunter2@db', 'postgres//hunter2', 'hunter2'])(
    'never repeats a database URL, which holds a password: %s',
    (url) => {
      expect(problemsOf({ DATABASE_URL: url })).toEqual([
        'DATABASE_URL must look like postgres://user:password@host:5432/database',
      ]);
    },
  );

  it.each(['1.5', '1e3', '-1', '0x10', '65536', 'three', '3000a', '9'.repeat(20)])(
    'takes a whole number in range for PORT, and nothing else: %j',
    (text) => {
      expect(problemsOf({ PORT: text })).toHaveLength(1);
    },
  );

  it('takes an origin with a slash at its end for the origin', () => {
    expect(
      loadConfig({ PUBLIC_URL: 'https://a.example.com:8443/', CORS_ORIGINS: 'https://b.example.com/,*' }),
    ).toMatchObject({
      publicUrl: 'https://a.example.com:8443',
      corsOrigins: ['https://b.example.com', '*'],
    });
    for (const url of ['https://a.example.com/path/', 'https://a.example.com//', '/', 'ftp://a.example.com/'])
      expect(problemsOf({ PUBLIC_URL: url })).toEqual([
        'PUBLIC_URL must be an origin such as https://tanks.example.com, without a path',
      ]);
  });

  it.each(['https://user@a.example.com', 'https://a.example.com/path', 'a.example.com', 'null'])(
    'takes origins for CORS_ORIGINS, and nothing else: %s',
    (origin) => {
      expect(problemsOf({ CORS_ORIGINS: `https://ok.example.com,${origin}` })).toEqual([
        `CORS_ORIGINS must list origins such as https://app.example.com, not "${origin}"`,
      ]);
    },
  );

  it.each([
    [
      { PORT: '9464', METRICS_PORT: '9464' },
      ['METRICS_PORT must be another port than PORT, not 9464 as well'],
    ],
    [
      { METRICS_PORT: '3000' }, // PORT's default
      ['METRICS_PORT must be another port than PORT, not 3000 as well'],
    ],
    [
      { HOST: '0.0.0.0' },
      ['HOST must be a loopback address such as 127.0.0.1 while DATABASE_URL is unset, not "0.0.0.0"'],
    ],
  ])('reports settings that contradict each other: %j', (environment, problems) => {
    expect(problemsOf(environment)).toEqual(problems);
  });

  it('reports contradictions along with everything else that is wrong, and nothing twice', () => {
    const environment = { PORT: 'x', METRICS_PORT: '3000', LOG_LEVEL: 'loud', HOST: '0.0.0.0' };
    expect(problemsOf(environment)).toEqual([
      'PORT must be a whole number from 0 to 65535, not "x"',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud"',
      'HOST must be a loopback address such as 127.0.0.1 while DATABASE_URL is unset, not "0.0.0.0"',
    ]);
  });

  it('wants all that mails and signing in need, also when some of it is wrong', () => {
    const environment = { SMTP_URL: 'mail', MAIL_FROM: 'x', OIDC_CLIENT_ID: 'tanks' };
    expect(problemsOf(environment).filter((problem) => problem.includes('is required'))).toEqual([
      'OIDC_ISSUER is required to sign in with an identity provider',
      'OIDC_CLIENT_SECRET is required to sign in with an identity provider',
      'PUBLIC_URL is required to sign in with an identity provider',
      'PUBLIC_URL is required with SMTP_URL, to send mails',
      'WEBHOOK_SECRET_KEY is required with SMTP_URL, to send mails',
    ]);
  });

  it('takes one line of at most 200 characters for the name of the company', () => {
    const longest = 'ö😀'.repeat(100);

    expect(loadConfig({ COMPANY_NAME: ` ${longest} ` }).companyName).toBe(longest);
    for (const COMPANY_NAME of [`${longest}.`, 'Gas\nLtd', 'Gas\u2028Ltd', 'Gas\u0000'])
      expect(problemsOf({ COMPANY_NAME })).toEqual([
        'COMPANY_NAME must be one line of at most 200 characters',
      ]);
  });

  it('takes any free port for both', () => {
    expect(() => loadConfig({ PORT: '0', METRICS_PORT: '0' })).not.toThrow();
  });

  it.each([
    ['postgres://someone:very#secret@db/tanks', /percent-encoded/],
    ['postgres://someone:12#secret@db/tanks', /percent-encoded/],
    ['postgres://someone:very/secret@db/tanks', /percent-encoded/],
    ['postgres://someone:12/secret@db/tanks', /percent-encoded/],
    ['postgres://someone:very?secret@db/tanks', /percent-encoded/],
    ['postgres://someone:very%secret@db/tanks', /percent-encoded/],
    ['postgres://db/tanks?sslmode=verify_full', /sslmode: disable, no-verify,/],
    ['postgres://someone:secret@one,two/tanks', /must name one host/],
    ['postgres://someone:secret@one:5432,two:5433/tanks', /must name one host/],
    ['postgres://one:5432,two:5433/tanks?user=someone', /must name one host/],
    ['postgres:///tanks?host=one,two', /must name one host/],
    ['postgres://someone:secret@db/tanks?target_session_attrs=read-write', /without target_session_attrs/],
    ['postgres://someone:secret@db/tanks?load_balance_hosts=random', /without .*load_balance_hosts/],
  ])('says in one line what is wrong with %s, without repeating it', (url, reason) => {
    const load = () => loadConfig({ DATABASE_URL: url });

    expect(load).toThrow(reason);
    expect(load).not.toThrow('secret@');
  });

  it.each(['smtp://tanks:very#secret@mail', 'smtps://tanks:very/secret@mail', 'smtp://tanks:%secret@mail'])(
    'says that a password of the mail server has to be encoded, without repeating it: %s',
    (SMTP_URL) => {
      const [problem] = problemsOf({ SMTP_URL });

      expect(problem).toMatch(/^SMTP_URL .* percent-encoded/);
      expect(problem).not.toContain('secret@');
    },
  );

  it.each([
    'postgres://someone:very%23secret@db/tanks',
    'postgresql:///tanks?host=/run',
    'postgres://a:b@c@d/e',
    'postgres://someone:very,secret@db/tanks',
  ])('takes %s', (url) => {
    expect(loadConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it('takes standbys to read from, separated by commas', () => {
    const DATABASE_READ_URLS = 'postgres://one/tanks, postgres://user:a%2Cb@two/tanks';

    expect(loadConfig({ DATABASE_URL, DATABASE_READ_URLS })).toMatchObject({
      readUrls: ['postgres://one/tanks', 'postgres://user:a%2Cb@two/tanks'],
    });
    expect(loadConfig({ DATABASE_URL })).toMatchObject({ readUrls: [], maxReplicationLagSeconds: 30 });
  });

  it.each([
    ['postgres://user:hunter2@one/tanks,mysql://user:hunter2@two/tanks', /number 2 must look like postgres:/],
    ['postgres://user:hunter2@one/tanks,', /number 2 must look like postgres:/],
    ['postgres://user:hunter2@one:1,two:2/tanks', /number 2 must look like postgres:/],
    ['postgres://user:hunter2@one/tanks?target_session_attrs=any', /number 1 must name one host/],
  ])('says which of the standbys is wrong, without repeating it: %s', (DATABASE_READ_URLS, reason) => {
    const [problem, ...others] = problemsOf({ DATABASE_URL, DATABASE_READ_URLS });

    expect(others).toEqual([]);
    expect(problem).toMatch(/^DATABASE_READ_URLS /);
    expect(problem).toMatch(reason);
    expect(problem).not.toContain('hunter2');
  });

  it('wants the primary of the standbys', () => {
    expect(problemsOf({ DATABASE_READ_URLS: 'postgres://one/tanks' })).toEqual([
      'DATABASE_READ_URLS needs a DATABASE_URL: the primary that its standbys are copies of',
    ]);
  });
});

describe('what is set and ignored', () => {
  it('is named together if it is of an earlier version, with what to use instead', () => {
    const set = {
      RATE_LIMIT_WINDOW_SECONDS: '9',
      SHUTDOWN_DELAY_MS: '1',
      REQUEST_TIMEOUT_MS: '1',
      METRICS_HOST: '::',
      PORT: '3000',
    };
    expect(warningsOfSettings(set)).toEqual([
      'settings that no longer exist are ignored: RATE_LIMIT_WINDOW_SECONDS, SHUTDOWN_DELAY_MS (use SHUTDOWN_GRACE_MS), REQUEST_TIMEOUT_MS (use ANSWER_TIMEOUT_MS); see docs/configuration.md',
    ]);
  });

  it('is named if it is misspelt, with what was meant', () => {
    expect(
      warningsOfSettings({ LOG_LEVLE: 'debug', DATABASE_ULR: 'x', INGEST_POOL: '3', WORKERS: 'false' }),
    ).toEqual([
      'unknown settings are ignored: LOG_LEVLE (did you mean LOG_LEVEL?), DATABASE_ULR (did you mean DATABASE_URL?), INGEST_POOL, WORKERS (did you mean WORKER?); see docs/configuration.md',
    ]);
  });

  it('is named if OpenTelemetry knows it and the service does not', () => {
    expect(warningsOfSettings({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toEqual([
      'values that are not supported are ignored, and spans are sent as http/json, usually to port 4318: OTEL_EXPORTER_OTLP_PROTOCOL (grpc: use http/json or http/protobuf); see docs/configuration.md',
    ]);
  });

  it('is no reason for a warning if it is empty, right, or of somebody else', () => {
    const ours = {
      PORT: '3000',
      MAX_CONNECTIONS: '',
      LOG_LEVLE: ' ',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    };
    const others = {
      HOME: '/root',
      HOSTNAME: 'db',
      POSTGRES_PASSWORD: 'x',
      DATABASE_HOST: 'db',
      REDIS_PORT: 'tcp://10.0.0.1:6379',
      REDIS_SERVICE_HOST: '10.0.0.1',
      MQTT_PORT_1883_TCP: 'x',
      DOCKER: 'x',
      NODE_ENV: 'production',
      OTEL_SERVICE_NAME: 'x',
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'x',
    };
    expect(warningsOfSettings({ ...ours, ...others })).toEqual([]);
  });
});

describe('the table of settings', () => {
  it('is short', () => {
    expect(Object.keys(SETTINGS).length).toBeLessThanOrEqual(38);
  });

  it('names the unit of every time and size', () => {
    const ENDINGS = {
      milliseconds: '_MS',
      seconds: '_SECONDS',
      days: '_DAYS',
      months: '_MONTHS',
      bytes: '_BYTES',
    };
    for (const [name, { type }] of Object.entries(SETTINGS)) {
      for (const [unit, ending] of Object.entries(ENDINGS)) {
        expect({ name, isNamed: name.endsWith(ending) }).toEqual({
          name,
          isNamed: type.startsWith(`${unit},`),
        });
      }
    }
  });
});
