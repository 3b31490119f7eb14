// Messages of network servers as they post them, a small fleet with sensors, and ways to send them.
import { beforeEach, expect } from '@jest/globals';
import type { Pool } from 'pg';
import type { UplinkResult } from 'tank-monitoring-client';
import { startService, type Agent, type TestService } from './app.js';
import { aTank, insertTanks } from './builders.js';

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
  await sql.query(`
    delete from quarantined_uplinks;
    delete from source_tokens;
    delete from sources where not built_in;
    delete from telemetry;
    delete from tanks;
    delete from sensor_profiles where id like 'my-%';
    insert into customers (id, email, name) values ('ours', 'e', 'Ours'), ('theirs', 'e', 'Theirs')
    on conflict do nothing`);
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
  /** Sees everything. */
  readonly manager: Agent;
  readonly ours: Agent;
  readonly theirs: Agent;
}

/** A service with that fleet, which is made anew before each test, and agents with keys to it. */
export async function startSensors(): Promise<TestService & Keys> {
  const service = await startService();
  await insertSensors(service.sql);
  beforeEach(() => insertSensors(service.sql));
  const agent = async (customerId: string | null) =>
    service.agent(
      await service.createKey({ scopes: ['read', 'telemetry:write', 'tanks:write'], customerId }),
    );
  return {
    ...service,
    manager: await agent(null),
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

/** Of so many devices, so many each, received so long ago, sent with a key that is bound to a customer or to none. */
export const quarantine = (
  on: Pick<Pool, 'query'>,
  devices: number,
  each: number,
  ago = '1 hour',
  customer: string | null = null,
) =>
  on.query(
    `insert into quarantined_uplinks (id, created_at, source, customer_id, device_id, sent_at, reason, payload)
     select event_id(moment, n) || coalesce($4, ''), moment, 'tts', $4, 'device ' || device, moment, 'unknown_device', '{}'
     from generate_series(1, $1) device, generate_series(1, $2) n,
          lateral (select now() - $3::interval + n * interval '1 millisecond' as moment) received`,
    [devices, each, ago, customer],
  );
