// What is common to all writes of customers and tanks: bodies, parameters, conditions, the order of refusals, log lines, restoring, and bound keys.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { SCOPES } from '../../src/common/auth/scope.js';
import { startService, type Agent } from '../support/app.js';
import { clear, insertCustomer, insertTank } from '../support/builders.js';
import {
  fieldsProblem,
  FULL_CUSTOMER,
  FULL_TANK,
  NEW_CUSTOMER,
  NEW_TANK,
  outcomeOf,
  tagOf,
} from '../support/manage.js';
import { problem } from '../support/problems.js';

const lines: Record<string, unknown>[] = [];
const log = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
    done();
  },
});
const service = await startService({
  logger: pino({ level: 'info' }, log),
  environment: { CORS_ORIGINS: 'https://app.example.com' },
});
const { sql } = service;
const key = await service.createKey({ scopes: SCOPES });
const api = service.agent(key);

beforeEach(async () => {
  await clear(sql);
  await insertCustomer(sql, { id: 'ours' });
  await insertCustomer(sql, { id: 'gone', deleted: true });
  await insertTank(sql, 'ours', { id: 't', assigned_device_id: 'd' });
  await insertTank(sql, 'ours', { id: 'gone', deleted: true });
  lines.length = 0;
});

const stored = async () =>
  (
    await sql.query(
      'select id, updated_at from customers union all select id, updated_at from tanks order by 1',
    )
  ).rows;

async function send(method: string, path: string, body: string | Buffer, type?: string, encoding?: string) {
  const headers = [`X-API-Key: ${key}`, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close'];
  if (type !== undefined) headers.push(`Content-Type: ${type}`);
  if (encoding !== undefined) headers.push(`Content-Encoding: ${encoding}`);
  const head = `${method} ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`;
  const answer = await service.bytes(Buffer.concat([Buffer.from(head), Buffer.from(body)]));
  const { code, detail } = JSON.parse(answer.text) as { code?: string; detail?: string };
  return { status: answer.status, code, detail, headers: answer.headers };
}

const patchTank = (...sent: [body: string | Buffer, type?: string, encoding?: string]) =>
  send('PATCH', '/v1/tanks/t', ...sent);

/** That each of them takes JSON of a bounded size is in common/writes. */
describe('the body of a write', () => {
  const JSON_ONLY = 'application/json';
  const OR_PATCH = 'application/json, application/merge-patch+json';
  const text = JSON.stringify({ name: 'x' });

  it('is JSON, with a BOM, in UTF-8, as it is', async () => {
    for (const type of [...OR_PATCH.split(', '), 'Application/JSON; charset="UTF-8"'])
      expect((await patchTank(text, type)).status).toBe(200);
    expect((await patchTank(`\ufeff ${text} `, JSON_ONLY, 'identity')).status).toBe(200);
  });

  it.each([
    ['POST', '/v1/customers', 'accept-post', JSON_ONLY],
    ['PUT', '/v1/tanks/x', 'accept', JSON_ONLY],
    ['PATCH', '/v1/tanks/t', 'accept-patch', OR_PATCH],
  ])('of another type or compressed is refused, and told what is taken: %s', async (...asked) => {
    const [method, path, accepting, accepted] = asked;
    const before = await stored();
    const others = ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1'];
    for (const type of [
      undefined,
      ...others,
      ...(method === 'PATCH' ? [] : ['application/merge-patch+json']),
    ]) {
      const { status, code, headers } = await send(method, path, text, type);
      expect([type, status, code]).toEqual([type, 415, 'unsupported_media_type']);
      expect(headers[accepting]).toBe(accepted);
    }
    const { status, headers } = await send(method, path, gzipSync(text), JSON_ONLY, 'gzip');
    expect([status, headers['accept-encoding']]).toEqual([415, 'identity']);
    expect(await stored()).toEqual(before);
  });

  it('is one object', async () => {
    const before = await stored();
    const noUtf8 = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    const deep = '['.repeat(8_000);
    for (const sent of ['', '{"name":', '[{}]', 'null', '{}{}', '{}\n{}', deep, noUtf8]) {
      const { status, code } = await patchTank(sent, JSON_ONLY);
      expect([sent, status, code]).toEqual([sent, 400, 'malformed_body']);
    }
    expect(await stored()).toEqual(before);
  });

  it('has up to 16 KiB and not a byte more', async () => {
    const largest = text + ' '.repeat(16_384 - Buffer.byteLength(text));
    const { status, code, detail } = await patchTank(`${largest} `, JSON_ONLY);
    expect([status, code]).toEqual([413, 'body_too_large']);
    expect(detail).toBe('A body may have at most 16384 bytes. Nothing was changed.');
    expect((await patchTank(largest, JSON_ONLY)).status).toBe(200);
    const chunks = Array.from({ length: 20 }, () => ' '.repeat(1_000));
    const headers = [['Content-Type', JSON_ONLY]] as const;
    const chunked = { method: 'PATCH', path: '/v1/tanks/t', headers, chunks };
    expect((await service.raw(chunked, key)).status).toBe(413);
  });

  it('has fields named by pointers that can be followed', async () => {
    const { status, body } = await api
      .post('/v1/customers')
      .type('json')
      .send('{"a/b~c":1,"__proto__":2,"":3}');
    const { errors } = body as { errors: { pointer: string }[] };
    const pointers = errors.slice(-3).map(({ pointer }) => pointer);
    expect([status, pointers]).toEqual([400, ['/a~1b~0c', '/__proto__', '/']]);
  });
});

describe('refusals come in one order', () => {
  it('from the key to the last conflict', async () => {
    const reader = await service.createKey();
    const bad = { If: '"x"', created: '2020-01-01T00:00:00Z' };
    const put = async (
      { as = key, query = '', type = 'application/json', body = {} as object | string, match = '' },
      id = 't',
    ) => {
      const request = service.agent(as).put(`/v1/tanks/${id}${query}`).set('Content-Type', type);
      if (match !== '') request.set('If-Match', match);
      return outcomeOf(
        await request
          .serialize((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
          .send(body as object),
      );
    };
    const taken = { ...NEW_TANK, assigned_device_id: 'd', owner_id: 'nobody' };
    expect(await put({ as: 'none', query: '?x' })).toBe('401 invalid_api_key');
    expect(await put({ as: reader, query: '?x' })).toBe('403 insufficient_scope');
    expect(await put({ query: '?x', type: 'text/plain' })).toBe('400 invalid_parameters');
    expect(await put({ type: 'text/plain', body: 'x'.repeat(20_000) })).toBe('415 unsupported_media_type');
    expect(await put({ body: 'x'.repeat(20_000) })).toBe('413 body_too_large');
    expect(await put({ body: '{' })).toBe('400 malformed_body');
    expect(await put({ body: { ...taken, name: 1 }, match: bad.If })).toBe('400 invalid_fields');
    expect(await put({ body: { ...taken, created_at: bad.created }, match: bad.If })).toBe(
      '412 precondition_failed',
    );
    expect(await put({ body: { ...taken, created_at: bad.created } }, 'gone')).toBe('400 invalid_fields');
    expect(await put({ body: { ...taken, owner_id: 'ours' } }, 'gone')).toBe('409 device_taken');
  });

  it('for a PATCH: 404, 412, deleted, then what needs the stored; for a DELETE the same', async () => {
    const patch = async (id: string, body: object, match = '"x"') =>
      outcomeOf(await api.patch(`/v1/tanks/${id}`).set('If-Match', match).send(body));
    const bad = { owner_id: 'nobody', assigned_device_id: 'd' };
    expect(await patch('nobody', { ...bad, name: 1 })).toBe('400 invalid_fields');
    expect(await patch('nobody', bad)).toBe('404 not_found');
    expect(await patch('gone', bad)).toBe('412 precondition_failed');
    expect(await patch('gone', bad, tagOf(await api.get('/v1/tanks/gone')))).toBe('409 deleted');
    await insertTank(sql, 'ours', { id: 'other' });
    expect(await patch('other', bad, '*')).toBe('400 invalid_fields');
    expect(await patch('other', { assigned_device_id: 'd' }, '*')).toBe('409 device_taken');
    const removeCustomer = async (id: string, match: string) =>
      outcomeOf(await api.delete(`/v1/customers/${id}`).set('If-Match', match));
    expect(await removeCustomer('nobody', '"x"')).toBe('404 not_found');
    expect(await removeCustomer('ours', '"x"')).toBe('412 precondition_failed');
    expect(await removeCustomer('ours', '*')).toBe('409 owns_tanks');
  });
});

const changes = () =>
  lines
    .filter(({ operation }) => operation !== undefined)
    .map(({ level: _l, time: _t, pid: _p, hostname: _h, ...line }) => line);

const line = (operation: string, fields: string[]) => ({
  request_id: 'request-1',
  key: key.slice(0, key.indexOf('.')),
  type: 'tank',
  id: 'n',
  operation,
  fields,
  msg: 'a tank was changed',
});

describe('every change leaves one log line', () => {
  it('with who, what and which fields, and no values', async () => {
    const secret = 'secret-value';
    const as = { 'X-Request-Id': 'request-1' };
    const created = { ...NEW_TANK, name: secret, location: { city: secret } };
    await api.put('/v1/tanks/n').set(as).send(created);
    const changed = { location: { city: 'y' }, use_case: 'industrial' };
    await api.patch('/v1/tanks/n').set(as).send(changed);
    await api.delete('/v1/tanks/n').set(as);
    await api.put('/v1/tanks/n').set(as).send(NEW_TANK);
    const given = [
      'owner_id',
      'name',
      'assigned_device_id',
      'capacity',
      'capacity_unit',
      'min_fill_alert_percentage',
    ];
    expect(changes()).toEqual([
      line('create', [...given, 'location.city']),
      line('update', ['use_case', 'location.city']),
      line('delete', ['deleted']),
      line('restore', ['deleted', 'name', 'use_case', 'location.city']),
    ]);
    expect(JSON.stringify(lines)).not.toContain(secret);
  });
});

const FAILED = '412 precondition_failed';
const tagOfTank = async (id = 't') => tagOf(await api.get(`/v1/tanks/${id}`));
const patch = async (ifMatch: string, body: object = { name: 'b' }, id = 't') =>
  outcomeOf(await api.patch(`/v1/tanks/${id}`).set('If-Match', ifMatch).send(body));

const everything = async () => [
  (await sql.query('select * from customers order by id')).rows,
  (await sql.query('select * from tanks order by id')).rows,
];

const putIf = async (header: 'If-Match' | 'If-None-Match', value: string, id = 't') =>
  outcomeOf(await api.put(`/v1/tanks/${id}`).set(header, value).send(NEW_TANK));
const remove = async (ifMatch: string, id = 't') =>
  outcomeOf(await api.delete(`/v1/tanks/${id}`).set('If-Match', ifMatch));

describe('If-Match', () => {
  it('compares weakly, and takes any of several tags', async () => {
    const tag = await tagOfTank();
    const strong = tag.replace('W/', '');
    for (const given of [tag, strong, `"x", ${tag}`, `${strong} , "y,z"`, `  ${tag}  `, '*', ' * ']) {
      expect([given, await patch(given, {})]).toEqual([given, '200']);
    }
    const others = ['"x"', strong.slice(1, -1), '"*"', '""', `W/${strong.slice(1)}`, ',', `"x,${strong}`];
    const long = ['"'.repeat(7_000), '\\"'.repeat(4_000), ','.repeat(10_000), 'W/'.repeat(5_000)];
    for (const given of [...others, ...long]) {
      expect([given, await patch(given, {})]).toEqual([given, FAILED]);
    }
  });

  it('of * is for one that is there and not deleted', async () => {
    expect(await putIf('If-Match', '*')).toBe('200');
    for (const id of ['gone', 'new']) expect(await putIf('If-Match', '*', id)).toBe(FAILED);
    expect([await patch('*', {}), await patch('*', {}, 'gone'), await patch('*', {}, 'new')]).toEqual([
      '200',
      FAILED,
      '404 not_found',
    ]);
    expect([await remove('*', 'gone'), await remove('*', 'new')]).toEqual([FAILED, '404 not_found']);
    expect([await remove('*'), await remove('*')]).toEqual(['200', FAILED]);
  });

  it('of a customer covers its number of tanks', async () => {
    const tag = tagOf(await api.get('/v1/customers/ours'));
    await api.delete('/v1/tanks/t').expect(200);
    const change = NEW_CUSTOMER;
    await api.patch('/v1/customers/ours').set('If-Match', tag).send(change).expect(412);
    const now = tagOf(await api.get('/v1/customers/ours'));
    const changed = await api.patch('/v1/customers/ours').set('If-Match', now).send(change).expect(200);
    expect(tagOf(changed)).toBe(tagOf(await api.get('/v1/customers/ours')));
  });

  it('does not concern a POST', async () => {
    const headers = { 'If-Match': '"x"', 'If-None-Match': '*' };
    expect(outcomeOf(await api.post('/v1/tanks').set(headers).send(NEW_TANK))).toBe('201');
  });
});

describe('If-None-Match: *', () => {
  it('only creates; a deleted one counts as none', async () => {
    expect(await putIf('If-None-Match', '*')).toBe(FAILED);
    for (const id of ['gone', 'new']) {
      expect([await putIf('If-None-Match', '*', id), await putIf('If-None-Match', '*', id)]).toEqual([
        '201',
        FAILED,
      ]);
    }
  });

  it('with a tag is for another one than that', async () => {
    const tag = await tagOfTank();
    expect([await putIf('If-None-Match', tag), await putIf('If-None-Match', '"x"')]).toEqual([FAILED, '200']);
  });
});

const restore = (path: string) => api.post(`/v1/${path}/restore`);
const newest = async (path: string) =>
  ((await api.get(`/v1/activity?object_id=${path}&size=1`).expect(200)).body as { data: object[] }).data[0];

describe('a deleted object', () => {
  it.each([
    ['tanks', FULL_TANK],
    ['customers', FULL_CUSTOMER],
  ])('of %s comes back as it was, once, and it is recorded', async (kind, fields) => {
    const path = `${kind}/back`;
    const { body: before } = await api.put(`/v1/${path}`).send(fields).expect(201);
    await api.delete(`/v1/${path}`).expect(200);
    const restored = await restore(path).expect(200);
    const { updated_at } = restored.body as { updated_at: string };
    expect(restored.body).toEqual({ ...(before as object), updated_at });
    expect(restored.headers['location']).toBeUndefined();
    expect(Date.parse(updated_at)).toBeGreaterThan(Date.parse((before as { updated_at: string }).updated_at));
    const got = await api.get(`/v1/${path}`).expect(200);
    expect([got.text, tagOf(got)]).toEqual([restored.text, tagOf(restored)]);

    const entry = await newest('back');
    expect(entry).toMatchObject({ operation: 'restore', changes: { deleted: { from: true, to: false } } });
    expect(Object.keys((entry as { changes: object }).changes)).toEqual(['deleted']);
    expect((await restore(path).send({}).expect(200)).text).toBe(restored.text);
    expect(await newest('back')).toEqual(entry);
  });

  it('comes back on the conditions of a DELETE', async () => {
    await insertTank(sql, 'ours', { id: 'r', deleted: true });
    const tag = tagOf(await api.get('/v1/tanks/r'));
    expect(outcomeOf(await restore('tanks/r').set('If-Match', '*'))).toBe('412 precondition_failed');
    expect(outcomeOf(await restore('tanks/r').set('If-Match', '"other"'))).toBe('412 precondition_failed');
    await restore('tanks/r').set('If-Match', tag).expect(200);
    for (const path of ['tanks/nobody', 'customers/nobody', 'tanks/a%00b'])
      expect(outcomeOf(await restore(path))).toBe('404 not_found');
    expect(outcomeOf(await restore('tanks/r').send({ name: 'x' }))).toBe('400 invalid_fields');
  });

  it('stays deleted with its owner, without its device, and once it was erased', async () => {
    await insertTank(sql, 'gone', { id: 'orphan', deleted: true });
    expect(outcomeOf(await restore('tanks/orphan'))).toBe('409 owner_deleted');
    await restore('customers/gone').expect(200);
    await restore('tanks/orphan').expect(200);

    await insertTank(sql, 'ours', { id: 'old', assigned_device_id: '0016C001F000175A', deleted: true });
    await insertTank(sql, 'ours', { id: 'holder', assigned_device_id: '00-16-c0-01-f0-00-17-5a' });
    expect((await restore('tanks/old').expect(409)).body).toMatchObject({
      code: 'device_taken',
      tank_id: 'holder',
    });

    await insertCustomer(sql, { id: 'erased', name: 'Erased', email: 'erased@invalid', deleted: true });
    await insertTank(sql, 'erased', { id: 'forgotten', name: 'Erased', deleted: true });
    await sql.query(
      `update customers set erased = true where id = 'erased'; update tanks set erased = true where id = 'forgotten'`,
    );
    for (const path of ['customers/erased', 'tanks/forgotten'])
      expect(outcomeOf(await restore(path))).toBe('409 erased');
    expect((await api.get('/v1/tanks/old')).body).toMatchObject({ deleted: true });
  });

  it('of a bound key is its own tank, and never a customer', async () => {
    await insertTank(sql, 'ours', { id: 'mine', deleted: true });
    await insertTank(sql, 'gone', { id: 'theirs', deleted: true });
    const bound = service.agent(await service.createKey({ customerId: 'ours', scopes: SCOPES }));
    await bound.post('/v1/tanks/mine/restore').expect(200);
    expect(outcomeOf(await bound.post('/v1/tanks/theirs/restore'))).toBe('404 not_found');
    expect(outcomeOf(await bound.post('/v1/customers/ours/restore'))).toBe('403 bound_key');
  });
});

describe('a key that is bound to a customer', () => {
  let ours: Agent;
  beforeEach(async () => {
    await insertCustomer(sql, { id: 'theirs' });
    await insertTank(sql, 'ours', { id: 'our-tank', assigned_device_id: 'our-device' });
    await insertTank(sql, 'theirs', { id: 'their-tank', assigned_device_id: 'their-device' });
    await insertTank(sql, 'theirs', { id: 'their-gone', deleted: true });
    const scopes = ['read', 'customers:write', 'tanks:write'] as const;
    ours = service.agent(await service.createKey({ customerId: 'ours', scopes: [...scopes] }));
  });

  it('may change the customer it is bound to, by PATCH and PUT', async () => {
    await ours.patch('/v1/customers/ours').send({ phone: '1' }).expect(200);
    const put = await ours.put('/v1/customers/ours').send(NEW_CUSTOMER).expect(200);
    expect(put.body).toMatchObject({ ...NEW_CUSTOMER, phone: null, tank_count: 2 });
    expect(tagOf(put)).toBe(tagOf(await ours.get('/v1/customers/ours')));
  });

  it('creates, restores and deletes no customer, whatever the id, and whatever else is wrong', async () => {
    const detail =
      'This key is bound to a customer: it may change that one, creates, restores and deletes none, and changes no profile.';
    const before = await everything();
    const requests = ['theirs', 'gone', 'nobody', 'x'.repeat(300)].flatMap((id) => [
      ours.put(`/v1/customers/${id}?x=1`).type('text/plain').send('x'),
      ours.delete(`/v1/customers/${id}`),
    ]);
    const others = [
      ours.delete('/v1/customers/ours').set('If-Match', '"x"'),
      ours.post('/v1/customers').send({}),
    ];
    for (const refused of [...requests, ...others])
      expect((await refused).body).toEqual(problem(403, 'bound_key', detail));
    expect(await everything()).toEqual(before);
  });

  it('creates, replaces, changes, deletes and restores tanks of its customer', async () => {
    const outcomes = [
      await ours.post('/v1/tanks').send(NEW_TANK),
      await ours.put('/v1/tanks/new').send(NEW_TANK),
      await ours.patch('/v1/tanks/our-tank').send({ name: 'x' }),
      await ours.delete('/v1/tanks/our-tank'),
      await ours.put('/v1/tanks/our-tank').send(NEW_TANK),
    ];
    expect(outcomes.map(outcomeOf)).toEqual(['201', '201', '200', '200', '201']);
  });

  it.each(['theirs', 'gone', 'nobody'])('gives tanks to no other owner: %s', async (owner_id) => {
    const wanted = { ...NEW_TANK, owner_id };
    for (const refused of [
      ours.post('/v1/tanks').send(wanted),
      ours.put('/v1/tanks/new').send(wanted),
      ours.patch('/v1/tanks/our-tank').send({ owner_id }),
    ])
      expect((await refused).body).toEqual(
        fieldsProblem({ pointer: '/owner_id', detail: `unknown owner: "${owner_id}"` }),
      );
  });

  it.each([
    ['patch', 'customer', 'theirs'],
    ['patch', 'customer', 'gone'],
    ['patch', 'tank', 'their-tank'],
    ['patch', 'tank', 'their-gone'],
    ['delete', 'tank', 'their-tank'],
    ['delete', 'tank', 'their-gone'],
  ] as const)('may not %s a %s of others, as none that is unknown: %s', async (verb, kind, id) => {
    const request = ours[verb](`/v1/${kind}s/${id}`).set('If-Match', '*');
    const { body } = await (verb === 'patch' ? request.send({ name: 'x' }) : request);
    expect(body).toEqual(problem(404, 'not_found', `There is no ${kind} with this id.`));
  });

  it.each(['their-tank', 'their-gone'])(
    'puts no tank of others: as of none is said what is wrong, and last of all that its id is taken: %s',
    async (id) => {
      const before = await everything();
      const put = async (more: object, headers = {}) =>
        outcomeOf(
          await ours
            .put(`/v1/tanks/${id}`)
            .set(headers)
            .send({ ...NEW_TANK, ...more }),
        );
      const { body } = await ours.put(`/v1/tanks/${id}`).send(NEW_TANK).expect(409);
      expect(body).toEqual(problem(409, 'id_taken', 'This id is taken. Choose another one.'));
      expect(await put({ name: 1 })).toBe('400 invalid_fields');
      expect(await put({}, { 'If-Match': '*' })).toBe('412 precondition_failed');
      expect(await put({}, { 'If-None-Match': '*' })).toBe('409 id_taken');
      expect(await put({ created_at: '2020-01-01T00:00:00Z' })).toBe('409 id_taken');
      expect(await put({ owner_id: 'theirs' })).toBe('400 invalid_fields');
      for (const assigned_device_id of ['our-device', 'their-device'])
        expect(await put({ assigned_device_id })).toBe('409 device_taken');
      expect(await everything()).toEqual(before);
    },
  );

  const take = async (assigned_device_id: string) => {
    const taken = { ...NEW_TANK, assigned_device_id };
    return (await ours.post('/v1/tanks').send(taken).expect(409)).body as object;
  };

  it('hears which tank has a device only if it sees that tank', async () => {
    expect(await take('our-device')).toMatchObject({ code: 'device_taken', tank_id: 'our-tank' });
    expect(await take('their-device')).not.toHaveProperty('tank_id');
    await insertTank(sql, 'theirs', { id: 'a-first', assigned_device_id: 'our-device' });
    expect(await take('our-device')).toMatchObject({ tank_id: 'our-tank' });
  });
});
