// Sessions: a key that somebody signs in with becomes one, which is good for this service's own page alone.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { hash } from 'node:crypto';
import { until } from '../faults/support/until.js';
import { startService } from '../support/app.js';
import { insertFleetOf } from '../support/builders.js';
import { Browser } from '../support/identity.js';

const service = await startService({ environment: { CORS_ORIGINS: 'https://other.example.com' } });
const second = await startService({ database: service.database });
const { sql } = service;

const ENDS_WITHIN_MS = 30_000; // ten times what is promised
const CUSTOMER = { name: 'A', email: 'a@example.com' };

beforeEach(async () => {
  await sql.query('delete from sessions');
  await insertFleetOf(sql, { ours: [], theirs: [] });
});

/** Another one with the session that this one has. */
function copyOf(browser: Browser, url = service.url): Browser {
  const copy = new Browser(url);
  copy.cookies.set('session', browser.cookies.get('session') ?? '');
  return copy;
}

async function signedIn(
  bounds: Parameters<typeof service.createKey>[0] = {},
  stay?: boolean,
): Promise<{ browser: Browser; key: string; cookie: string }> {
  const browser = new Browser(service.url);
  const key = await service.createKey({ name: 'office', scopes: ['read', 'customers:write'], ...bounds });
  const response = await browser.ask('/auth/key', { method: 'POST', body: { key, stay } });
  expect(response.status).toBe(200);
  return { browser, key, cookie: response.headers.getSetCookie().join() };
}

/** How a session fares on another instance that is so old, and was last used so long ago. */
const aged = async (browser: Browser, created: string, used: string): Promise<number> => {
  const token = browser.cookies.get('session') ?? '';
  await sql.query(
    'update sessions set created_at = now() - $2::interval, used_at = now() - $3::interval where hash = $1',
    [hash('sha256', token, 'buffer'), created, used],
  );
  return statusOf(copyOf(browser, second.url).ask('/v1/tanks'));
};

const statusOf = async (response: Promise<Response>): Promise<number> => (await response).status;

describe('POST /auth/key', () => {
  it('makes a session that may and is what the key may and is', async () => {
    const { browser, key, cookie } = await signedIn({ customerId: 'ours' });

    expect(cookie).toMatch(/^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    const me = (await (await browser.ask('/v1/me')).json()) as object;
    expect(me).toEqual({
      object: 'me',
      kind: 'key',
      name: 'office',
      email: null,
      scopes: ['read', 'customers:write'],
      customer_id: 'ours',
    });
    const own = (await (await browser.ask('/v1/key')).json()) as { prefix: string };
    expect(own.prefix).toBe(key.split('.')[0]);
    const customers = (await (await browser.ask('/v1/customers')).json()) as { data: { id: string }[] };
    expect(customers.data.map(({ id }) => id)).toEqual(['ours']);
    expect(await statusOf(browser.ask('/v1/activity'))).toBe(403);
    expect(await statusOf(browser.ask('/v1/customers/theirs'))).toBe(404);
  });

  it('keeps a hash, is good on another instance, and never cached', async () => {
    const { browser } = await signedIn();
    const token = browser.cookies.get('session') ?? '';

    const { rows } = await sql.query<{ hash: Buffer; all: string }>(
      'select hash, sessions::text as all from sessions',
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.hash).toEqual(hash('sha256', token, 'buffer'));
    expect(await statusOf(copyOf(browser, second.url).ask('/v1/tanks'))).toBe(200);
    const response = await browser.ask('/auth/logout', { method: 'POST' });
    expect(response.headers.get('Cache-Control')).toBe('no-store');
  });

  it('with stay lasts 30 days, used or not; without it 12 hours without use and 7 days', async () => {
    const stays = await signedIn({}, true);
    expect(stays.cookie).toContain('Max-Age=2592000');

    expect(await aged((await signedIn()).browser, '6 days 23 hours', '11 hours 59 minutes')).toBe(200);
    expect(await aged((await signedIn()).browser, '13 hours', '12 hours 1 minute')).toBe(401);
    expect(await aged((await signedIn()).browser, '7 days 1 minute', '1 minute')).toBe(401);
    expect(await aged(stays.browser, '29 days 23 hours', '29 days')).toBe(200);
    expect(await aged((await signedIn({}, true)).browser, '30 days 1 minute', '0')).toBe(401);
  });

  it.each([
    ['wrong', `tms_abcdefgh.${'A'.repeat(43)}`, 401],
    ['no key at all', 'garbage', 401],
    ['empty', '', 401],
    ['a number', 7, 400],
    ['missing', undefined, 400],
  ])('refuses one that is %s', async (_, key, status) => {
    const browser = new Browser(service.url);
    const response = await browser.ask('/auth/key', { method: 'POST', body: { key } });

    expect(response.status).toBe(status);
    expect(browser.cookies.size).toBe(0);
    const { code } = (await response.json()) as { code: string };
    expect(code).toBe(status === 401 ? 'invalid_api_key' : 'invalid_fields');
  });

  it('ends the last session of the same browser', async () => {
    const { browser, key } = await signedIn();
    const first = copyOf(browser);
    await browser.ask('/auth/key', { method: 'POST', body: { key } });

    expect(browser.cookies.get('session')).not.toBe(first.cookies.get('session'));
    expect(await statusOf(first.ask('/v1/tanks'))).toBe(401);
  });
});

describe('a session', () => {
  it('ends with its key, within 3 s', async () => {
    const { browser, key } = await signedIn();
    expect(await statusOf(browser.ask('/v1/tanks'))).toBe(200);
    await service.keys.revoke(key.split('.')[0] ?? '');

    const hasEnded = async () => (await statusOf(browser.ask('/v1/tanks'))) === 401;
    await until('it has ended', hasEnded, ENDS_WITHIN_MS);
  });

  it('ends at sign-out, here at once; signing out without one is fine', async () => {
    const { browser } = await signedIn();
    const copy = copyOf(browser);
    expect(await statusOf(browser.ask('/v1/tanks'))).toBe(200);

    expect(await statusOf(browser.ask('/auth/logout', { method: 'POST' }))).toBe(204);

    expect(browser.cookies.size).toBe(0);
    expect(await statusOf(copy.ask('/v1/tanks'))).toBe(401);
    expect(await statusOf(new Browser(service.url).ask('/auth/logout', { method: 'POST' }))).toBe(204);
  });

  it('does not matter to a request with a key, which needs no page', async () => {
    const { browser, key } = await signedIn({ scopes: ['read'] });
    const writer = await service.createKey({ scopes: ['customers:write'] });
    const post = (headers: Record<string, string>) =>
      statusOf(
        browser.ask('/v1/customers', {
          method: 'POST',
          body: CUSTOMER,
          headers: { 'Sec-Fetch-Site': 'cross-site', ...headers },
        }),
      );

    expect(await post({ 'X-API-Key': writer })).toBe(201);
    expect(await post({ Authorization: `Bearer ${writer}` })).toBe(201);
    expect(await statusOf(browser.ask('/v1/tanks', { headers: { 'X-API-Key': `${key}x` } }))).toBe(401);
  });
});

const own = service.url;
/** Whether a request with these headers is the page's own. */
const ORIGINS: [description: string, headers: Record<string, string>, isOwn: boolean][] = [
  ['same-origin', { 'Sec-Fetch-Site': 'same-origin' }, true],
  ['same-origin, whatever the origin', { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }, true],
  ['its origin', { Origin: own }, true],
  ['cross-site', { 'Sec-Fetch-Site': 'cross-site' }, false],
  ['cross-site with its origin', { 'Sec-Fetch-Site': 'cross-site', Origin: own }, false],
  ['same-site', { 'Sec-Fetch-Site': 'same-site', Origin: own }, false],
  ['none', { 'Sec-Fetch-Site': 'none' }, false],
  ['an empty one', { 'Sec-Fetch-Site': '' }, false],
  ['neither', {}, false],
  ['the origin null', { Origin: 'null' }, false],
  ['another port', { Origin: 'http://127.0.0.1:1' }, false],
  ['another scheme', { Origin: own.replace('http:', 'https:') }, false],
  ['an origin that CORS allows', { Origin: 'https://other.example.com' }, false],
];

it('without an identity provider there is no sign-in with one', async () => {
  for (const path of ['/auth/login', '/auth/callback'])
    expect(await statusOf(new Browser(service.url).go(path))).toBe(404);
});

describe('a change with a session', () => {
  const requests: [method: string, path: string, body: object | undefined, status: number][] = [
    ['POST', '/v1/customers', CUSTOMER, 201],
    ['PUT', '/v1/customers/new', CUSTOMER, 201],
    ['PATCH', '/v1/customers/theirs', { name: 'B' }, 200],
    ['DELETE', '/v1/customers/theirs', undefined, 200],
    ['POST', '/auth/logout', undefined, 204],
    ['POST', '/auth/key', { key: service.key }, 200],
  ];

  it.each(ORIGINS)('from %s', async (_, headers, isOwn) => {
    let { browser } = await signedIn();
    for (const [method, path, body, status] of requests) {
      if (isOwn) ({ browser } = await signedIn());
      const response = await browser.go(path, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });

      expect([method, path, response.status]).toEqual([method, path, isOwn ? status : 403]);
      if (isOwn) continue;
      expect(await response.json()).toMatchObject({ code: 'cross_site' });
      expect(await statusOf(browser.ask('/v1/customers/theirs'))).toBe(200); // nothing was changed
    }
  });

  it('needs none of it to read, and CORS allows no credentials', async () => {
    const { browser } = await signedIn();
    const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://other.example.com' };

    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const response = await browser.go('/v1/customers', { method, headers });
      expect([method, response.ok]).toEqual([method, true]);
      expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    }
    const preflight = await browser.go('/auth/key', {
      method: 'OPTIONS',
      headers: { ...headers, 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBeNull();
    expect(await statusOf(browser.go('/auth/key', { method: 'POST', headers }))).toBe(403);
  });

  it('is the public address that counts where there is one', async () => {
    const named = await startService({
      database: service.database,
      environment: { PUBLIC_URL: 'https://tanks.example.com' },
    });
    const key = await service.createKey({ scopes: ['customers:write'] });
    const sign = (headers: Record<string, string>) =>
      new Browser(named.url).go('/auth/key', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify({ key }),
      });

    expect((await sign({ Origin: named.url })).status).toBe(403);
    const response = await sign({ Origin: 'https://tanks.example.com' });
    expect(response.status).toBe(200);
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const [pair = ''] = cookie.split(';');
    const ask = (value: string) => statusOf(fetch(`${named.url}/v1/me`, { headers: { Cookie: value } }));
    expect(await ask(pair)).toBe(200);
    expect(await ask(pair.replace('__Host-', ''))).toBe(401); // one that anybody could have set
  });
});
