// Whoever guesses keys costs the database one look-up a prefix, and no key is ever found in what the service says of itself.
import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { sendBytes } from '../support/raw.js';
import { createFleet, createKey } from './support/fleet.js';
import { expectOnly } from './support/judgement.js';
import { OwnPostgres } from './support/own-postgres.js';
import { freePort } from './support/ports.js';
import { ask, metricsAt, type Outcome } from './support/requests.js';
import { ServiceProcess } from './support/service-process.js';
import { until } from './support/until.js';

// Every statement is a line of PostgreSQL's log, after the name of who sent it.
const postgres = await OwnPostgres.start({
  log_statement: 'all',
  log_min_duration_statement: '-1',
  log_line_prefix: '%a|',
});
const fleet = await createFleet(postgres.url);
const metricsPort = await freePort();
const service = await ServiceProcess.start({
  DATABASE_URL: postgres.url,
  METRICS_PORT: String(metricsPort),
  LOG_LEVEL: 'trace',
});

async function statementsOfService(): Promise<string[]> {
  const lines = (await postgres.log()).split('\n');
  // Without the look at the clock, once a minute.
  return lines.filter((line) => /^tank-monitoring-api\|LOG: {2}(execute(?! clock)|statement)/.test(line));
}

/** How many statements the service sent while this was done. */
async function cost(work: () => Promise<void>, named = ''): Promise<number> {
  const sent = async () => (await statementsOfService()).filter((line) => line.includes(named)).length;
  const before = await sent();
  await work();
  return (await sent()) - before;
}

const askWith = (key: string, path = '/v1/tanks'): Promise<Outcome> => service.get(path, key);

const secret = () => randomBytes(32).toString('base64url');
const guess = (prefix: string) => `${prefix}.${secret()}`;
const [prefix = '', ownSecret = ''] = fleet.key.split('.');

describe('a key that is not one', () => {
  it('costs no statement, when it does not look like one', async () => {
    const garbage = [
      '.',
      prefix,
      `${prefix}.`,
      `.${ownSecret}`,
      `${prefix}.${ownSecret}x`,
      `${prefix} .${ownSecret}`,
      `${prefix}.${ownSecret.slice(1)}=`,
      `${'p'.repeat(33)}.${ownSecret}`,
      '\u00e9'.repeat(50),
      'a'.repeat(8_000),
    ];
    const outcomes: Outcome[] = [];
    const statements = await cost(async () => {
      for (let round = 0; round < 20; round++)
        outcomes.push(...(await Promise.all(garbage.map((key) => askWith(key)))));
      outcomes.push(await service.get('/v1/tanks'), await askWith(''));
    });

    expectOnly([401], outcomes);
    expect(statements).toBe(0);
  });

  it('costs one statement for all guesses at one prefix that come within seconds', async () => {
    const outcomes: Outcome[] = [];
    const startedAt = performance.now();
    const statements = await cost(async () => {
      const guesses = Array.from({ length: 100 }, () => guess('tms_nobody'));
      outcomes.push(...(await Promise.all(guesses.map((key) => askWith(key)))));
    });
    // What was looked up is believed for three seconds.
    const periods = Math.ceil((performance.now() - startedAt) / 3_000);

    expectOnly([401], outcomes);
    expect(statements).toBeGreaterThanOrEqual(1);
    expect(statements).toBeLessThanOrEqual(periods);
  });

  it('costs few statements from an address over its limit, and a good key from there is let in', async () => {
    const limited = await ServiceProcess.start({ DATABASE_URL: postgres.url, RATE_LIMIT_REQUESTS: '20' });
    const [used, unused] = [await createKey(postgres.url), await createKey(postgres.url)];
    const askLimited = (key: string) => limited.get('/v1/key', key);
    const guesses = (name: string) =>
      Promise.all(Array.from({ length: 100 }, (_, i) => askLimited(guess(`tms_${name}${i}`))));
    expectOnly([200], [await askLimited(used)]);

    const startedAt = performance.now();
    const first = await cost(async () => expectOnly([401, 429], await guesses('many')), 'find_api_key');
    const then = await cost(async () => expectOnly([429], await guesses('more')), 'find_api_key');
    const seconds = Math.ceil((performance.now() - startedAt) / 1_000);

    expect(first).toBeLessThanOrEqual(20 + 5 * seconds);
    expect(then).toBeLessThanOrEqual(5 * seconds);
    expectOnly([200], [await askLimited(used)]);
    await until('one that is new there is let in', async () => (await askLimited(unused)).status === 200);
    await limited.stop();
  });
});

it('probes share their look at the database, however many come at once', async () => {
  const outcomes: Outcome[] = [];
  const statements = await cost(async () => {
    outcomes.push(...(await Promise.all(Array.from({ length: 200 }, () => service.ready()))));
  });

  expectOnly([200], outcomes);
  const tookMs = Math.max(...outcomes.map(({ milliseconds }) => milliseconds));
  expect(statements).toBeLessThanOrEqual(Math.ceil(tookMs / 250) + 1);
});

it('a secret is in no log, metric, error or statement, whatever is done with it', async () => {
  const guessed = guess('tms_nobody');
  const secrets = [ownSecret, guessed.split('.')[1] ?? ''];
  const answers: string[] = [];
  // A success may repeat the address it was asked at, in its links; an error repeats nothing.
  const keep = ({ status = 0, body, headers }: Outcome) => {
    if (status >= 400) answers.push(body, JSON.stringify(headers));
  };

  for (const key of [fleet.key, guessed]) {
    const inUrl = encodeURIComponent(key);
    for (const path of [
      `/v1/tanks?api_key=${inUrl}`,
      `/v1/tanks/${inUrl}`,
      `/v1/customers?email=${inUrl}`,
      `/${inUrl}/%zz`,
      '/v1/tanks?size=0',
      '/nowhere',
    ]) {
      keep(await askWith(key, path));
      keep(await service.get(path));
    }
    for (const headers of [{ Authorization: `Bearer ${key}` }, { 'X-Request-Id': 'own', Cookie: `k=${key}` }])
      keep(await ask(service.url, { path: '/v1/tanks', headers }));
    // So malformed that no request comes of it.
    for (const bytes of [
      `GET /v1/tanks HTTP/1.1\r\nX-API-Key: ${key}\r\nbad header\r\n\r\n`,
      `GET /v1/tanks HTTP/9.9\r\nX-API-Key: ${key}\r\n\r\n`,
      `GET /v1/tanks HTTP/1.1\r\nX-API-Key: ${key}\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    ]) {
      answers.push((await sendBytes(service.url, bytes)).text);
    }
  }
  // A read that fails with the key in hand, first bounded, then by a defect.
  const unlock = await postgres.lock('tanks');
  keep(await askWith(fleet.key));
  await unlock();
  await postgres.query('alter table list_counts rename to gone');
  keep(await askWith(fleet.key));
  await postgres.query('alter table gone rename to list_counts');

  await until('the last failure is logged', async () => (await service.output()).includes('internal_error'));
  const said = {
    log: await service.output(),
    metrics: await metricsAt(metricsPort),
    statements: (await statementsOfService()).join('\n'),
    errors: answers.join('\n'),
  };
  expect(said.log).toContain('internal_error');
  expect(said.log).toContain('database_unavailable');
  expect(said.metrics).toContain('http_request_duration_seconds');
  const found = Object.entries(said).flatMap(([where, text]) =>
    secrets.filter((each) => text.includes(each)).map((each) => `${each.slice(0, 4)}… in ${where}`),
  );
  expect(found).toEqual([]);
  expect(service.child.isRunning).toBe(true);
});
