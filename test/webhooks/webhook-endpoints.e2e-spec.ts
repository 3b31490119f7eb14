// /v1/webhook_endpoints: endpoints are managed, tested and replayed over HTTP, by whoever has a key with the scope for it.
import { describe, expect, it } from '@jest/globals';
import type { WebhookEndpointWithSecret as Endpoint } from 'tank-monitoring-client';
import { EVENT_TYPES } from '../../src/rules.js';
import { until } from '../faults/support/until.js';
import { startService } from '../support/app.js';
import { aTank, insertCustomer, insertTanks } from '../support/builders.js';
import { ADDRESS, agentOf, CLOSED_NETWORK, startEndpoints } from '../support/endpoints.js';
import { fieldsProblem, outcomeOf, tagOf } from '../support/manage.js';
import { ResponseValidator } from '../support/openapi.js';
import { problem } from '../support/problems.js';
import { isSignedWith } from '../support/receiver.js';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const HOOK = 'https://example.com/hook';

const hooks = await startEndpoints();
const { service, sql, all, ours, create, happen, deliveriesOf, startWorker } = hooks;
const { database } = service;
const publicOnly = { ...CLOSED_NETWORK, WEBHOOK_ALLOW_PRIVATE: 'false' };
const strict = await startService({ database, environment: publicOnly });
await insertCustomer(sql, { id: 'gone', deleted: true });
const strictly = await agentOf(strict);

const shownOf = (endpoint: Endpoint): object =>
  Object.fromEntries(Object.entries(endpoint).filter(([name]) => name !== 'secret'));

const everyRequestTo = (id: string, as = all) => [
  as.get(`${ADDRESS}/${id}`),
  as.patch(`${ADDRESS}/${id}`).send({ enabled: false }),
  as.delete(`${ADDRESS}/${id}`),
  as.get(`${ADDRESS}/${id}/deliveries`),
  as.post(`${ADDRESS}/${id}/roll_secret`),
  as.post(`${ADDRESS}/${id}/test`),
  as.post(`${ADDRESS}/${id}/replay`).send({ since: '2020-01-01T00:00:00Z' }),
];

const many = (n: number, customer: string | null) =>
  sql.query(
    `insert into webhook_endpoints (url, customer_id, secret) select 'https://example.com/', $2, '' from generate_series(1, $1::integer)`,
    [n, customer],
  );

describe('POST', () => {
  it('creates an endpoint, whose secret only this answer has', async () => {
    const { body, headers } = await all
      .post(ADDRESS)
      .send({
        url: hooks.receiver.url,
        types: ['tank.low', 'tank.low'],
        description: 'the pager',
        customer_id: 'ours',
      })
      .expect(201);
    const { id, secret, created_at } = body as Endpoint;
    const shown = {
      id,
      object: 'webhook_endpoint',
      created_at: expect.stringMatching(INSTANT),
      updated_at: created_at,
      url: hooks.receiver.url,
      types: ['tank.low'],
      description: 'the pager',
      customer_id: 'ours',
      state: 'enabled',
      reason: null,
      failing_since: null,
    };
    expect(body).toEqual({ ...shown, secret: expect.stringMatching(SECRET) });
    expect(headers).toMatchObject({ location: `${ADDRESS}/${id}`, 'cache-control': 'no-store' });
    const got = await all.get(`${ADDRESS}/${id}`).expect(200);
    expect(got.body).toEqual(shown);
    expect(headers['etag']).toBe(tagOf(got));

    await happen(['e1']);
    startWorker();
    await until('it is delivered', () => hooks.receiver.received.length === 1);
    expect(hooks.receiver.received).toMatchObject([{ id: 'e1' }]);
    expect(isSignedWith(secret, hooks.receiver.received[0])).toBe(true);
  });

  it('refuses every mistake at once', async () => {
    const body = {
      url: 'http://10.0.0.1/',
      types: ['tank.lo'],
      description: 'x'.repeat(1001),
      enabled: true,
    };
    expect((await strictly.post(ADDRESS).send(body).expect(400)).body).toEqual(
      fieldsProblem(
        { pointer: '/url', detail: 'url is not allowed: Webhooks go to https addresses only.' },
        { pointer: '/types', detail: 'types holds an unknown type: "tank.lo"; did you mean tank.low?' },
        { pointer: '/description', detail: 'description is longer than 1000 characters' },
        {
          pointer: '/enabled',
          detail: 'unknown field: "enabled"; there are: object, url, types, description, customer_id',
        },
      ),
    );
  });

  it.each([
    [{}, '/url'],
    [{ url: { reason: 'x' } }, '/url'],
    [{ url: `https://example.com/${'x'.repeat(2000)}` }, '/url'],
    [{ url: 'https://example.com/\0' }, '/url'],
    [{ url: HOOK, types: [] }, '/types'],
    [{ url: HOOK, types: 'tank.low' }, '/types'],
    [{ url: HOOK, types: [['tank.low']] }, '/types'],
    [{ url: HOOK, customer_id: 'nobody' }, '/customer_id'],
    [{ url: HOOK, customer_id: 'gone' }, '/customer_id'],
    [{ url: HOOK, id: 'mine' }, '/id'],
    [{ url: HOOK, secret: 'whsec_mine' }, '/secret'],
  ])('refuses %j', async (body, pointer) => {
    const { status, body: refused } = await strictly.post(ADDRESS).send(body);
    expect({ status, refused }).toMatchObject({ status: 400, refused: { errors: [{ pointer }] } });
  });

  it('makes at most 100 of a customer and 100 without one, however many come at once', async () => {
    await many(98, null);
    await many(100, 'ours');
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => all.post(ADDRESS).send({ url: hooks.receiver.url })),
    );
    const outcomes = ['201', '201', '409 too_many', '409 too_many', '409 too_many'];
    expect(answers.map(outcomeOf).toSorted()).toEqual(outcomes);
    expect(outcomeOf(await ours.post(ADDRESS).send({ url: hooks.receiver.url }))).toBe('409 too_many');
    await create({ customer_id: 'theirs' });
  });
});

describe('a URL', () => {
  /** Each for a rule of its own; `src/webhooks/addresses.spec.ts` has the other ways to write such an address. */
  const FORBIDDEN = ['http://example.com/', ' \thttps://10.0.0.1/', 'https://user:password@example.com/', ''];

  it('that is not allowed is refused by POST and by PATCH, alone', async () => {
    const { body } = await strictly.post(ADDRESS).send({ url: HOOK }).expect(201);
    const address = `${ADDRESS}/${(body as Endpoint).id}`;
    for (const url of FORBIDDEN)
      for (const refused of [strictly.post(ADDRESS).send({ url }), strictly.patch(address).send({ url })])
        expect([url, await refused]).toMatchObject([
          url,
          { status: 400, body: { errors: [{ pointer: '/url' }] } },
        ]);
    expect((await strictly.get(address)).body).toMatchObject({ url: HOOK });
  });

  it('that got past, or whose name leads to a private address, is not called; nor is a redirect followed', async () => {
    const { body } = await strictly.post(ADDRESS).send({ url: 'https://localhost/' }).expect(201);
    const test = `${ADDRESS}/${(body as Endpoint).id}/test`;
    const expectNone = async (detail: RegExp) =>
      expect((await strictly.post(test).expect(200)).body).toEqual({
        object: 'webhook_test',
        delivered: false,
        status: null,
        milliseconds: expect.any(Number),
        detail: expect.stringMatching(detail),
      });
    await expectNone(/^localhost leads to no public address/);
    await sql.query('update webhook_endpoints set url = $1', [hooks.receiver.url]);
    await expectNone(/https addresses only/);
    expect(hooks.receiver.received).toEqual([]);

    const { id } = await create();
    hooks.reply = { status: 307, headers: { Location: hooks.receiver.url } };
    expect((await all.post(`${ADDRESS}/${id}/test`).expect(200)).body).toMatchObject({
      delivered: false,
      status: 307,
      detail: 'answered 307 (redirects are not followed)',
    });
    expect(hooks.receiver.received).toHaveLength(1);
  });
});

describe('GET', () => {
  it('lists endpoints, newest first, in every format and without a secret', async () => {
    const [first, second] = [await create(), await create({ types: ['tank.low', 'tank.silent'] })];
    const { body, text } = await all.get(`${ADDRESS}?size=5`).expect(200);
    const items = [second, first].map(shownOf);
    expect(body).toEqual({ object: 'list', data: items, page: 1, size: 5, total_pages: 1, total_items: 2 });
    const csv = await all.get(ADDRESS).set('Accept', 'text/csv').expect(200);
    expect(csv.text).toContain('"[""tank.low"",""tank.silent""]"');
    for (const shown of [text, csv.text]) expect(shown).not.toMatch(/whsec_|secret/);
  });

  it('of the deliveries has what was sent and how it was answered, by state, the newest 10,000', async () => {
    const { id } = await create();
    await happen(['e1']);
    startWorker();
    await until('it is delivered', async () => (await deliveriesOf(id, '?state=delivered')).length === 1);
    hooks.reply = { status: 500 };
    await happen(['e2'], 'ours', 'tank.silent');
    await until('it failed', async () => (await deliveriesOf(id, '?state=pending'))[0]?.['detail'] !== null);
    const common = {
      id: expect.stringMatching(/^\d+$/),
      object: 'webhook_delivery',
      created_at: expect.stringMatching(INSTANT),
      attempts: 1,
      last_attempt_at: expect.stringMatching(INSTANT),
    };
    expect(await deliveriesOf(id)).toEqual([
      {
        ...common,
        event_id: 'e2',
        event_type: 'tank.silent',
        tank_id: 'tank of e2',
        state: 'pending',
        last_status: 500,
        next_attempt_at: expect.stringMatching(INSTANT),
        detail: 'answered 500',
      },
      {
        ...common,
        event_id: 'e1',
        event_type: 'tank.low',
        tank_id: 'tank of e1',
        state: 'delivered',
        last_status: 204,
        next_attempt_at: null,
        detail: null,
      },
    ]);
    expect(outcomeOf(await all.get(`${ADDRESS}/${id}/deliveries?state=lost`))).toBe('400 invalid_parameters');
    await sql.query(
      `insert into webhook_deliveries (endpoint_id, event_id, tank_id, status, created_at)
       select $1, 'e1', 'x', 'failed', now() - interval '1 day' from generate_series(1, 10000)`,
      [id],
    );
    const { body } = await all.get(`${ADDRESS}/${id}/deliveries?page=10000&size=1`).expect(200);
    expect(body).toMatchObject({ total_items: 10_000, data: [{ tank_id: 'x' }] });
  });
});

describe('PATCH', () => {
  it('changes what is given, and nothing twice; what was read can be sent back', async () => {
    const { id, secret, ...created } = await create();
    const patch = async (body: object) =>
      (await all.patch(`${ADDRESS}/${id}`).send(body).expect(200)).body as Endpoint;
    expect(await patch({ id, ...created })).toEqual({ id, ...created });
    const next = { url: `${hooks.receiver.url}/next`, types: ['tank.silent'], description: 'x' };
    const changed = await patch(next);
    expect(changed).toEqual({ id, ...created, ...next, updated_at: expect.stringMatching(INSTANT) });
    expect(changed.updated_at > created.created_at).toBe(true);
    expect(await patch(next)).toEqual(changed);
    expect(await patch({ types: null, description: null })).toMatchObject({ types: null, description: null });
    await all.post(`${ADDRESS}/${id}/test`).expect(200);
    expect(isSignedWith(secret, hooks.receiver.received[0])).toBe(true);
  });

  it('keeps what is pending when the URL is another', async () => {
    const { id } = await create({ url: 'http://127.0.0.1:3/' });
    await happen(['e1']);
    await all.patch(`${ADDRESS}/${id}`).send({ url: hooks.receiver.url }).expect(200);
    startWorker();
    await until('it is delivered', () => hooks.receiver.received.length === 1);
    expect(hooks.receiver.received).toMatchObject([{ id: 'e1' }]);
  });

  it('disables and enables', async () => {
    const { id } = await create();
    const patch = (body: object) => all.patch(`${ADDRESS}/${id}`).send(body);
    expect((await patch({ enabled: false }).expect(200)).body).toMatchObject({
      state: 'disabled',
      reason: 'it was disabled over the API',
    });
    expect(outcomeOf(await all.post(`${ADDRESS}/${id}/replay`).send({ since: '2026-01-01T00:00:00Z' }))).toBe(
      '409 disabled',
    );
    expect((await patch({ enabled: true }).expect(200)).body).toMatchObject({
      state: 'enabled',
      reason: null,
    });
  });

  it.each([
    [{ enabled: 1 }, '/enabled'],
    [{ enabled: null }, '/enabled'],
    [{ url: null }, '/url'],
    [{ state: 'disabled' }, '/state'],
    [{ customer_id: 'ours' }, '/customer_id'],
    [{ created_at: '2026-01-01T00:00:00Z' }, '/created_at'],
    [{ secret: 'whsec_x' }, '/secret'],
  ])('refuses %j', async (body, pointer) => {
    const { id } = await create();
    const { status, body: refused } = await all.patch(`${ADDRESS}/${id}`).send(body);
    expect({ status, refused }).toMatchObject({ status: 400, refused: { errors: [{ pointer }] } });
  });

  it('and deliveries that fail: the ETag is another after a change, and the same when they fail', async () => {
    const { id } = await create();
    const address = `${ADDRESS}/${id}`;
    const tag = tagOf(await all.get(address));
    await sql.query('update webhook_endpoints set failing_since = now()');
    await all.get(address).set('If-None-Match', tag).expect(304);
    const changed = await all.patch(address).set('If-Match', tag).send({ description: 'a' }).expect(200);
    expect([tagOf(changed), tagOf(changed) === tag]).toEqual([tagOf(await all.get(address)), false]);
  });
});

it('DELETE takes what is pending along, and is then none', async () => {
  const { id: other } = await create();
  const { id } = await create();
  await happen(['e1']);
  expect((await all.delete(`${ADDRESS}/${id}`).expect(200)).body).toEqual({
    id,
    object: 'webhook_endpoint',
    deleted: true,
  });
  const none = problem(404, 'not_found', 'There is no webhook endpoint with this id.');
  for (const gone of everyRequestTo(id)) expect((await gone).body).toEqual(none);

  startWorker();
  const onlyTheOther = [{ endpoint_id: other, status: 'delivered' }];
  await until('its deliveries are gone', async () => {
    const { rows } = await sql.query('select endpoint_id, status from webhook_deliveries');
    return JSON.stringify(rows) === JSON.stringify(onlyTheOther);
  });
  expect(hooks.receiver.received).toHaveLength(1);
});

it('roll_secret answers with a new secret; both sign', async () => {
  const created = await create();
  const { id, secret } = created;
  const { body, headers } = await all.post(`${ADDRESS}/${id}/roll_secret`).expect(200);
  expect(body).toEqual({ ...shownOf(created), secret: expect.stringMatching(SECRET) });
  expect((body as Endpoint).secret).not.toBe(secret);
  expect(headers['location']).toBeUndefined();
  expect(headers['etag']).toBe(tagOf(await all.get(`${ADDRESS}/${id}`)));
  await all.post(`${ADDRESS}/${id}/test`).expect(200);
  for (const one of [secret, (body as Endpoint).secret])
    expect(isSignedWith(one, hooks.receiver.received[0])).toBe(true);
});

it('sends what the document says of it, of every type', async () => {
  const { id } = await create();
  await insertTanks(sql, [aTank('ours', { id: 'shown' })]);
  const fills = EVENT_TYPES.map((_, i) => 40 + i);
  const past = EVENT_TYPES.map((_, i) => new Date(Date.now() - (i + 1) * 60_000));
  await sql.query(
    `select record_events(array_fill(key, array[cardinality($1::text[])]), $1, $2, $3, $2, $3, array_fill(3600, array[cardinality($1::text[])]))
     from tanks where id = 'shown'`,
    [EVENT_TYPES, past, fills],
  );
  startWorker();
  await until('all are delivered', () => hooks.receiver.received.length === EVENT_TYPES.length);
  await hooks.test({ id }).expect(200);

  const { schema } = service.document.webhooks.event.post.requestBody.content['application/json'] ?? {};
  const validator = new ResponseValidator(service.document);
  for (const { body } of hooks.receiver.received) validator.assertValid(schema ?? {}, JSON.parse(body));
  const sent = hooks.receiver.received.map(({ event }) => event.type);
  expect(sent.toSorted()).toEqual([...EVENT_TYPES, 'ping'].toSorted());
  const { discriminator } = service.document.components.schemas['WebhookMessage'] as {
    discriminator: { mapping: object };
  };
  expect(Object.keys(discriminator.mapping).toSorted()).toEqual(sent.toSorted());
});

describe('test', () => {
  it('sends a ping now, to a disabled endpoint too, and changes nothing', async () => {
    const { id } = await create();
    await all.patch(`${ADDRESS}/${id}`).send({ enabled: false }).expect(200);
    await sql.query('update webhook_endpoints set failing_since = now()');
    const before: unknown = (await all.get(`${ADDRESS}/${id}`)).body;
    expect((await all.post(`${ADDRESS}/${id}/test`).expect(200)).body).toEqual({
      object: 'webhook_test',
      delivered: true,
      status: 204,
      milliseconds: expect.any(Number),
      detail: null,
    });
    expect(hooks.receiver.received).toMatchObject([{ event: { type: 'ping', tank_id: null } }]);
    expect((await all.get(`${ADDRESS}/${id}`)).body).toEqual(before);
    expect(await deliveriesOf(id)).toEqual([]);
  });
});

describe('replay', () => {
  it('sends again what the endpoint would get now, each entry once, except what is pending', async () => {
    await happen(['before']);
    await sql.query(`update events set created_at = now() - interval '1 minute'`);
    const { id } = await create({ types: ['tank.low'], customer_id: 'ours' });
    const replay = async (since: string) =>
      (await all.post(`${ADDRESS}/${id}/replay`).send({ since }).expect(200)).body as object;
    await happen(['delivered', 'failed', 'pending']);
    await sql.query(
      `update webhook_deliveries set status = event_id, tries = 3, last_status = 500, last_reason = 'answered 500',
              last_tried_at = now() where event_id <> 'pending'`,
    );
    await all.patch(`${ADDRESS}/${id}`).send({ enabled: false }).expect(200);
    await happen(['while disabled']);
    await all.patch(`${ADDRESS}/${id}`).send({ enabled: true }).expect(200);
    await happen(['other type'], 'ours', 'tank.silent');
    await happen(['other customer'], 'theirs');
    const entries = new Map((await deliveriesOf(id)).map((one) => [one['event_id'], one]));

    const [one, other] = await Promise.all([replay('2020-01-01T00:00:00Z'), replay('2020-01-01T00:00:00Z')]);
    expect([one, other]).toEqual(
      expect.arrayContaining([
        { object: 'webhook_replay', queued: 3 },
        { object: 'webhook_replay', queued: 0 },
      ]),
    );
    const now = await deliveriesOf(id);
    expect(now.map((entry) => entry['event_id'])).toEqual(
      expect.arrayContaining(['delivered', 'failed', 'pending', 'while disabled']),
    );
    expect(now).toHaveLength(4);
    expect(now.find((entry) => entry['event_id'] === 'failed')).toEqual({
      ...entries.get('failed'),
      state: 'pending',
      attempts: 0,
      last_attempt_at: null,
      last_status: null,
      next_attempt_at: expect.stringMatching(INSTANT),
      detail: null,
    });
    startWorker();
    await until('all are sent', () => hooks.receiver.received.length === 4);
    await until('that is recorded', async () => (await deliveriesOf(id, '?state=delivered')).length === 4);
    expect(await replay('2999-01-01T00:00:00Z')).toEqual({ object: 'webhook_replay', queued: 0 });
  });

  it.each([[{}], [{ since: 'yesterday' }], [{ since: 0 }]])('refuses %j', async (body) => {
    const { id } = await create();
    const { body: refused } = await all.post(`${ADDRESS}/${id}/replay`).send(body).expect(400);
    expect(refused).toMatchObject({ code: 'invalid_fields', errors: [{ pointer: '/since' }] });
  });
});

it('a key that is bound to a customer has the endpoints of its customer, and makes no others', async () => {
  const own = await create({}, ours);
  expect(own).toMatchObject({ customer_id: 'ours' });
  await create({ customer_id: 'ours' }, ours);
  const [theirs, everybodys] = [await create({ customer_id: 'theirs' }), await create()];
  expect((await ours.get(ADDRESS)).body).toMatchObject({ total_items: 2 });
  for (const customer_id of [null, 'theirs', 'nobody']) {
    const { body } = await ours.post(ADDRESS).send({ url: HOOK, customer_id }).expect(400);
    expect(body).toEqual(
      fieldsProblem({
        pointer: '/customer_id',
        detail: `unknown customer: ${JSON.stringify(customer_id)}`,
      }),
    );
  }
  for (const { id } of [theirs, everybodys])
    for (const asked of everyRequestTo(id, ours)) expect(outcomeOf(await asked)).toBe('404 not_found');
  expect(hooks.receiver.received).toEqual([]);
});

it('without WEBHOOK_SECRET_KEY webhooks are off', async () => {
  const off = await startService({ database, environment: { WEBHOOK_SECRET_KEY: '' } });
  const agent = await agentOf(off);
  for (const asked of [
    agent.get(ADDRESS),
    agent.post(ADDRESS).send({ url: HOOK }),
    ...everyRequestTo('x', agent),
  ])
    expect((await asked).body).toEqual(
      problem(409, 'webhooks_off', 'Webhooks are off: the operator has to set WEBHOOK_SECRET_KEY.'),
    );
});
