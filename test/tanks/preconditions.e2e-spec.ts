// If-Match and If-None-Match: what a write may rely on.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { SCOPES } from '../../src/common/auth/scope.js';
import { startService } from '../support/app.js';
import { clear, insertCustomer, insertTank } from '../support/builders.js';
import { NEW_CUSTOMER, NEW_TANK, outcomeOf, tagOf } from '../support/manage.js';
import { problem } from '../support/problems.js';

const service = await startService();
const { sql } = service;
const api = service.agent(await service.createKey({ scopes: SCOPES }));

const FAILED = '412 precondition_failed';

beforeEach(async () => {
  await clear(sql);
  await insertCustomer(sql, { id: 'ours' });
  await insertTank(sql, 'ours', { id: 't', name: 'a' });
  await insertTank(sql, 'ours', { id: 'gone', deleted: true });
});

const tagOfTank = async (id = 't') => tagOf(await api.get(`/v1/tanks/${id}`));
const patch = async (ifMatch: string, body: object = { name: 'b' }, id = 't') =>
  outcomeOf(await api.patch(`/v1/tanks/${id}`).set('If-Match', ifMatch).send(body));

const put = async (header: 'If-Match' | 'If-None-Match', value: string, id = 't') =>
  outcomeOf(await api.put(`/v1/tanks/${id}`).set(header, value).send(NEW_TANK));
const remove = async (ifMatch: string, id = 't') =>
  outcomeOf(await api.delete(`/v1/tanks/${id}`).set('If-Match', ifMatch));

describe('If-Match', () => {
  it('lets a change through that knows the object as it is, once', async () => {
    const tag = await tagOfTank();
    const changed = await api.patch('/v1/tanks/t').set('If-Match', tag).send({ name: 'b' }).expect(200);

    const { body } = await api.patch('/v1/tanks/t').set('If-Match', tag).send({ name: 'c' }).expect(412);

    const detail =
      'Nothing was changed: the tank is not as If-Match or If-None-Match wants it. Get it again, and decide anew.';
    expect(body).toEqual(problem(412, 'precondition_failed', detail));
    expect(await patch(tagOf(changed), { name: 'c' })).toBe('200');
  });

  it('compares weakly, and takes any of several tags', async () => {
    const tag = await tagOfTank();
    const strong = tag.replace('W/', '');
    for (const given of [tag, strong, `"x", ${tag}`, `${strong} , "y,z"`, `  ${tag}  `, '*', ' * ']) {
      expect([given, await patch(given, {})]).toEqual([given, '200']);
    }
    const others = [
      '"x"',
      strong.slice(1, -1),
      '"*"',
      '""',
      `W/${strong.slice(1)}`,
      'W/',
      ',',
      `"x,${strong}`,
    ];
    const long = ['"'.repeat(7_000), '\\"'.repeat(4_000), ','.repeat(10_000), 'W/'.repeat(5_000)];
    for (const given of [...others, ...long]) {
      expect([given, await patch(given, {})]).toEqual([given, FAILED]);
    }
  });

  it('of * is for one that is there and not deleted', async () => {
    expect(await put('If-Match', '*')).toBe('200');
    for (const id of ['gone', 'new']) expect(await put('If-Match', '*', id)).toBe(FAILED);
    expect([await patch('*', {}), await patch('*', {}, 'gone'), await patch('*', {}, 'new')]).toEqual([
      '200',
      FAILED,
      '404 not_found',
    ]);
    expect([await remove('*', 'gone'), await remove('*', 'new')]).toEqual([FAILED, '404 not_found']);
    expect([await remove('*'), await remove('*')]).toEqual(['200', FAILED]);
  });

  it('guards a DELETE and a PUT too', async () => {
    const tag = await tagOfTank();
    expect([await put('If-Match', tag), await put('If-Match', tag)]).toEqual(['200', FAILED]);
    expect([await remove(tag), await remove(await tagOfTank())]).toEqual([FAILED, '200']);
  });

  it('of a customer covers its number of tanks', async () => {
    const tag = tagOf(await api.get('/v1/customers/ours'));
    await api.delete('/v1/tanks/t').expect(200);
    const change = { ...NEW_CUSTOMER };
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
    expect(await put('If-None-Match', '*')).toBe(FAILED);
    for (const id of ['gone', 'new']) {
      expect([await put('If-None-Match', '*', id), await put('If-None-Match', '*', id)]).toEqual([
        '201',
        FAILED,
      ]);
    }
  });

  it('with a tag is for another one than that', async () => {
    const tag = await tagOfTank();
    expect([await put('If-None-Match', tag), await put('If-None-Match', '"x"')]).toEqual([FAILED, '200']);
  });
});
