// GET /v1/tanks/:id/telemetry: what a reading looks like, and whose it is. What all lists share is in lists.e2e-spec.ts.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { startService } from '../support/app.js';
import { clear, insertCustomer, insertReadings, insertTank } from '../support/builders.js';
import { EMPTY_LIST } from '../support/lists.js';

const service = await startService();
const { api, sql } = service;
beforeEach(async () => {
  await clear(sql);
  await insertCustomer(sql, { id: 'owner' });
  await insertTank(sql, 'owner', { id: 'tank' });
});

describe('GET /v1/tanks/:id/telemetry', () => {
  it('lists whole readings, without an identifier, in the envelope', async () => {
    await insertReadings(sql, 'tank', [
      { created_at: '2026-01-01T00:00:00.000Z', fill_percentage: 0 },
      { created_at: '2026-01-02T00:00:00.010Z', fill_percentage: 63.25 },
      { created_at: '2026-01-03T00:00:00.100Z', fill_percentage: 100 },
    ]);

    const { body } = await api.get('/v1/tanks/tank/telemetry').expect(200);

    expect(body).toStrictEqual({
      object: 'list',
      data: [
        { object: 'telemetry', created_at: '2026-01-03T00:00:00.100Z', fill_percentage: 100 },
        { object: 'telemetry', created_at: '2026-01-02T00:00:00.010Z', fill_percentage: 63.25 },
        { object: 'telemetry', created_at: '2026-01-01T00:00:00.000Z', fill_percentage: 0 },
      ],
      page: 1,
      size: 10,
      total_pages: 1,
      total_items: 3,
    });
  });

  it('lists the readings of that tank only', async () => {
    await insertTank(sql, 'owner', { id: 'neighbour' });
    await insertReadings(sql, 'neighbour', [{ created_at: '2026-01-01T00:00:00.000Z', fill_percentage: 1 }]);
    await insertReadings(sql, 'tank', [{ created_at: '2026-01-01T00:00:00.000Z', fill_percentage: 2 }]);

    const { body } = await api.get('/v1/tanks/tank/telemetry').expect(200);

    expect(body).toMatchObject({ data: [{ fill_percentage: 2 }], total_items: 1 });
  });

  it('is an empty list for a tank without readings', async () => {
    const { body } = await api.get('/v1/tanks/tank/telemetry').expect(200);

    expect(body).toStrictEqual(EMPTY_LIST);
  });

  it('stays readable when the tank is deleted', async () => {
    await insertReadings(sql, 'tank', [{ created_at: '2026-01-01T00:00:00.000Z', fill_percentage: 2 }]);
    await sql.query("update tanks set deleted = true where id = 'tank'");

    const { body } = await api.get('/v1/tanks/tank/telemetry').expect(200);

    expect(body).toMatchObject({ data: [{ fill_percentage: 2 }], total_items: 1 });
  });

  it('keeps one reading per tank and instant', async () => {
    const reading = { created_at: '2026-01-01T00:00:00.000Z', fill_percentage: 2 };
    await insertReadings(sql, 'tank', [reading]);

    await expect(insertReadings(sql, 'tank', [{ ...reading, fill_percentage: 3 }])).rejects.toThrow(
      'duplicate key',
    );
  });
});
