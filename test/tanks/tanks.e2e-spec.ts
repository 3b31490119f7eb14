// GET /v1/tanks: how tanks are found. What one looks like is in writes.e2e-spec.ts, what all lists share in common/lists.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { startService } from '../support/app.js';
import { aTank, clear, insertCustomer, insertTanks } from '../support/builders.js';

const service = await startService();
const { api, sql } = service;
beforeEach(async () => {
  await clear(sql);
  await insertCustomer(sql, { id: 'owner' });
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
    [{ assigned_device_id: '0016-c001 f000.175a' }, ['a']],
    [{ assigned_device_id: '0016_c001_f000_175a' }, []],
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
});
