// Messages of network servers as they post them, a small fleet with sensors, and ways to send them.
import { expect } from '@jest/globals';
import type { Pool } from 'pg';
import type { Agent, TestService } from './app.js';
import { aCustomer, aTank, clear, insertCustomers, insertTanks } from './builders.js';

export const EUI = '0016C001F000175A';
export const AT = '2026-02-03T12:00:00.123Z';
/** So many seconds after it. */
export const later = (seconds: number): string => new Date(Date.parse(AT) + seconds * 1000).toISOString();
export const CALIBRATION = { empty: 1600, full: 600, unit: 'mm', shape: 'upright' };

/** As ChirpStack 4 posts it, shortened. */
export function chirpStack(more: object = {}): Record<string, unknown> {
  return {
    deduplicationId: '3ac7e3c4-4401-4b8d-9386-a5c902f9202d',
    time: '2026-02-03T12:00:00.123456789+00:00',
    deviceInfo: { tenantName: 'ChirpStack', deviceName: 'tank-1', devEui: EUI.toLowerCase() },
    devAddr: '00189440',
    fCnt: 17,
    fPort: 85,
    confirmed: false,
    data: 'AXVcAwH0',
    object: { battery: 92, temperature: 25.7, distance: 1100, position: 'normal' },
    rxInfo: [
      { gatewayId: '0016c001f153a14c', uplinkId: 1, rssi: -97, snr: 6.5 },
      { gatewayId: 'a84041ffff1e24b0', uplinkId: 2, rssi: -57, snr: 9 },
    ],
    txInfo: { frequency: 868100000 },
    ...more,
  };
}

/** As The Things Stack 3 posts it, shortened. */
export function tts(more: object = {}, uplink: object = {}): Record<string, unknown> {
  return {
    end_device_ids: { device_id: 'tank-1', application_ids: { application_id: 'tanks' }, dev_eui: EUI },
    correlation_ids: ['gs:uplink:01'],
    received_at: '2026-02-03T12:00:00.323456789Z',
    uplink_message: {
      session_key_id: 'AX==',
      f_port: 85,
      f_cnt: 17,
      frm_payload: 'AXVcAwH0',
      decoded_payload: { battery: 92, temperature: 25.7, distance: 1100, position: 'normal' },
      rx_metadata: [{ gateway_ids: { gateway_id: 'roof', eui: '0016C001F153A14C' }, rssi: -97, snr: 6.5 }],
      received_at: '2026-02-03T12:00:00.123456789Z',
      ...uplink,
    },
    ...more,
  };
}

export const decoded = (object: object, more: object = {}): Record<string, unknown> =>
  chirpStack({ object, ...more });
export const device = (devEui: string, more: object = {}): Record<string, unknown> =>
  chirpStack({ deviceInfo: { devEui }, ...more });

export function send(agent: Agent, message: unknown, address = 'chirpstack') {
  return agent
    .post(`/v1/uplinks/${address}`)
    .set('Content-Type', 'application/json')
    .serialize((value: unknown) => value as string)
    .send(typeof message === 'string' ? message : JSON.stringify(message));
}

export interface UplinkResult {
  readonly outcome: string;
  readonly reason: string | null;
  readonly tank_id: string | null;
  readonly fill_percentage: number | null;
  readonly uplink_id: string | null;
}

export async function outcomeOf(agent: Agent, message: unknown, address?: string): Promise<UplinkResult> {
  return (await send(agent, message, address).expect(200)).body as UplinkResult;
}

/** The whole body of an answer. */
export function result(given: object = {}): object {
  return {
    object: 'uplink_result',
    outcome: 'stored',
    reason: null,
    device_id: EUI,
    tank_id: 'a',
    created_at: AT,
    fill_percentage: 50,
    uplink_id: null,
    history: null,
    ...given,
  };
}

/** Tank a of ours has the device of the messages above, and a sensor; b has none; c and the twins are theirs. */
export async function insertSensors(sql: Pool): Promise<void> {
  await clear(sql);
  await sql.query('delete from quarantined_uplinks');
  await insertCustomers(sql, [aCustomer({ id: 'ours' }), aCustomer({ id: 'theirs' })]);
  await insertTanks(sql, [
    aTank('ours', { id: 'a', assigned_device_id: EUI }),
    aTank('ours', { id: 'b', assigned_device_id: 'device-b' }),
    aTank('theirs', { id: 'c', assigned_device_id: 'device-c' }),
    aTank('theirs', { id: 'twin-1', assigned_device_id: '00-00-00-00-00-00-00-0a' }),
    aTank('theirs', { id: 'twin-2', assigned_device_id: '000000000000000A' }),
    aTank('ours', { id: 'gone', assigned_device_id: 'device-gone', deleted: true }),
  ]);
  await setSensor(sql, 'a', 'em400-udl', CALIBRATION);
}

export async function setSensor(
  sql: Pool,
  tank: string,
  profile: string,
  calibration: object | null,
): Promise<void> {
  await sql.query(
    `insert into tank_sensors (tank_key, profile_id, calibration) select key, $2, $3 from tanks where id = $1
     on conflict (tank_key) do update set profile_id = excluded.profile_id, calibration = excluded.calibration`,
    [tank, profile, calibration === null ? null : JSON.stringify(calibration)],
  );
}

export interface Keys {
  readonly sender: Agent;
  readonly ours: Agent;
  readonly theirs: Agent;
  readonly manager: Agent;
}

const ALL = ['read', 'telemetry:write', 'tanks:write'] as const;

/** One that sees everything, and those of the two customers, who must be there. */
export async function createKeys(service: TestService): Promise<Keys> {
  const agent = async (customerId: string | null) =>
    service.agent(await service.createKey({ scopes: [...ALL], customerId }));
  const everything = await agent(null);
  return {
    sender: everything,
    manager: everything,
    ours: await agent('ours'),
    theirs: await agent('theirs'),
  };
}

/** What the sensor of a tank said last. */
export async function lastUplinkOf(agent: Agent, tank = 'a'): Promise<unknown> {
  const { body } = await agent.get(`/v1/tanks/${tank}/sensor`).expect(200);
  return (body as { last_uplink: unknown }).last_uplink;
}

/** The faults of a 400, by their pointers. */
export function faultsOf(body: unknown): Record<string, string> {
  const { code, errors } = body as { code: string; errors: { pointer: string; detail: string }[] };
  expect(code).toBe('invalid_fields');
  return Object.fromEntries(errors.map(({ pointer, detail }) => [pointer, detail]));
}
