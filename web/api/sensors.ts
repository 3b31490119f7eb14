// What the page asks about sensors and waiting uplinks in several requests.
import type { RetryResult, TankMonitoring } from 'tank-monitoring-client';
import { searchable } from '../format.js';
import { everyOne, orUndefined } from './troubles.js';

export type ProfiledSensor = NonNullable<Awaited<ReturnType<typeof findSensor>>>;

/** Undefined: the tank has none. */
export async function findSensor(client: TankMonitoring, tankId: string, signal: AbortSignal) {
  const [profile] = (await client.sensorProfiles.page({ tank_id: tankId }, { signal })).data;
  const sensor = profile && (await orUndefined(client.sensors.get(tankId, { signal })));
  return sensor && { sensor, profile };
}

export type OpenedSensor = NonNullable<Awaited<ReturnType<typeof openSensor>>>;

/** Null: there is no such tank. */
export async function openSensor(client: TankMonitoring, tankId: string, signal: AbortSignal) {
  const tank = await orUndefined(client.tanks.get(tankId, { signal }));
  if (tank === undefined || 'deleted' in tank) return null;
  const known = await findSensor(client, tankId, signal);
  const profiles = await everyOne(client.sensorProfiles.list({}, { signal }));
  const sorted = profiles.toSorted((a, b) => a.name.localeCompare(b.name));
  return { tankName: tank.name, sensor: known?.sensor, profiles: sorted };
}

export type UplinkDetail = NonNullable<Awaited<ReturnType<typeof findUplink>>>;

/** An uplink, the tanks that have its device, and the sensor if there is one tank. Null: it does not wait any more. */
export async function findUplink(client: TankMonitoring, id: string, signal: AbortSignal) {
  const uplink = await orUndefined(client.uplinks.get(id, { signal }));
  if (uplink === undefined) return null;
  const { device_id } = uplink;
  const waiting =
    device_id === '' ? [] : (await client.uplinks.page({ device_id, size: 20 }, { signal })).data;
  const tanks = await tanksWith(client, device_id, signal);
  const [tank] = tanks;
  const isOne = tank !== undefined && tanks.length === 1;
  return {
    uplink,
    tanks,
    sensor: isOne ? await findSensor(client, tank.tank_id, signal) : undefined,
    /** Of the same device, the newest. */
    others: waiting.filter((other) => other.id !== id),
  };
}

export async function tanksWith(client: TankMonitoring, device: string, signal?: AbortSignal) {
  if (device === '') return [];
  const { data } = await client.tanks.page({ assigned_device_id: device, size: 100 }, { signal });
  const known = data.map(({ id }) => orUndefined(client.fleet.tanks.get(id, { signal })));
  return (await Promise.all(known)).filter((tank) => tank !== undefined);
}

export async function searchTanks(client: TankMonitoring, text: string, signal?: AbortSignal) {
  return (await client.fleet.tanks.page({ q: searchable(text), size: 100 }, { signal })).data;
}

export type Retried = Pick<RetryResult, 'stored' | 'unchanged' | 'quarantined'>;

/** All that wait of a device, which may be more than one request tries; of none, all that wait. */
export async function retryUplinks(client: TankMonitoring, deviceId: string): Promise<Retried> {
  const all = { stored: 0, unchanged: 0, quarantined: 0 };
  let after: string | undefined;
  do {
    const one: RetryResult = await client.uplinks.retry({ device_id: deviceId || undefined, after });
    for (const name of ['stored', 'unchanged', 'quarantined'] as const) all[name] += one[name];
    after = one.next ?? undefined;
  } while (after !== undefined);
  return all;
}
