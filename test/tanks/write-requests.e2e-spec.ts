// What is common to all writes of customers and tanks: their bodies, parameters, the order of refusals, their log line, CORS.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { SCOPES } from '../../src/common/auth/scope.js';
import { startService } from '../support/app.js';
import { clear, insertCustomer, insertTank } from '../support/builders.js';
import { NEW_CUSTOMER, NEW_TANK, outcomeOf, tagOf } from '../support/manage.js';
import { parameterProblem } from '../support/problems.js';

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
  await insertTank(sql, 'ours', { id: 't', assigned_device_id: 'd' });
  await insertTank(sql, 'ours', { id: 'gone', deleted: true });
  lines.length = 0;
});

const JSON_ONLY = 'application/json';
const OR_PATCH = 'application/json, application/merge-patch+json';
const BODIES = [
  ['POST', '/v1/customers', NEW_CUSTOMER, 'accept-post', JSON_ONLY],
  ['PUT', '/v1/customers/c', NEW_CUSTOMER, 'accept', JSON_ONLY],
  ['PATCH', '/v1/customers/ours', { phone: '1' }, 'accept-patch', OR_PATCH],
  ['POST', '/v1/tanks', NEW_TANK, 'accept-post', JSON_ONLY],
  ['PUT', '/v1/tanks/x', NEW_TANK, 'accept', JSON_ONLY],
  ['PATCH', '/v1/tanks/t', { name: 'x' }, 'accept-patch', OR_PATCH],
] as const;

const send = async (
  method: string,
  path: string,
  body: string | Buffer,
  type: string | null,
  encoding?: string,
) => {
  const headers = [`X-API-Key: ${key}`, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close'];
  if (type !== null) headers.push(`Content-Type: ${type}`);
  if (encoding !== undefined) headers.push(`Content-Encoding: ${encoding}`);
  const head = `${method} ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`;
  const answer = await service.bytes(Buffer.concat([Buffer.from(head), Buffer.from(body)]));
  const { code, detail } = JSON.parse(answer.text) as { code?: string; detail?: string };
  return { status: answer.status, code, detail, headers: answer.headers };
};
const stored = async () =>
  (
    await sql.query(
      'select id, updated_at from customers union all select id, updated_at from tanks order by 1',
    )
  ).rows;

describe.each(BODIES)('%s %s', (method, path, sample, accepting, accepted) => {
  const text = JSON.stringify(sample);
  const good = { POST: 201, PUT: 201, PATCH: 200 }[method];

  it('takes JSON, with a BOM, in UTF-8, as it is', async () => {
    for (const type of ['application/json', 'Application/JSON; charset="UTF-8"']) {
      expect((await send(method, path, text, type)).status).toBeLessThan(300);
    }
    await clear(sql);
    await insertCustomer(sql, { id: 'ours' });
    await insertTank(sql, 'ours', { id: 't' });
    expect((await send(method, path, `\ufeff ${text} `, 'application/json', 'identity')).status).toBe(good);
  });

  it('takes a merge patch only where it patches', async () => {
    const { status } = await send(method, path, text, 'application/merge-patch+json');
    expect(status).toBe(method === 'PATCH' ? 200 : 415);
  });

  it('refuses another type or a compressed body, and says what it takes', async () => {
    const before = await stored();
    for (const type of [
      null,
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
    ]) {
      const { status, code, headers } = await send(method, path, text, type);
      expect([type, status, code]).toEqual([type, 415, 'unsupported_media_type']);
      expect(headers[accepting]).toBe(accepted);
    }
    const { status, headers } = await send(method, path, gzipSync(text), 'application/json', 'gzip');
    expect([status, headers['accept-encoding']]).toEqual([415, 'identity']);
    expect(await stored()).toEqual(before);
  });

  it('refuses what is no object of JSON', async () => {
    const before = await stored();
    for (const sent of [
      '',
      '{"name":',
      '[{}]',
      'null',
      '"x"',
      '{}{}',
      '{}\n{}',
      '['.repeat(8_000),
      `${'['.repeat(8_000)}${']'.repeat(8_000)}`,
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), // no UTF-8
    ]) {
      const { status, code } = await send(method, path, sent, 'application/json');
      expect([sent, status, code]).toEqual([sent, 400, 'malformed_body']);
    }
    expect(await stored()).toEqual(before);
  });

  it('takes 16 KiB and not a byte more', async () => {
    const largest = text + ' '.repeat(16_384 - Buffer.byteLength(text));
    const { status, code, detail } = await send(method, path, `${largest} `, 'application/json');
    expect([status, code]).toEqual([413, 'body_too_large']);
    expect(detail).toBe('A body may have at most 16384 bytes. Nothing was changed.');
    expect((await send(method, path, largest, 'application/json')).status).toBe(good);
    const chunks = Array.from({ length: 20 }, () => ' '.repeat(1_000));
    const chunked = { method, path, headers: [['Content-Type', 'application/json']] as const, chunks };
    expect((await service.raw(chunked, key)).status).toBe(413);
  });

  it('refuses any parameter, and names each', async () => {
    const before = await stored();
    const answer = await service.raw({ method, path: `${path}?size=1&x`, body: 'x' }, key);
    const detail = 'is not a parameter of this operation; it has none';
    expect(JSON.parse(answer.text)).toEqual(
      parameterProblem({ parameter: 'size', detail }, { parameter: 'x', detail }),
    );
    expect(await stored()).toEqual(before);
  });

  it('names fields by pointers that can be followed', async () => {
    const headers = [['Content-Type', 'application/json']] as const;
    const body = '{"a/b~c":1,"__proto__":2,"":3}';
    const { status, text: told } = await service.raw({ method, path, headers, body }, key);
    const { errors } = JSON.parse(told) as { errors: { pointer: string }[] };
    expect([status, errors.slice(-3).map(({ pointer }) => pointer)]).toEqual([
      400,
      ['/a~1b~0c', '/__proto__', '/'],
    ]);
  });
});

it('a DELETE refuses any parameter', async () => {
  expect(outcomeOf(await api.delete('/v1/tanks/t?force=true'))).toBe('400 invalid_parameters');
  expect(outcomeOf(await api.delete('/v1/customers/ours?'))).toBe('409 owns_tanks');
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

  it('for a PATCH: 404, 412, deleted, then what needs the stored', async () => {
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
  });

  it('for a DELETE: 404, 412, then what it owns', async () => {
    const outcomes = [
      await api.delete('/v1/customers/nobody').set('If-Match', '"x"'),
      await api.delete('/v1/customers/ours').set('If-Match', '"x"'),
      await api.delete('/v1/customers/ours').set('If-Match', '*'),
    ];
    expect(outcomes.map(outcomeOf)).toEqual(['404 not_found', '412 precondition_failed', '409 owns_tanks']);
  });
});

const changes = () =>
  lines
    .filter(({ operation }) => operation !== undefined)
    .map(({ level: _l, time: _t, pid: _p, hostname: _h, ...line }) => line);

describe('every change leaves one log line', () => {
  it('with who, what and which fields, and no values', async () => {
    const secret = 'secret-value';
    const prefix = key.slice(0, key.indexOf('.'));
    const id = 'request-1';
    const as = { 'X-Request-Id': id };
    await api
      .put('/v1/tanks/n')
      .set(as)
      .send({ ...NEW_TANK, name: secret, location: { city: secret } });
    await api
      .patch('/v1/tanks/n')
      .set(as)
      .send({ location: { city: 'y' }, use_case: 'industrial' });
    await api.delete('/v1/tanks/n').set(as);
    await api.put('/v1/tanks/n').set(as).send(NEW_TANK);
    const line = (operation: string, fields: string[]) => ({
      request_id: id,
      key: prefix,
      type: 'tank',
      id: 'n',
      operation,
      fields,
      msg: 'a tank was changed',
    });
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

  it('and what changes nothing or is refused leaves none', async () => {
    await api.patch('/v1/tanks/t').send({ assigned_device_id: 'd' }).expect(200);
    await api.delete('/v1/tanks/gone').expect(200);
    await api.patch('/v1/tanks/t').send({ owner_id: 'nobody' }).expect(400);
    await api.delete('/v1/customers/ours').expect(409);
    expect(changes()).toEqual([]);
  });
});
