// Sensors and waiting uplinks: the objects of the public API, and all that the page asks and sends about them.
import type { ApiClient, Change, Tagged } from './client.js';
import { orUndefined } from './troubles.js';
import type { DeletedTank, List, Tank, TankStatus } from './types.js';

export const UNITS = ['mm', 'cm', 'm', 'in', 'ft', 'percent'] as const;
export type Unit = (typeof UNITS)[number];
export const SHAPES = ['upright', 'horizontal_cylinder', 'sphere'] as const;
export type Shape = (typeof SHAPES)[number];

export type Calibration =
  | { readonly empty: number; readonly full: number; readonly unit: Unit; readonly shape: Shape }
  | { readonly table: readonly (readonly [number, number])[]; readonly unit: Unit };

export interface SensorProfile {
  readonly id: string;
  readonly name: string;
  readonly level: { readonly unit: Unit };
}

export interface LastUplink {
  readonly received_at: string;
  readonly battery_percent: number | null;
  readonly temperature_celsius: number | null;
  readonly rssi_dbm: number | null;
  readonly snr_db: number | null;
  readonly gateway_id: string | null;
  readonly level: number | null;
  readonly fill_percentage: number | null;
}

export interface Sensor {
  readonly profile_id: string;
  readonly calibration: Calibration | null;
  readonly last_uplink: LastUplink | null;
}

export interface ProfiledSensor {
  readonly sensor: Sensor;
  readonly profile: SensorProfile;
}

export const REASONS = [
  'unknown_device',
  'ambiguous_device',
  'no_sensor',
  'rejected',
  'no_value',
  'not_a_number',
  'no_calibration',
  'out_of_range',
  'in_the_future',
] as const;
export type Reason = (typeof REASONS)[number];

export interface Uplink {
  readonly id: string;
  readonly created_at: string;
  readonly source: 'chirpstack' | 'tts';
  readonly device_id: string;
  readonly reason: Reason;
}

export interface WholeUplink extends Uplink {
  readonly payload: unknown;
}

/** An uplink, the tanks that have its device, and the sensor if there is one tank. */
export interface UplinkDetail {
  readonly uplink: WholeUplink;
  readonly tanks: readonly TankStatus[];
  readonly sensor: ProfiledSensor | undefined;
}

export interface Retried {
  readonly stored: number;
  readonly unchanged: number;
  readonly quarantined: number;
}

/** Undefined: the tank has none. */
export async function findSensor(
  client: ApiClient,
  tankId: string,
  signal: AbortSignal,
): Promise<ProfiledSensor | undefined> {
  const sensor = await orUndefined(client.get<Sensor>(sensorOf(tankId), {}, signal));
  if (sensor === undefined) return undefined;
  const profile = `sensor_profiles/${encodeURIComponent(sensor.profile_id)}`;
  return { sensor, profile: await client.get<SensorProfile>(profile, {}, signal) };
}

export interface OpenedSensor {
  readonly tankName: string;
  readonly sensor: Tagged<Sensor> | undefined;
  readonly profiles: readonly SensorProfile[];
}

/** Null: there is no such tank. */
export async function openSensor(
  client: ApiClient,
  tankId: string,
  signal: AbortSignal,
): Promise<OpenedSensor | null> {
  const path = `tanks/${encodeURIComponent(tankId)}`;
  const tank = await orUndefined(client.get<Tank | DeletedTank>(path, {}, signal));
  if (tank === undefined || tank.deleted === true) return null;
  const [sensor, profiles] = await Promise.all([
    findTaggedSensor(client, tankId, signal),
    client.all<SensorProfile>('sensor_profiles', {}, signal),
  ]);
  return { tankName: tank.name, sensor, profiles: profiles.toSorted((a, b) => a.name.localeCompare(b.name)) };
}

export function findTaggedSensor(
  client: ApiClient,
  tankId: string,
  signal?: AbortSignal,
): Promise<Tagged<Sensor> | undefined> {
  return orUndefined(client.tagged<Sensor>(sensorOf(tankId), signal));
}

export function changeSensor(client: ApiClient, tankId: string, change: Change): Promise<void> {
  return client.change(sensorOf(tankId), change);
}

export function listUplinks(
  client: ApiClient,
  parameters: { reason?: Reason | undefined; page?: number; size: number },
  signal: AbortSignal,
): Promise<List<Uplink>> {
  return client.get('uplinks', parameters, signal);
}

/** Null: it does not wait any more. */
export async function findUplink(
  client: ApiClient,
  id: string,
  signal: AbortSignal,
): Promise<UplinkDetail | null> {
  const uplink = await orUndefined(client.get<WholeUplink>(uplinkAt(id), {}, signal));
  if (uplink === undefined) return null;
  const tanks = await tanksWith(client, uplink.device_id, signal);
  const [tank] = tanks;
  const isOne = tank !== undefined && tanks.length === 1;
  return { uplink, tanks, sensor: isOne ? await findSensor(client, tank.tank_id, signal) : undefined };
}

export async function isWaiting(client: ApiClient, id: string): Promise<boolean> {
  return (await orUndefined(client.get<WholeUplink>(uplinkAt(id)))) !== undefined;
}

/** The search finds a part of an id as it is written; an EUI may be written in three ways. */
async function tanksWith(client: ApiClient, device: string, signal: AbortSignal) {
  const pairs = /^[0-9A-F]{16}$/.test(device) ? device.match(/../g) : null;
  const writings = pairs === null ? [device] : [device, pairs.join('-'), pairs.join(':')];
  const isIt = (written: string) => writings.includes(pairs === null ? written : written.toUpperCase());
  const lists = await Promise.all(
    writings
      .filter(({ length }) => length > 1) // the shortest text that can be searched for
      .map((q) => searchTanks(client, q, signal)),
  );
  return lists.flat().filter(({ assigned_device_id }) => isIt(assigned_device_id));
}

export async function searchTanks(
  client: ApiClient,
  text: string,
  signal: AbortSignal,
): Promise<readonly TankStatus[]> {
  const q = text.slice(0, 100);
  return (await client.get<List<TankStatus>>('fleet/tanks', { q, size: 100 }, signal)).data;
}

export function assignDevice(
  client: ApiClient,
  { object, tag }: Tagged<Tank>,
  deviceId: string,
): Promise<void> {
  const body = { assigned_device_id: deviceId };
  return client.change(`tanks/${encodeURIComponent(object.id)}`, { method: 'PATCH', body, tag });
}

/** All that wait of a device, which may be more than one request tries. */
export async function retryUplinks(client: ApiClient, deviceId: string): Promise<Retried> {
  const all = { stored: 0, unchanged: 0, quarantined: 0 };
  let after: string | null = null;
  do {
    const body = { device_id: deviceId, after };
    const one: Retried & { next: string | null } = await client.post('uplinks/retry', body);
    for (const name of ['stored', 'unchanged', 'quarantined'] as const) all[name] += one[name];
    after = one.next;
  } while (after !== null);
  return all;
}

/** One that is gone already is no matter. */
export async function discardUplink(client: ApiClient, id: string): Promise<void> {
  await orUndefined(client.change(uplinkAt(id), { method: 'DELETE' }));
}

function sensorOf(tankId: string): string {
  return `tanks/${encodeURIComponent(tankId)}/sensor`;
}

function uplinkAt(id: string): string {
  return `uplinks/${encodeURIComponent(id)}`;
}
