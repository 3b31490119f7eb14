// POST /v1/tanks/:id/restore and POST /v1/customers/:id/restore: deleted objects that come back as they were.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { SCOPES } from '../../src/common/auth/scope.js';
import { startService } from '../support/app.js';
import { clear, insertCustomer, insertTank } from '../support/builders.js';
import { FULL_CUSTOMER, FULL_TANK, outcomeOf, tagOf } from '../support/manage.js';

const service = await startService();
const { sql } = service;
const api = service.agent(await service.createKey({ scopes: SCOPES }));

const restore = (path: string) => api.post(`/v1/${path}/restore`);
const newest = async (path: string) =>
  ((await api.get(`/v1/activity?object_id=${path}&size=1`).expect(200)).body as { data: object[] }).data[0];

beforeEach(async () => {
  await clear(sql);
  await insertCustomer(sql, { id: 'ours' });
  await insertCustomer(sql, { id: 'gone', deleted: true });
});

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

  it('has its sensor again', async () => {
    await api.put('/v1/sensor_profiles/probe').send({ name: 'Probe', level: { path: 'l', unit: 'percent' } });
    await api.put('/v1/tanks/back').send(FULL_TANK).expect(201);
    await api.put('/v1/tanks/back/sensor').send({ profile_id: 'probe' }).expect(201);
    await api.delete('/v1/tanks/back').expect(200);
    await api.get('/v1/tanks/back/sensor').expect(404);
    await restore('tanks/back').expect(200);
    expect((await api.get('/v1/tanks/back/sensor').expect(200)).body).toMatchObject({ profile_id: 'probe' });
  });

  it('comes back on the conditions of a DELETE', async () => {
    await insertTank(sql, 'ours', { id: 't', deleted: true });
    const tag = tagOf(await api.get('/v1/tanks/t'));
    expect(outcomeOf(await restore('tanks/t').set('If-Match', '*'))).toBe('412 precondition_failed');
    expect(outcomeOf(await restore('tanks/t').set('If-Match', '"other"'))).toBe('412 precondition_failed');
    await restore('tanks/t').set('If-Match', tag).expect(200);
    for (const path of ['tanks/nobody', 'customers/nobody', 'tanks/a%00b'])
      expect(outcomeOf(await restore(path))).toBe('404 not_found');
    expect(outcomeOf(await api.post('/v1/tanks/t/restore?force=1'))).toBe('400 invalid_parameters');
    expect(outcomeOf(await restore('tanks/t').send({ name: 'x' }))).toBe('400 invalid_fields');
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
    const reader = service.agent(await service.createKey({ scopes: ['read'] }));
    expect(outcomeOf(await reader.post('/v1/tanks/mine/restore'))).toBe('403 insufficient_scope');
  });
});
