// GET /v1/tanks and GET /v1/tanks/:id: what a tank looks like. What all lists share is in lists.e2e-spec.ts.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { startService } from '../support/app.js';
import { aTank, clear, insertCustomer, insertTank, insertTanks } from '../support/builders.js';
import { problem } from '../support/problems.js';

const service = await startService();
const { api, sql } = service;
beforeEach(async () => {
  await clear(sql);
  await insertCustomer(sql, { id: 'owner' });
});

const FULL_LOCATION = {
  city: 'Rotterdam',
  country: 'Netherlands',
  district: 'Delfshaven',
  latitude: 51.9066,
  longitude: -4.4517,
  postal_code: '3024 EL',
  region: 'Zuid-Holland',
  street: 'Havenstraat',
  street_number: '12A',
};
const FULL = {
  id: 'boiler-house',
  assigned_device_id: 'dev-00412',
  capacity: 2700.5,
  capacity_unit: 'gallons',
  created_at: '2026-01-31T08:15:30.123Z',
  custom_id: 'BOILER-2',
  min_fill_alert_percentage: 20,
  name: 'Boiler house',
  owner_id: 'owner',
  updated_at: '2026-09-02T11:00:00.000Z',
  use_case: 'commercial',
} as const;
const BARE = {
  id: 'yard',
  assigned_device_id: 'dev-00001',
  capacity: 1000,
  capacity_unit: 'liters',
  created_at: '2026-03-01T00:00:00.000Z',
  custom_id: null,
  min_fill_alert_percentage: 0,
  name: 'Yard',
  owner_id: 'owner',
  updated_at: '2026-03-01T00:00:00.000Z',
  use_case: null,
} as const;
const NOWHERE = {
  city: null,
  country: null,
  district: null,
  latitude: null,
  longitude: null,
  postal_code: null,
  region: null,
  street: null,
  street_number: null,
};

describe('GET /v1/tanks/:id', () => {
  it('shows exactly the documented fields of a tank', async () => {
    await insertTank(sql, 'owner', { ...FULL, ...FULL_LOCATION });

    const { body } = await api.get('/v1/tanks/boiler-house').expect(200);

    expect(body).toStrictEqual({ ...FULL, object: 'tank', location: FULL_LOCATION });
  });

  it('shows every key of an unknown location, and null where there is nothing to tell', async () => {
    await insertTank(sql, 'owner', BARE);

    const { body } = await api.get('/v1/tanks/yard').expect(200);

    expect(body).toStrictEqual({ ...BARE, object: 'tank', location: NOWHERE });
  });

  it.each([
    ['capacity_unit', 'liters'],
    ['capacity_unit', 'gallons'],
    ['use_case', 'residential'],
    ['use_case', 'commercial'],
    ['use_case', 'industrial'],
    ['min_fill_alert_percentage', 0],
    ['min_fill_alert_percentage', 100],
    ['capacity', 0.001],
    ['capacity', 1e15],
  ])('shows %s = %p as it is', async (field, value) => {
    await insertTank(sql, 'owner', { id: 'edge', [field]: value });

    const { body } = await api.get('/v1/tanks/edge').expect(200);

    expect(body).toHaveProperty(field, value);
  });

  it.each([
    ['latitude', -90],
    ['latitude', 90],
    ['longitude', -180],
    ['longitude', 180],
    ['latitude', 0],
  ])('shows location.%s = %p as a number', async (field, value) => {
    await insertTank(sql, 'owner', { id: 'edge', [field]: value });

    const { body } = await api.get('/v1/tanks/edge').expect(200);

    expect(body).toHaveProperty(`location.${field}`, value);
  });

  it('shows of a deleted tank its id, its type and that it is deleted', async () => {
    await insertTank(sql, 'owner', { ...FULL, deleted: true });

    const { body } = await api.get('/v1/tanks/boiler-house').expect(200);

    expect(body).toStrictEqual({ id: 'boiler-house', object: 'tank', deleted: true });
  });

  it('still shows the tanks of a deleted customer', async () => {
    await insertTank(sql, 'owner', BARE);
    await sql.query("update customers set deleted = true where id = 'owner'");

    expect(await service.status('/v1/tanks/yard')).toBe(200);
  });

  it.each([
    ['unknown', 'nothing'],
    ['of a customer', 'owner'],
    ['with a NUL', 'yard%00'],
    ['longer than any', 'x'.repeat(5000)],
  ])('answers 404 to an id %s', async (_, id) => {
    await insertTank(sql, 'owner', BARE);

    const { body } = await api.get(`/v1/tanks/${id}`).expect(404);

    expect(body).toEqual(problem(404, 'not_found', 'There is no tank with this id.'));
  });
});

describe('GET /v1/tanks', () => {
  it('lists whole tanks in the envelope', async () => {
    await insertTanks(sql, [aTank('owner', { ...FULL, ...FULL_LOCATION }), aTank('owner', BARE)]);

    const { body } = await api.get('/v1/tanks').expect(200);

    expect(body).toStrictEqual({
      object: 'list',
      data: [
        { ...BARE, object: 'tank', location: NOWHERE },
        { ...FULL, object: 'tank', location: FULL_LOCATION },
      ],
      page: 1,
      size: 10,
      total_pages: 1,
      total_items: 2,
    });
  });

  it('leaves deleted tanks out of data and totals', async () => {
    await insertTanks(sql, [aTank('owner', { id: 'live' }), aTank('owner', { id: 'gone', deleted: true })]);

    const { body } = await api.get('/v1/tanks').expect(200);

    expect(body).toMatchObject({ data: [{ id: 'live' }], total_pages: 1, total_items: 1 });
  });
});
