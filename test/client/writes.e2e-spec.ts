// Writing: what may be repeated is, what may not is left to the caller, and of two changes of one version one is refused.
import { describe, expect, it, jest } from '@jest/globals';
import { ConnectionError, etagOf, ifUnchanged } from 'tank-monitoring-client';
import { insertCustomer } from '../support/builders.js';
import { startFronted, type Fate } from './support/front.js';

const TANK = { name: 'Boiler house', owner_id: 'ours', capacity: 2700, capacity_unit: 'liters' } as const;

const { service, sql, front, tms } = await startFronted(['read', 'tanks:write']);
await insertCustomer(sql, { id: 'ours' });

function failingOnce(fate: Fate): void {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  front.reset((n) => (n === 1 ? fate : 'answered'));
}

async function tankCount(): Promise<number> {
  return (await service.api.get('/v1/tanks')).body.total_items as number;
}

describe('what can be repeated', () => {
  it.each(['lost', 'answer lost', { status: 503 }] as const)(
    'is, after %j: put, patch, delete',
    async (fate) => {
      failingOnce(fate);
      expect(await tms.tanks.put('a', TANK)).toMatchObject({ id: 'a', name: 'Boiler house' });
      failingOnce(fate);
      expect(await tms.tanks.patch('a', { name: 'Kitchen' })).toMatchObject({ name: 'Kitchen' });
      failingOnce(fate);
      expect(await tms.tanks.delete('a')).toEqual({ id: 'a', object: 'tank', deleted: true });
      expect(front.seen).toHaveLength(2);
    },
  );

  it('is also what was surely not done, after 429: create, and what has a condition', async () => {
    const before = await tankCount();
    failingOnce({ status: 429 });
    const tank = await tms.tanks.create(TANK);
    failingOnce({ status: 429 });
    await tms.tanks.patch(tank.id, { name: 'Kitchen' }, ifUnchanged(tank));
    expect(await tankCount()).toBe(before + 1);
  });
});

describe('what cannot be repeated', () => {
  it('is not: to delete what then is not there, as profiles and sensors', async () => {
    await tms.sensorProfiles.put('p', { name: 'P', level: { path: 'l', unit: 'percent' } });
    await tms.tanks.put('s', TANK);
    await tms.sensors.put('s', { profile_id: 'p' });
    for (const remove of [() => tms.sensors.delete('s'), () => tms.sensorProfiles.delete('p')]) {
      failingOnce('answer lost');
      await expect(remove()).rejects.toThrow(ConnectionError);
      expect(front.seen).toHaveLength(1);
    }
  });

  it.each(['lost', 'answer lost', { status: 408 }, { status: 503 }] as const)(
    'is not, after %j: create',
    async (fate) => {
      const before = await tankCount();
      failingOnce(fate);
      await expect(tms.tanks.create(TANK)).rejects.toBeInstanceOf(Error);
      expect(front.seen).toHaveLength(1);
      expect(await tankCount()).toBe(before + (fate === 'answer lost' ? 1 : 0));
    },
  );

  it('is not: what has a condition, which would report the own change as that of another', async () => {
    const tank = await tms.tanks.put('b', TANK);
    failingOnce('answer lost');
    await expect(tms.tanks.patch('b', { name: 'Kitchen' }, ifUnchanged(tank))).rejects.toThrow(
      ConnectionError,
    );
    failingOnce('answer lost');
    await expect(tms.tanks.put('c', TANK, { ifNoneMatch: '*' })).rejects.toThrow(ConnectionError);
    expect(front.seen).toHaveLength(1);
    expect(await tms.tanks.get('c')).toMatchObject({ id: 'c' });
  });
});

describe('the version of an object', () => {
  it('comes with whatever gives it, and lets one of two changes pass', async () => {
    const put = await tms.tanks.put('d', TANK);
    const got = await tms.tanks.get('d');
    expect(etagOf(got)).toBe(etagOf(put));
    const patched = await tms.tanks.patch('d', { name: 'Kitchen' }, ifUnchanged(got));
    await expect(tms.tanks.patch('d', { name: 'Cellar' }, ifUnchanged(got))).rejects.toMatchObject({
      status: 412,
      code: 'precondition_failed',
    });
    expect(etagOf(patched)).toBe(etagOf(await tms.tanks.get('d')));
    expect(etagOf({})).toBeUndefined();
  });

  it('is not left out by mistake: objects of a list have none', async () => {
    await tms.tanks.put('g', TANK);
    const [listed] = (await tms.tanks.page({ size: 1 })).data;
    expect(() => ifUnchanged(listed!)).toThrow(TypeError);
    const options = { ifMatch: etagOf(listed!) } as { ifMatch: string }; // as from JavaScript
    await expect(tms.tanks.patch('g', { name: 'Cellar' }, options)).rejects.toThrow(TypeError);
  });
});

it('a problem of a write says what stands in the way', async () => {
  await tms.tanks.put('e', { ...TANK, assigned_device_id: 'device-e' });
  await expect(tms.tanks.create({ ...TANK, assigned_device_id: 'device-e' })).rejects.toMatchObject({
    status: 409,
    code: 'device_taken',
    problem: { tank_id: 'e' },
  });
});
