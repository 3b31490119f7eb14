// GET /v1/tanks and GET /v1/tanks/:id: what a tank looks like. What all lists share is in lists.e2e-spec.ts.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { startService } from '../support/app.js';
import { aTank, clear, insertCustomer, insertTank, insertTanks } from '../support/builders.js';
import { FULL_TANK, NOWHERE } from '../support/manage.js';
import { parameterProblem } from '../support/problems.js';

const service = await startService();
const { api, sql } = service;
beforeEach(async () => {
  await clear(sql);
  await insertCustomer(sql, { id: 'owner' });
});

const { location: PLACE, ...KNOWN } = FULL_TANK;
const FULL = {
  ...KNOWN,
  id: 'boiler-house',
  capacity_unit: 'gallons',
  created_at: '2026-01-31T08:15:30.123Z',
  owner_id: 'owner',
  updated_at: '2026-09-02T11:00:00.000Z',
  use_case: 'commercial',
} as const;
const BARE = {
  ...FULL,
  id: 'yard',
  created_at: '2026-03-01T00:00:00.000Z',
  custom_id: null,
  min_fill_alert_percentage: 0,
  use_case: null,
};
const SHOWN_FULL = { ...FULL, object: 'tank', location: PLACE };
const SHOWN_BARE = { ...BARE, object: 'tank', location: NOWHERE };

describe('GET /v1/tanks/:id', () => {
  it('shows exactly the documented fields of a tank, and null where there is nothing to tell, as the list does', async () => {
    await insertTanks(sql, [aTank('owner', { ...FULL, ...PLACE }), aTank('owner', BARE)]);

    expect((await api.get('/v1/tanks/boiler-house').expect(200)).body).toStrictEqual(SHOWN_FULL);
    expect((await api.get('/v1/tanks/yard').expect(200)).body).toStrictEqual(SHOWN_BARE);
    const totals = { page: 1, size: 10, total_pages: 1, total_items: 2 };
    const list = { object: 'list', data: [SHOWN_BARE, SHOWN_FULL], ...totals };
    expect((await api.get('/v1/tanks').expect(200)).body).toStrictEqual(list);
  });

  it.each([
    { use_case: 'residential', min_fill_alert_percentage: 0, capacity: 0.001 },
    { use_case: 'industrial', min_fill_alert_percentage: 100, capacity: 1e15 },
    { latitude: -90, longitude: 180 },
    { latitude: 90, longitude: -180 },
    { latitude: 0, longitude: 0 },
  ] as const)('shows values at the edge as they are: %j', async (fields) => {
    await insertTank(sql, 'owner', { id: 'edge', ...fields });

    const { body } = await api.get('/v1/tanks/edge').expect(200);

    const { location, ...others } = body as Record<string, object>;
    expect({ ...others, ...location }).toMatchObject(fields);
  });
});

const found = async (filters: Record<string, string>, key?: string) => {
  const agent = key === undefined ? api : service.agent(key);
  const { body } = await agent.get('/v1/tanks').query(filters).expect(200);
  expect(body.total_items).toBe(body.data.length);
  return body.data.map(({ id }: { id: string }) => id);
};

describe('GET /v1/tanks?owner_id=, ?custom_id= and ?assigned_device_id=', () => {
  /** Longer than an entry of an index can be. */
  const LONG = Array.from({ length: 900 }, (_, i) => (i * 7919).toString(36)).join('');
  beforeEach(async () => {
    await insertCustomer(sql, { id: 'other' });
    await insertTanks(sql, [
      aTank('owner', { id: 'a', custom_id: 'ERP-7', assigned_device_id: '0016C001F000175A' }),
      aTank('other', { id: 'b', custom_id: 'ERP-7', assigned_device_id: 'probe-1' }),
      aTank('owner', { id: 'c', custom_id: 'erp-7', assigned_device_id: '' }),
      aTank('owner', { id: 'd', custom_id: LONG, assigned_device_id: 'Probe-1' }),
      aTank('owner', { id: 'e', custom_id: `${LONG}!`, assigned_device_id: '' }),
      aTank('owner', { id: 'gone', custom_id: 'ERP-7', assigned_device_id: 'probe-1', deleted: true }),
    ]);
  });

  it.each([
    [{ owner_id: 'owner' }, ['e', 'd', 'c', 'a']],
    [{ owner_id: 'nobody' }, []],
    [{ owner_id: 'own%' }, []],
    [{ custom_id: 'ERP-7' }, ['b', 'a']],
    [{ custom_id: 'erp-7' }, ['c']],
    [{ custom_id: 'ERP-7\0' }, []],
    [{ assigned_device_id: '00-16-c0-01-f0-00-17-5a' }, ['a']],
    [{ assigned_device_id: '00:16:C0:01:F0:00:17:5A' }, ['a']],
    [{ assigned_device_id: '0016-c001-f000-175a' }, []],
    [{ assigned_device_id: 'probe-1' }, ['b']],
    [{ owner_id: 'owner', custom_id: 'ERP-7' }, ['a']],
    [{ custom_id: 'ERP-7', assigned_device_id: '0016c001f000175a' }, ['a']],
    [{ owner_id: 'other', custom_id: 'ERP-7', assigned_device_id: '0016c001f000175a' }, []],
    [{ custom_id: 'ERP-7', created_at_lte: '2000-01-01' }, []],
  ])('%j finds exactly %j', async (filters, ids) => {
    expect(await found(filters)).toEqual(ids);
  });

  it('shows a bound key its own only', async () => {
    const key = await service.createKey({ customerId: 'other' });
    expect(await found({ custom_id: 'ERP-7' }, key)).toEqual(['b']);
    expect(await found({ owner_id: 'owner' }, key)).toEqual([]);
    expect(await found({ owner_id: 'other', assigned_device_id: 'probe-1' }, key)).toEqual(['b']);
  });

  it.each(['owner_id', 'custom_id', 'assigned_device_id'])('refuses an empty %s', async (parameter) => {
    const { body } = await api.get(`/v1/tanks?${parameter}=`).expect(400);
    const detail = 'must not be empty; leave the parameter out to see all';
    expect(body).toEqual(parameterProblem({ parameter, detail }));
  });
});
