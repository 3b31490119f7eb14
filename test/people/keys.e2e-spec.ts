// Keys over HTTP: made, listed, rolled and revoked by whoever has the scope, who gives nothing that they have not.
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiKeyWithSecret as Key } from 'tank-monitoring-client';
import { SCOPES, type Scope } from '../../src/common/auth/scope.js';
import { startService, type Agent } from '../support/app.js';
import { insertFleetOf } from '../support/builders.js';
import { pointersOf } from '../support/manage.js';
import { problem } from '../support/problems.js';

const service = await startService();
const { sql } = service;

const DAY_MS = 86_400_000;
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

beforeEach(async () => {
  await sql.query('delete from api_keys where prefix <> $1', [service.key.split('.')[0]]);
  await sql.query('delete from activity');
  await insertFleetOf(sql, { ours: [], theirs: [] });
});

const agentWith = async (
  scopes: readonly Scope[] = SCOPES,
  bounds: { customerId?: string; expiresAt?: Date } = {},
): Promise<Agent> => service.agent(await service.createKey({ name: 'manager', scopes, ...bounds }));

async function make(agent: Agent, body: object): Promise<Key> {
  return (await agent.post('/v1/keys').send(body).expect(201)).body as Key;
}

/** What is wrong, by field. */
const faultsOf = async (agent: Agent, body: object) =>
  pointersOf(await agent.post('/v1/keys').send(body).expect(400));

describe('a new key', () => {
  it('is shown with its secret once, works at once, and is listed without it', async () => {
    const agent = await agentWith();

    const { body, headers } = await agent.post('/v1/keys').send({ name: 'planner' }).expect(201);

    const { secret, ...key } = body as Key;
    expect(key).toEqual({
      object: 'key',
      prefix: secret.split('.')[0],
      name: 'planner',
      scopes: ['read'],
      customer_id: null,
      created_at: INSTANT,
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
    });
    expect(headers['location']).toBe(`/v1/keys/${key.prefix}`);
    expect(headers['cache-control']).toBe('no-store');
    expect(await service.status('/v1/tanks', secret)).toBe(200);
    const found = await agent.get(`/v1/keys/${key.prefix}`).expect(200);
    expect(found.body).toEqual(key);
    expect(found.headers['etag']).toBe(headers['etag']);
    const list = await agent.get('/v1/keys?size=100').expect(200);
    expect((list.body as { data: object[] }).data[0]).toEqual(key);
    expect(list.text).not.toContain(secret.split('.')[1]);
  });

  it.each([
    ['ours', 100],
    [null, 1_000],
  ])('of %s is one of %d that work, however many are made at once', async (customer_id, most) => {
    const agent = await agentWith();
    const fill = `
      insert into api_keys (prefix, hash, name, scopes, customer_id, expires_at)
      select 'tms_full' || n, sha256(n::text::bytea), 'K', '{read}', $1, case when n <= 5 then now() end
      from generate_series(1, $2::integer - (select count(*) from api_keys where customer_id is not distinct from $1)::integer + 3) n`;
    await sql.query(fill, [customer_id, most]);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => agent.post('/v1/keys').send({ name: 'K', customer_id })),
    );
    const outcomes = answers.map(({ status, body }) => `${status} ${(body as { code?: string }).code}`);
    expect(outcomes.toSorted()).toEqual([
      ...Array.from({ length: 2 }, () => '201 undefined'),
      ...Array.from({ length: 3 }, () => '409 too_many'),
    ]);
    const made = answers.find(({ status }) => status === 201)?.body as Key;
    await agent.post(`/v1/keys/${made.prefix}/roll`).send({}).expect(409); // the old one works on
    await agent.post(`/v1/keys/${made.prefix}/roll`).send({ keep_seconds: 0 }).expect(201);
  });

  it('names every mistake at once', async () => {
    const agent = await agentWith();
    const body = { name: '', scopes: ['reed'], customer_id: 7, expires_at: '2020-01-01T00:00:00Z', x: 1 };

    expect(await faultsOf(agent, body)).toEqual(['/name', '/scopes', '/customer_id', '/expires_at', '/x']);
    expect(await faultsOf(agent, { scopes: [] })).toEqual(['/name', '/scopes']);
    expect(await faultsOf(agent, { name: 'x'.repeat(201) })).toEqual(['/name']);
    for (const customer_id of ['nobody', 'x'.repeat(255)])
      expect(await faultsOf(agent, { name: 'n', customer_id })).toEqual(['/customer_id']);
  });
});

describe('nobody gives what they have not', () => {
  it.each(SCOPES.filter((scope) => scope !== 'keys'))('%s', async (scope) => {
    const agent = await agentWith(['keys']);

    expect(await faultsOf(agent, { name: 'n', scopes: ['keys', scope] })).toEqual(['/scopes']);
  });

  it('an end after its own, or none; by default no scope beyond its own', async () => {
    const expiresAt = new Date(Date.now() + DAY_MS);
    const agent = await agentWith(['keys', 'read'], { expiresAt });
    const later = new Date(expiresAt.getTime() + 1).toISOString();

    expect(await faultsOf(agent, { name: 'n' })).toEqual(['/expires_at']);
    expect(await faultsOf(agent, { name: 'n', expires_at: null })).toEqual(['/expires_at']);
    expect(await faultsOf(agent, { name: 'n', expires_at: later })).toEqual(['/expires_at']);
    await make(agent, { name: 'n', expires_at: expiresAt.toISOString() });
    expect(await faultsOf(await agentWith(['keys']), { name: 'n' })).toEqual(['/scopes']);
  });

  it('another customer, or all of them', async () => {
    const agent = await agentWith(SCOPES, { customerId: 'ours' });

    expect(await faultsOf(agent, { name: 'n', customer_id: 'theirs' })).toEqual(['/customer_id']);
    expect(await faultsOf(agent, { name: 'n', customer_id: null })).toEqual(['/customer_id']);
    expect(await make(agent, { name: 'n' })).toMatchObject({ customer_id: 'ours' });
  });
});

describe('a bound key', () => {
  it('sees and touches the keys of its customer only, and cannot tell others from none', async () => {
    const all = await agentWith();
    const [ours, theirs, nobodys] = await Promise.all(
      ['ours', 'theirs', null].map((customer_id) => make(all, { name: 'n', customer_id })),
    );
    const agent = await agentWith(SCOPES, { customerId: 'ours' });

    const { body } = await agent.get('/v1/keys').expect(200);
    const seen = (body as { data: { name: string; prefix: string }[] }).data;
    expect(seen.map(({ name }) => name).toSorted()).toEqual(['manager', 'n']);
    expect(body).toMatchObject({ total_items: 2 });
    for (const other of [theirs, nobodys]) {
      const at = `/v1/keys/${other?.prefix}`;
      const none = problem(404, 'not_found', 'There is no key with this id.');
      expect((await agent.get(at).expect(404)).body).toEqual(none);
      expect((await agent.delete(at).expect(404)).body).toEqual(none);
      expect((await agent.post(`${at}/roll`).expect(404)).body).toEqual(none);
    }
    await agent.delete(`/v1/keys/${ours?.prefix}`).expect(200);
  });
});

describe('revoking', () => {
  it('ends a key, itself too, says so again, and asks for no scope but the one', async () => {
    const all = await agentWith();
    const { prefix, secret } = await make(all, { name: 'n', scopes: SCOPES });
    const least = await agentWith(['keys']);

    const first = await least.delete(`/v1/keys/${prefix}`).expect(200);
    const again = await least.delete(`/v1/keys/${prefix}`).expect(200);

    expect(first.body).toMatchObject({ object: 'key', prefix, revoked_at: INSTANT });
    expect(again.body).toEqual(first.body);
    expect(again.headers['etag']).toBe(first.headers['etag']);
    expect(await service.status('/v1/tanks', secret)).toBe(401);
    const own = await make(all, { name: 'own', scopes: ['keys'] });
    await service.agent(own.secret).delete(`/v1/keys/${own.prefix}`).expect(200);
  });
});

describe('rolling', () => {
  it('makes a key with the same bounds, keeps the old one for a day or as long as asked', async () => {
    const agent = await agentWith();
    const expires_at = new Date(Date.now() + 30 * DAY_MS).toISOString();
    const old = await make(agent, {
      name: 'n',
      scopes: ['read', 'tanks:write'],
      customer_id: 'ours',
      expires_at,
    });

    const { body, headers } = await agent.post(`/v1/keys/${old.prefix}/roll`).expect(201);

    const bounds = { name: 'n', scopes: ['read', 'tanks:write'], customer_id: 'ours', expires_at };
    const rolled = body as Key;
    expect(rolled).toMatchObject({ ...bounds, secret: expect.any(String) });
    expect(rolled.prefix).not.toBe(old.prefix);
    expect(headers['location']).toBe(`/v1/keys/${rolled.prefix}`);
    const ends = async ({ prefix }: Key) =>
      Date.parse(((await agent.get(`/v1/keys/${prefix}`).expect(200)).body as Key).expires_at ?? '');
    expect(Math.abs((await ends(old)) - Date.now() - DAY_MS)).toBeLessThan(60_000);
    for (const { secret } of [old, rolled]) expect(await service.status('/v1/tanks', secret)).toBe(200);
    await agent.post(`/v1/keys/${old.prefix}/roll`).send({ keep_seconds: 604_800 }).expect(201);
    expect(Math.abs((await ends(old)) - Date.now() - DAY_MS)).toBeLessThan(60_000); // never longer
    await agent.post(`/v1/keys/${old.prefix}/roll`).send({ keep_seconds: 0 }).expect(201);
    const ended = await agent.post(`/v1/keys/${old.prefix}/roll`).expect(409);
    expect(ended.body).toMatchObject({ code: 'key_ended' });
    for (const keep_seconds of [-1, 604_801, 1.5, '1', null])
      await agent.post(`/v1/keys/${rolled.prefix}/roll`).send({ keep_seconds }).expect(400);
  });

  it('of a key with more than the caller has is refused, of one with as much is not', async () => {
    const all = await agentWith();
    const expires_at = new Date(Date.now() + DAY_MS).toISOString();
    const more = await make(all, { name: 'n', scopes: ['webhooks'] });
    const longer = await make(all, { name: 'n', scopes: ['read'] });
    const equal = await make(all, { name: 'n', scopes: ['read'], expires_at });
    const agent = await agentWith(['keys', 'read'], { expiresAt: new Date(expires_at) });

    for (const { prefix } of [more, longer])
      expect((await agent.post(`/v1/keys/${prefix}/roll`).expect(403)).body).toMatchObject({
        code: 'insufficient_scope',
      });
    await agent.post(`/v1/keys/${equal.prefix}/roll`).expect(201);
  });
});

describe('a key that ended 90 days ago', () => {
  it.each([
    ['revoked_at', 89, 200],
    ['revoked_at', 91, 404],
    ['expires_at', 89, 200],
    ['expires_at', 91, 404],
  ])('is there no more: %s %d days ago is %d', async (column, days, status) => {
    const agent = await agentWith();
    const { prefix } = await make(agent, { name: 'n' });
    const age = `update api_keys set ${column} = now() - $2 * interval '1 day' where prefix = $1`;
    await sql.query(age, [prefix, days]);

    await agent.get(`/v1/keys/${prefix}`).expect(status);
    const { body } = await agent.get('/v1/keys').expect(200);
    expect(JSON.stringify(body).includes(prefix)).toBe(status === 200);
  });
});
