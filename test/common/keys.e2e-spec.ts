// API keys: who gets in, what a key that is bound to a customer sees, and what GET /v1/key tells a caller of its own.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { pino } from 'pino';
import { LastUse } from '../../src/common/auth/last-use.js';
import { Scheduler } from '../../src/platform/lifecycle/scheduler.js';
import { until } from '../faults/support/until.js';
import { startService, type Agent } from '../support/app.js';
import { insertFleetOf, insertReadings, insertTank } from '../support/builders.js';
import { problem } from '../support/problems.js';

const service = await startService();
const { sql, keys } = service;

const HOUR_MS = 3_600_000;
const ENDS_WITHIN_MS = 50_000; // ten times what is promised
const PATHS = [
  '/v1/customers',
  '/v1/customers/ours',
  '/v1/tanks',
  '/v1/tanks/our-tank',
  '/v1/tanks/our-tank/telemetry',
];
const CHALLENGE = 'ApiKey realm="Tank Monitoring Service"';
const INVALID = problem(
  401,
  'invalid_api_key',
  'This API key is unknown, expired or revoked. Ask your operator for a new one.',
);
const REFUSED = PATHS.map((path) => ({ path, status: 401, challenge: CHALLENGE, body: INVALID }));
const OPEN = PATHS.map((path) => ({ path, status: 200, challenge: undefined, body: expect.anything() }));

const prefixOf = (key: string) => key.slice(0, key.indexOf('.'));
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

beforeEach(async () => {
  await insertFleetOf(sql, { theirs: ['their-tank'], ours: ['our-tank', 'our-second-tank'] });
  await insertTank(sql, 'ours', { id: 'our-deleted-tank', deleted: true });
  for (const tank of ['their-tank', 'our-tank', 'our-deleted-tank']) {
    await insertReadings(sql, tank, [{ created_at: '2026-01-01T00:00:00.000Z', fill_percentage: 10 }]);
  }
});

/** What every operation answers to a key. */
async function answersTo(key: string): Promise<object[]> {
  const answers: object[] = [];
  for (const path of PATHS) {
    const { status, headers, text } = await service.raw({ path }, key);
    answers.push({ path, status, challenge: headers['www-authenticate'], body: JSON.parse(text) as unknown });
  }
  return answers;
}

/** The service may believe a key for a few seconds more; it must not for longer than it promises. */
const answersInTime = (status: number, key: string) =>
  until(`it is ${status}`, async () => (await service.status('/v1/tanks', key)) === status, ENDS_WITHIN_MS);

describe('a key', () => {
  it('opens every operation, beside others and until it expires', async () => {
    const bounds = [{}, {}, { expiresAt: new Date(Date.now() + HOUR_MS) }];
    const several = await Promise.all(bounds.map((one) => service.createKey(one)));

    for (const key of several) expect(await answersTo(key)).toEqual(OPEN);
  });

  it('is a public prefix and a secret of 32 random bytes, and stored as its SHA-256 and in no other way', async () => {
    const [key, other] = [await service.createKey({ name: 'stored' }), await service.createKey()];
    const secret = key.slice(key.indexOf('.') + 1);

    expect(key).toMatch(/^tms_[\w-]{8}\.[\w-]{43}$/);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(other.slice(other.indexOf('.') + 1)).not.toBe(secret);
    const { rows } = await sql.query<{ hash: Buffer; all: string }>(
      'select hash, api_keys::text as all from api_keys where prefix = $1',
      [prefixOf(key)],
    );
    expect(rows[0]?.hash).toEqual(createHash('sha256').update(key).digest());
    expect(rows[0]?.all).not.toContain(secret);
    expect(JSON.stringify(await keys.list())).not.toContain(secret);
  });

  it.each([
    ['well formed and unknown', () => `tms_abcdefgh.${'A'.repeat(43)}`],
    ['an attempt at SQL', () => "' or 1=1 --"],
    ['a good one with another secret', (key: string) => `${prefixOf(key)}.${'A'.repeat(43)}`],
    [
      'one with a letter changed',
      (key: string) => key.slice(0, -2) + (key.at(-2) === 'A' ? 'B' : 'A') + key.at(-1),
    ],
    ['one in another case', (key: string) => key.toUpperCase()],
    ['one that is there twice', (key: string) => `${key}, ${key}`],
  ])('that is %s is refused', async (_, change) => {
    const key = await service.createKey();
    await service.agent(key).get('/v1/tanks').expect(200);

    expect(await answersTo(change(key))).toEqual(REFUSED);
  });

  it('is read from Authorization too, as a bearer token or a password, and from nowhere else', async () => {
    const key = await service.createKey();
    const answer = async (...headers: [string, string][]) => {
      const { status, headers: told, text } = await service.raw({ path: '/v1/tanks', headers }, null);
      expect(told['www-authenticate']).toBe(status === 401 ? CHALLENGE : undefined);
      return status === 200 ? 200 : (JSON.parse(text) as { code: string }).code;
    };

    for (const good of [`Bearer ${key}`, `bearer  ${key}`, basic(`anna:${key}`), basic(`:${key}`)])
      expect(await answer(['Authorization', good])).toBe(200);
    for (const ofAProxy of [basic('anna:secret'), basic(`${key}:`), 'Bearer eyJhbGciOi.J9', 'Digest x', key])
      expect(await answer(['Authorization', ofAProxy])).toBe('missing_api_key');
    expect(await answer(['Authorization', `Bearer ${key.slice(0, -2)}xx`])).toBe('invalid_api_key');
    expect(await answer(['X-API-Key', 'wrong'], ['Authorization', `Bearer ${key}`])).toBe('invalid_api_key');
    expect(await answer(['X-API-Key', key], ['Authorization', 'Bearer eyJhbGciOi.J9'])).toBe(200);
    expect(await answer(['Cookie', `X-API-Key=${key}`])).toBe('missing_api_key');
    expect(await service.status(`/v1/tanks?api_key=${key}`, null)).toBe(401);
  });

  it('is refused when it has expired, or was revoked before its first use', async () => {
    const revoked = await service.createKey();
    await keys.revoke(prefixOf(revoked));

    expect(await answersTo(revoked)).toEqual(REFUSED);
    expect(await answersTo(await service.createKey({ expiresAt: new Date(Date.now() - 1) }))).toEqual(
      REFUSED,
    );
  });

  it('is refused from the moment it expires, although it was in use', async () => {
    let [key, expires, life] = ['', 0, 250];
    do {
      life *= 2; // a busy machine may be too late for the first use
      expires = Date.now() + life;
      key = await service.createKey({ expiresAt: new Date(expires) });
    } while ((await service.status('/v1/tanks', key)) !== 200);
    await until('its time is over', () => Date.now() > expires);

    expect(await answersTo(key)).toEqual(REFUSED);
  });

  it('is refused within 5 s of being revoked though it was in use, and known within 5 s though it was guessed before', async () => {
    const [revoked, guessed] = [await service.createKey(), await service.createKey()];
    await service.agent(revoked).get('/v1/tanks').expect(200);
    const hidden = await sql.query<{ row: object }>(
      'delete from api_keys where prefix = $1 returning to_jsonb(api_keys) as row',
      [prefixOf(guessed)],
    );
    expect(await answersTo(guessed)).toEqual(REFUSED);
    await keys.revoke(prefixOf(revoked));
    await sql.query('insert into api_keys select * from jsonb_populate_record(null::api_keys, $1)', [
      hidden.rows[0]?.row,
    ]);

    await Promise.all([answersInTime(401, revoked), answersInTime(200, guessed)]);
    expect(await answersTo(revoked)).toEqual(REFUSED);
  });
});

/** An agent whose key is bound to our customer. */
async function bound(): Promise<Agent> {
  return service.agent(await service.createKey({ customerId: 'ours' }));
}

describe('a key bound to a customer', () => {
  it('sees that customer and its tanks, deleted ones too by id, with totals and links of its own', async () => {
    const agent = await bound();
    const seen = async (path: string) => (await agent.get(path).expect(200)).body as object;
    const ours = { id: 'ours', tank_count: 2 };

    expect(await seen('/v1/customers/ours')).toMatchObject(ours);
    expect(await seen('/v1/customers')).toMatchObject({ data: [ours], total_items: 1, total_pages: 1 });
    const { body, headers } = await agent.get('/v1/tanks?size=1').expect(200);
    expect(body).toMatchObject({ data: [{ id: 'our-second-tank' }], total_items: 2, total_pages: 2 });
    expect(headers['link']).toContain('</v1/tanks?page=2&size=1>; rel="last"');
    for (const tank of ['our-tank', 'our-deleted-tank']) {
      expect(await seen(`/v1/tanks/${tank}`)).toMatchObject({ id: tank });
      const readings = { data: [{ fill_percentage: 10 }], total_items: 1 };
      expect(await seen(`/v1/tanks/${tank}/telemetry`)).toMatchObject(readings);
    }
  });

  it.each([
    ['/v1/customers/theirs', '/v1/customers/unknown'],
    ['/v1/tanks/their-tank', '/v1/tanks/unknown'],
    ['/v1/tanks/their-tank/telemetry', '/v1/tanks/unknown/telemetry'],
  ])('cannot tell %s from what there is not', async (theirs, unknown) => {
    const agent = await bound();
    const as = (path: string) => agent.get(path).set('X-Request-Id', 'same').expect(404);

    const [hidden, missing] = [await as(theirs), await as(unknown)];

    expect(hidden.text).toBe(missing.text);
    expect(withoutDate(hidden.headers)).toEqual(withoutDate(missing.headers));
  });

  it('ends within 5 s of its customer, and works again when that is restored', async () => {
    const key = await service.createKey({ customerId: 'ours' });
    const state = async () => (await keys.list()).find(({ prefix }) => prefix === prefixOf(key))?.state;
    expect(await answersTo(key)).toEqual(OPEN);
    expect(await state()).toBe('active');
    await sql.query("update customers set deleted = true where id = 'ours'");

    await answersInTime(401, key);
    expect(await answersTo(key)).toEqual(REFUSED);
    expect(await state()).toBe('customer deleted');
    await expect(keys.roll(prefixOf(key), HOUR_MS)).rejects.toThrow('This key has ended');

    await sql.query("update customers set deleted = false where id = 'ours'");
    await answersInTime(200, key);
    expect(await answersTo(key)).toEqual(OPEN);
  });
});

function withoutDate(headers: Record<string, string>): Record<string, string> {
  const { date: _, ...others } = headers;
  return others;
}

describe('GET /v1/key', () => {
  it('shows any valid key to its caller, whatever its scopes, and never its secret', async () => {
    const expiresAt = new Date('2099-01-02T03:04:05.678Z');
    const bounds = { name: 'gateway 7', customerId: 'ours', expiresAt };
    const key = await service.createKey({ ...bounds, scopes: ['tanks:write', 'telemetry:write'] });
    const { status, text } = await service.raw({ path: '/v1/key' }, key);

    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({
      object: 'key',
      prefix: prefixOf(key),
      name: 'gateway 7',
      scopes: ['tanks:write', 'telemetry:write'],
      customer_id: 'ours',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      expires_at: expiresAt.toISOString(),
    });
    expect(text).not.toContain(key.slice(key.indexOf('.') + 1));
  });

  it('is null where a key is not bound and does not end, and not sent again unchanged', async () => {
    const { body, headers } = await service.api.get('/v1/key').expect(200);

    expect(body).toMatchObject({ prefix: prefixOf(service.key), customer_id: null, expires_at: null });
    const fields = ['object', 'prefix', 'name', 'scopes', 'customer_id', 'created_at', 'expires_at'];
    expect(Object.keys(body as object)).toEqual(fields);
    const tag = headers['etag'] ?? '';
    await service.api.get('/v1/key').set('If-None-Match', tag).expect(304);
    expect(await service.status('/v1/key?x=1')).toBe(400); // it has no parameter
  });
});

it('the last use of keys is noted in one order, so that two processes never wait for each other', async () => {
  const made = await Promise.all([1, 2].map(() => service.createKey()));
  const [first = '', second = ''] = made.map(prefixOf).toSorted();
  const logger = pino({ level: 'silent' });
  const lastUse = new LastUse(sql, logger, new Scheduler(logger));
  const other = await sql.connect();
  const lock = (prefix: string) =>
    other.query('select from api_keys where prefix = $1 for update nowait', [prefix]);
  await other.query('begin');
  await lock(first);
  lastUse.note('key', second, Date.now());
  lastUse.note('key', first, Date.now());
  const flushed = lastUse.flush();
  await until('it waits for the first', async () => {
    const { rows } = await sql.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length > 0;
  });

  await lock(second); // nobody holds it
  await other.query('commit');
  other.release();
  await flushed;
  const { rows } = await sql.query(
    'select from api_keys where prefix = any ($1) and last_used_at is not null',
    [[first, second]],
  );
  expect(rows).toHaveLength(2);
});
