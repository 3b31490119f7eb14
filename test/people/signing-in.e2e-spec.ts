// Signing in with an identity provider, a real one, and what users may do then.
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { User } from 'tank-monitoring-client';
import { SCOPES, SCOPES_OF } from '../../src/common/auth/scope.js';
import { freePort } from '../faults/support/ports.js';
import { until } from '../faults/support/until.js';
import { startService, type Agent, type TestService } from '../support/app.js';
import { insertFleetOf } from '../support/builders.js';
import { pointersOf } from '../support/manage.js';
import { Browser, IdentityProvider, type Account } from '../support/identity.js';

const ADA: Account = { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada Byron' };
const BOSS: Account = { sub: 'boss', email: 'Boss@Example.com', email_verified: true, name: 'Boss' };
const ACTS_WITHIN_MS = 30_000; // ten times what is promised

/** The provider sends people back to a public address, which must be known before the service listens. */
async function startWithProvider(
  options: { method?: string; isThin?: boolean } = {},
  environment: Record<string, string> = {},
): Promise<{ service: TestService; provider: IdentityProvider }> {
  const publicUrl = `http://127.0.0.1:${await freePort()}`;
  const provider = await IdentityProvider.for(publicUrl, options);
  const service = await startService({
    environment: {
      ...provider.settings,
      OIDC_ADMINS: 'boss@example.com, chef@example.com, Koch@example.com',
      ...environment,
    },
  });
  return { service, provider };
}

const { service, provider } = await startWithProvider();
/** Its ID tokens have no address, and nobody has to say that one is verified. */
const thin = await startWithProvider(
  { method: 'client_secret_post', isThin: true },
  { OIDC_TRUST_EMAIL: 'true' },
);
const { sql } = service;
let admin: Agent;

/** What is sent to the public address arrives at the service. */
class Visitor extends Browser {
  constructor(readonly at: TestService = service) {
    super(at.url);
  }

  override async follow(address: string): ReturnType<Browser['follow']> {
    const { url } = await super.follow(address, ({ pathname }) => pathname === '/auth/callback');
    return super.follow(`${url.pathname}${url.search}`);
  }

  /** Up to the callback, which is not called. */
  async halfway(to = '/fleet'): Promise<string> {
    const { url } = await super.follow(
      `/auth/login?to=${encodeURIComponent(to)}`,
      ({ pathname }) => pathname === '/auth/callback',
    );
    return `${url.pathname}${url.search}`;
  }

  async json(path: string): Promise<unknown> {
    return (await this.ask(path)).json();
  }
}

const as = async (account: Account, at = service, by = provider): Promise<Visitor> => {
  await by.is(account);
  const visitor = new Visitor(at);
  await visitor.signIn();
  return visitor;
};

const activity = async (query: string): Promise<object[]> => {
  const { body } = await admin.get(`/v1/activity?${query}`).expect(200);
  return (body as { data: object[] }).data;
};

/** Has signed in, and has this role now. */
async function member(role?: string, customer_id?: string): Promise<{ visitor: Visitor; id: string }> {
  const visitor = await as(ADA);
  const { id } = await userOf(ADA);
  if (role !== undefined) await admin.patch(`/v1/users/${id}`).send({ role, customer_id }).expect(200);
  return { visitor, id };
}

const userOf = async ({ email = '' }: Account): Promise<User> => {
  const { body } = await admin.get('/v1/users?size=100').expect(200);
  const found = (body as { data: User[] }).data.find((user) => user.email === email);
  if (found === undefined) throw new Error(`There is no user ${email}.`);
  return found;
};

await Promise.all([provider.start(), thin.provider.start()]);

beforeEach(async () => {
  await sql.query('delete from users');
  await sql.query('delete from activity');
  await insertFleetOf(sql, { ours: [], theirs: [] });
  admin = service.agent(await service.createKey({ name: 'root', scopes: SCOPES }));
});

describe('somebody new', () => {
  it('has a session without scopes, and is told apart from nobody', async () => {
    await provider.is(ADA);
    const visitor = new Visitor();

    const { url, response } = await visitor.signIn('/fleet?state=low&q=a%20b');

    expect([url.pathname + url.search, response.status]).toEqual(['/fleet?state=low&q=a%20b', 200]);
    expect([...visitor.cookies.keys()]).toEqual(['session']);
    expect(await visitor.json('/v1/me')).toEqual({
      object: 'me',
      kind: 'user',
      name: 'Ada Byron',
      email: 'ada@example.com',
      scopes: [],
      customer_id: null,
    });
    for (const path of ['/v1/tanks', '/v1/fleet', '/v1/users', '/v1/keys'])
      expect((await visitor.ask(path)).status).toBe(403);
    expect((await visitor.ask('/v1/key')).status).toBe(404);
  });

  it('is created in the activity by the user itself, once, and listed', async () => {
    await as(ADA);
    await as({ ...ADA, name: 'Ada King' });
    const { id } = await userOf(ADA);

    const actor = { kind: 'user', id, name: 'Ada Byron', email: 'ada@example.com' };
    const created = { operation: 'create', object_id: id, object_name: 'Ada Byron', actor };
    for (const query of ['type=user', `actor=${id}`]) expect(await activity(query)).toMatchObject([created]);
    const { body: user } = await admin.get(`/v1/users/${id}`).expect(200);
    expect(user).toEqual({
      id,
      object: 'user',
      created_at: expect.any(String),
      updated_at: expect.any(String),
      email: 'ada@example.com',
      name: 'Ada King',
      role: 'none',
      customer_id: null,
      last_seen_at: expect.any(String),
    });
  });

  it('is somebody else with another subject and the same address, the same with another address', async () => {
    await as(ADA);
    const { id } = await userOf(ADA);
    await as({ ...ADA, sub: 'another' });
    await as({ ...ADA, email: 'king@example.com' });

    const { body } = await admin.get('/v1/users').expect(200);
    const { data } = body as { data: User[] };
    expect(data.map(({ email }) => email).toSorted()).toEqual(['ada@example.com', 'king@example.com']);
    expect(data.find(({ email }) => email === 'king@example.com')?.id).toBe(id);
  });

  it('is no admin with a letter that only looks like one of the address of an admin', async () => {
    const email = '\u212Aoch@example.com'; // the sign of kelvin
    const visitor = await as({ ...BOSS, sub: 'kelvin', email });
    expect(await visitor.json('/v1/me')).toMatchObject({ email, scopes: [] });
  });

  it('who is to be an admin becomes one of no customer, at each sign-in', async () => {
    const visitor = await as(BOSS);
    expect(await visitor.json('/v1/me')).toMatchObject({ scopes: [...SCOPES], customer_id: null });
    const { id } = await userOf(BOSS);
    await sql.query("update users set role = 'viewer', customer_id = 'ours' where id = $1", [id]);

    await as(BOSS);

    expect(await userOf(BOSS)).toMatchObject({ role: 'admin', customer_id: null });
    expect(await activity('type=user&operation=update')).toMatchObject([
      { actor: { id }, changes: { role: { from: 'viewer', to: 'admin' } } },
    ]);
  });
});

describe('an address', () => {
  it.each([
    ['verified', { email: 'a@example.com', email_verified: true }, false, 200],
    ['not verified', { email: 'a@example.com', email_verified: false }, false, 403],
    ['of which nothing is said', { email: 'a@example.com' }, false, 403],
    ['that is missing', { email_verified: true }, false, 403],
    ['of which nothing is said, with trust', { email: 'a@example.com' }, true, 200],
    ['not verified, with trust', { email: 'a@example.com', email_verified: false }, true, 403],
  ])('that is %s', async (_, claims, trusts, status) => {
    const other = trusts ? thin : { service, provider };
    await other.provider.is({ sub: 'x', ...claims });
    const visitor = new Visitor(other.service);

    const { response } = await visitor.signIn();

    expect(response.status).toBe(status);
    expect(visitor.cookies.has('session')).toBe(status === 200);
  });

  it('is taken from userinfo where the ID token has none, and only of the same person', async () => {
    await thin.provider.is(ADA);
    const visitor = new Visitor(thin.service);
    await visitor.signIn();
    expect(await visitor.json('/v1/me')).toMatchObject({ email: 'ada@example.com', name: 'Ada Byron' });

    await thin.provider.is({ ...ADA, otherSub: 'eve' });
    const mixed = new Visitor(thin.service);
    expect((await mixed.signIn()).response.status).toBe(400);
    expect(mixed.cookies.has('session')).toBe(false);
  });
});

describe('a sign-in', () => {
  it('is ended only by the browser that began it', async () => {
    await provider.is(ADA);
    const callback = await new Visitor().halfway();
    const victim = new Visitor();
    await victim.halfway();

    for (const other of [new Visitor(), victim]) {
      const response = await other.go(callback);
      expect(response.status).toBe(400);
      expect(other.cookies.has('session')).toBe(false);
      expect(await response.text()).toContain('Try again');
    }
  });

  it('of two tabs ends in each, whatever comes from elsewhere meanwhile; also of somebody new, at once', async () => {
    await provider.is(ADA);
    const visitor = new Visitor();
    const tabs = [await visitor.halfway('/fleet?tab=1'), await visitor.halfway('/fleet?tab=2')];
    expect((await visitor.go('/auth/callback?code=x&state=y')).status).toBe(400);

    const answers = await Promise.all(tabs.map((callback) => visitor.go(callback)));

    const places = answers.map(({ headers }) => headers.get('Location'));
    expect(places).toEqual(['/fleet?tab=1', '/fleet?tab=2']);
    expect((await visitor.ask('/v1/me')).status).toBe(200);
    expect((await admin.get('/v1/users').expect(200)).body).toMatchObject({ total_items: 1 });
  });

  it('fits in a cookie, wherever it leads and however many there are', async () => {
    await provider.is(ADA);
    const visitor = new Visitor();
    const far = `/fleet?q=${'é'.repeat(1200)}`;
    const response = await visitor.go(await visitor.halfway(far));
    expect(response.headers.get('Location')).toBe(encodeURI(far));

    const callbacks = [];
    for (const place of [`/fleet?q=${'€'.repeat(1300)}`, '/fleet?q=1', '/fleet?q=2', far]) {
      callbacks.push(await visitor.halfway(place));
      expect(visitor.cookies.get('signing-in')?.length).toBeLessThan(4_090);
    }

    expect((await visitor.go(callbacks.at(-1) ?? '')).status).toBe(302);
  });

  it.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de', 'Noch einmal versuchen'],
    ['fr,en;q=0.5', 'en', 'Try again'],
    ['fr', 'en', 'Try again'],
  ])('that fails says so in a language of the reader: %s', async (accepted, language, words) => {
    const response = await new Visitor().go('/auth/callback', { headers: { 'Accept-Language': accepted } });

    const page = await response.text();
    expect(page).toContain(`<html lang="${language}">`);
    expect(page).toContain(words);
  });

  it('is good once, on another instance too; one that fails again and again asks the provider a few times', async () => {
    await provider.is(ADA);
    const visitor = new Visitor();
    const callback = await visitor.halfway();
    const jar = new Map(visitor.cookies);
    const second = await startService({
      database: service.database,
      environment: { ...provider.settings, RATE_LIMIT_REQUESTS: '5' },
    });
    const elsewhere = new Visitor(second);
    for (const [name, value] of jar) elsewhere.cookies.set(name, value);

    expect((await elsewhere.go(callback)).status).toBe(302);
    expect((await elsewhere.go(callback)).status).toBe(400);
    for (const [name, value] of jar) elsewhere.cookies.set(name, value); // one that was copied
    expect((await elsewhere.go(callback)).status).toBe(400);

    const begun = await Promise.all(
      Array.from({ length: 15 }, async () => {
        const one = new Visitor(second);
        const address = (await one.halfway()).replace(/code=[^&]*/, 'code=guess');
        return { address, guess: { headers: { Cookie: `signing-in=${one.cookies.get('signing-in')}` } } };
      }),
    );
    const tryAll = () =>
      Promise.all(begun.map(({ address, guess }) => new Visitor(second).go(address, guess)));
    const answers = await tryAll();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 429]));
    // A copy of the cookie asks nobody again, however often: what is said is what a browser without it is told.
    const again = await Promise.all((await tryAll()).map((answer) => answer.text()));
    const elsewhereBegun = await (await new Visitor(second).go(callback)).text();
    expect(new Set(again)).toEqual(new Set([elsewhereBegun]));
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(refused?.headers.get('Retry-After')).toMatch(/^\d+$/);
  });

  it.each([
    ['/fleet', '/fleet'],
    ['/fleet/tanks/t-1?x=1#y', '/fleet/tanks/t-1?x=1#y'],
    ['/fleet?q=é', '/fleet?q=%C3%A9'],
    ['//evil.example.com', '/fleet'],
    ['https://evil.example.com/fleet', '/fleet'],
    ['/fleet/..//evil.example.com', '/fleet'],
    ['/fleet/../v1/tanks', '/fleet'],
    ['/\\evil.example.com', '/fleet'],
    ['/fleet\\..\\..\\\\evil.example.com', '/fleet'],
    ['/\t/evil.example.com', '/fleet'],
    ['/fleet\r\nSet-Cookie: a=b', '/fleetSet-Cookie:%20a=b'],
    [`/fleet?${'x'.repeat(2000)}`, '/fleet'],
  ])('to %j goes to %j', async (to, location) => {
    await provider.is(ADA);
    const visitor = new Visitor();

    const response = await visitor.go(await visitor.halfway(to));

    expect(response.headers.get('Location')).toBe(location);
  });

  it('is new each time: what was planted is not taken, and the last session ends', async () => {
    const visitor = await as(ADA);
    const first = visitor.cookies.get('session') ?? '';
    await visitor.signIn();

    expect(visitor.cookies.get('session')).not.toBe(first);
    visitor.cookies.set('session', first);
    expect((await visitor.ask('/v1/me')).status).toBe(401);
  });

  it('that the person refuses, or whose cookie is forged, is a page without anything of theirs', async () => {
    await provider.is({ ...ADA, refuses: true });
    const refused = (await new Visitor().signIn()).response;
    const forged = await new Visitor().go('/auth/callback?code=%3Cb%3Ex&state=%3Cb%3E', {
      headers: { Cookie: `signing-in=${'A'.repeat(400)}` },
    });

    for (const response of [refused, forged]) {
      expect(response.status).toBe(400);
      expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('Cache-Control')).toBe('no-store');
      expect(await response.text()).not.toMatch(/<b>|access_denied/);
    }
  });

  it('is not possible while the provider is away, and all else is', async () => {
    await provider.is(ADA);
    const visitor = await as(ADA);
    const begun = new Visitor();
    const callback = await begun.halfway();
    await provider.stop();
    const late = await startService({ database: service.database, environment: provider.settings });

    expect((await begun.go(callback)).status).toBe(503);
    expect((await new Visitor(late).go('/auth/login')).status).toBe(503);
    expect((await visitor.ask('/v1/me')).status).toBe(200);
    await provider.start();
    await provider.is(ADA);
    const visitorOfLate = new Visitor(late);
    expect((await visitorOfLate.signIn()).response.status).toBe(200);
  });
});

describe('a role', () => {
  it.each(Object.entries(SCOPES_OF))('%s has its scopes', async (role, scopes) => {
    const { id } = await member();
    const { body } = await admin.patch(`/v1/users/${id}`).send({ role }).expect(200);
    expect(body).toMatchObject({ id, role });

    expect(await (await as(ADA)).json('/v1/me')).toMatchObject({ scopes });
  });

  it('with a customer is as a bound key, within 3 s in the session that goes on, and never admin', async () => {
    const { visitor, id } = await member('clerk', 'ours');
    const patch = (body: object) => admin.patch(`/v1/users/${id}`).send(body);

    const seesOurs = async () => {
      const { data = [] } = (await visitor.json('/v1/customers')) as { data?: { id: string }[] };
      return data.map((customer) => customer.id).join() === 'ours';
    };
    await until('it sees its own', seesOurs, ACTS_WITHIN_MS);
    expect((await visitor.ask('/v1/customers/theirs')).status).toBe(404);
    const faults = async (body: object) => pointersOf(await patch(body).expect(400));
    expect(await faults({ role: 'admin' })).toEqual(['/role']);
    expect(await faults({ customer_id: 'nobody' })).toEqual(['/customer_id']);
    expect(await faults({ role: 'boss', email: 'x@example.com' })).toEqual(['/role']);
    expect(await faults({ email: 'x@example.com' })).toEqual(['/email']);
    await patch({ role: 'admin', customer_id: null }).expect(200);
    expect(await faults({ customer_id: 'ours' })).toEqual(['/customer_id']);
  });

  it('with scopes that the giver has not is refused; taking away is free', async () => {
    const { id } = await member();
    const giver = service.agent(await service.createKey({ scopes: ['users', 'read'] }));

    const { body } = await giver.patch(`/v1/users/${id}`).send({ role: 'dispatcher' }).expect(400);
    expect(body).toMatchObject({ errors: [{ pointer: '/role' }] });
    await giver.patch(`/v1/users/${id}`).send({ role: 'viewer' }).expect(200);
    await admin.patch(`/v1/users/${id}`).send({ role: 'clerk' }).expect(200);
    await admin.patch(`/v1/users/${id}`).send({ customer_id: 'ours' }).expect(200);
    const wider = await giver.patch(`/v1/users/${id}`).send({ customer_id: null }).expect(400);
    expect(wider.body).toMatchObject({ errors: [{ pointer: '/customer_id' }] });
    await giver.patch(`/v1/users/${id}`).send({ role: 'none' }).expect(200);
  });

  it('may be sent back as it was read; its ETag is no matter of being seen', async () => {
    const { id } = await member();
    const { body, headers } = await admin.get(`/v1/users/${id}`).expect(200);
    await sql.query("update users set last_seen_at = now() + interval '1 hour'");
    const ifMatch = headers['etag'] ?? '';
    const asRead = body as object;

    const same = await admin.patch(`/v1/users/${id}`).set('If-Match', ifMatch).send(asRead).expect(200);
    expect(same.headers['etag']).toBe(ifMatch);
  });

  it('of a user bounds the keys that it makes', async () => {
    const visitor = await as(BOSS);
    const made = await visitor.ask('/v1/keys', { method: 'POST', body: { name: 'n', scopes: ['users'] } });
    expect(made.status).toBe(201);
    const { id } = await userOf(BOSS);
    expect(await activity(`type=key&actor=${id}`)).toMatchObject([
      { operation: 'create', actor: { kind: 'user', id, name: 'Boss', email: 'Boss@Example.com' } },
    ]);
  });
});

describe('a removed user', () => {
  it('is signed out within 3 s, and new when it comes back', async () => {
    const { visitor, id } = await member('viewer');
    const gone = { id, object: 'user', deleted: true };
    expect((await admin.delete(`/v1/users/${id}`).expect(200)).body).toEqual(gone);

    await admin.delete(`/v1/users/${id}`).expect(404);
    await admin.get(`/v1/users/${id}`).expect(404);
    const isOut = async () => (await visitor.ask('/v1/me')).status === 401;
    await until('it is signed out', isOut, ACTS_WITHIN_MS);
    await as(ADA);
    expect(await userOf(ADA)).toMatchObject({ role: 'none' });
    expect((await userOf(ADA)).id).not.toBe(id);
  });
});

describe('the last admin', () => {
  it('is neither demoted nor removed, whoever asks, however many at once', async () => {
    await as(BOSS);
    await as({ ...ADA, email: 'chef@example.com' });
    const [boss, chef] = [await userOf(BOSS), await userOf({ sub: '', email: 'chef@example.com' })];

    const answers = await Promise.all(
      [boss, chef, boss, chef].map(({ id }, i) =>
        i < 2 ? admin.patch(`/v1/users/${id}`).send({ role: 'viewer' }) : admin.delete(`/v1/users/${id}`),
      ),
    );

    const { rows } = await sql.query<{ id: string }>("select id from users where role = 'admin'");
    expect(rows).toHaveLength(1);
    expect(answers.some(({ status }) => status === 409)).toBe(true);
    const [{ id } = { id: '' }] = rows;
    expect((await admin.delete(`/v1/users/${id}`).expect(409)).body).toMatchObject({ code: 'last_admin' });
    expect((await admin.patch(`/v1/users/${id}`).send({ role: 'none' }).expect(409)).body).toMatchObject({
      code: 'last_admin',
    });
  });
});

describe('a key bound to a customer with the scope users', () => {
  it("sees and touches its customer's users only", async () => {
    const { id } = await member();
    const bound = service.agent(await service.createKey({ scopes: ['users', 'read'], customerId: 'ours' }));

    await bound.get(`/v1/users/${id}`).expect(404);
    await bound.patch(`/v1/users/${id}`).send({ role: 'none' }).expect(404);
    expect((await bound.get('/v1/users').expect(200)).body).toMatchObject({ total_items: 0 });
    await admin.patch(`/v1/users/${id}`).send({ role: 'viewer', customer_id: 'ours' }).expect(200);
    expect((await bound.get('/v1/users').expect(200)).body).toMatchObject({ total_items: 1 });
    await bound.patch(`/v1/users/${id}`).send({ customer_id: null }).expect(400);
    await bound.patch(`/v1/users/${id}`).send({ customer_id: 'theirs' }).expect(400);
    await bound.delete(`/v1/users/${id}`).expect(200);
  });
});

it('a provider elsewhere is asked over TLS only', async () => {
  const environment = { ...provider.settings, OIDC_ISSUER: 'http://login.example.com' };
  await expect(startService({ environment })).rejects.toThrow('OIDC_ISSUER must look like https://');
});
