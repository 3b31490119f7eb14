// The sensors of some demo tanks: their devices report through a network server, whose messages are made here. A few messages wait in
// quarantine: of a device that no tank has, of a sensor that nobody has calibrated, and of one that was tilted.
import type { ClientBase } from 'pg';
import { fillOf, type Calibration } from '../sensors/calibration.js';
import type { Reason } from '../sensors/interpret.js';
import type { Source } from '../sensors/uplink.js';
import type { DemoTank } from './demo-fleet.js';
import { pastReadingsOf } from './demo-history.js';
import { Dice } from './demo-random.js';
import { DAY, type DemoReading } from './demo-readings.js';

export interface DemoSensor {
  readonly deviceId: string;
  readonly source: Source;
  readonly profileId: 'em400-udl' | 'em410-rdl' | 'dragino-dds';
  readonly calibration: Calibration | null;
}

type Kind = Omit<DemoSensor, 'deviceId'>;

/** By the tank's custom id. */
const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['GMC-01', { source: 'chirpstack', profileId: 'em400-udl', calibration: lying(2400, 300) }],
  ['NEG-01', { source: 'chirpstack', profileId: 'em410-rdl', calibration: upright(2100, 200) }],
  ['BGB-01', { source: 'tts', profileId: 'em410-rdl', calibration: upright(3100, 250) }],
  ['HAH-01', { source: 'chirpstack', profileId: 'em400-udl', calibration: lying(1600, 150) }],
  ['SGA-01', { source: 'tts', profileId: 'dragino-dds', calibration: upright(4200, 400) }],
]);
/** Her tank has a sensor that nobody has calibrated, so it never reported. */
const UNCALIBRATED = 'Chloe Nguyen';
const NOBODYS_DEVICE = '70B3D5490FF1CE01';

const SIX_HOURS = DAY / 4;

function lying(empty: number, full: number): Calibration {
  return { empty, full, unit: 'mm', shape: 'horizontal_cylinder' };
}

function upright(empty: number, full: number): Calibration {
  return { empty, full, unit: 'mm', shape: 'upright' };
}

/** By the tank's id. */
export function sensorsOf(tanks: readonly DemoTank[]): ReadonlyMap<string, DemoSensor> {
  return new Map(
    tanks.flatMap(({ tank, ownerName }) => {
      const kind =
        ownerName === UNCALIBRATED
          ? { source: 'chirpstack' as const, profileId: 'em400-udl' as const, calibration: null }
          : KINDS.get(tank.custom_id ?? '');
      return kind === undefined ? [] : [[tank.id, { ...kind, deviceId: tank.assigned_device_id }] as const];
    }),
  );
}

/** What its network server posts of a reading. */
export function messageOf(
  sensor: DemoSensor,
  { created_at: time, fill_percentage: fill }: Pick<DemoReading, 'created_at' | 'fill_percentage'>,
  position = 'normal',
): object {
  const { deviceId, source, profileId, calibration } = sensor;
  const dice = new Dice(`uplink ${deviceId} ${time}`);
  const frame = Math.floor(Date.parse(time) / SIX_HOURS) % 65_536;
  const decoded = { ...payloadOf(profileId, levelOf(fill, calibration), time, dice), position };
  const [rssi, snr] = [-dice.whole(72, 112), dice.whole(-20, 95) / 10];
  const data = Buffer.from(JSON.stringify(decoded)).toString('base64').slice(0, 24);
  if (source === 'chirpstack') {
    return {
      time,
      deviceInfo: { applicationName: 'tanks', devEui: deviceId.toLowerCase() },
      fCnt: frame,
      fPort: 85,
      data,
      object: decoded,
      rxInfo: [{ gatewayId: '0016c001f153a14c', rssi, snr }],
    };
  }
  return {
    end_device_ids: { device_id: `tank-${deviceId.toLowerCase()}`, dev_eui: deviceId },
    received_at: time,
    uplink_message: {
      f_cnt: frame,
      f_port: 85,
      frm_payload: data,
      decoded_payload: decoded,
      rx_metadata: [{ gateway_ids: { gateway_id: 'roof' }, rssi, snr }],
      received_at: time,
    },
  };
}

function payloadOf(profileId: DemoSensor['profileId'], level: number, time: string, dice: Dice): object {
  const battery = 60 + (Math.floor(Date.parse(time) / DAY) % 40);
  const temperature = dice.whole(-20, 250) / 10;
  if (profileId === 'dragino-dds')
    return { Bat: 3.36, Distance: `${level} mm`, Interrupt_flag: 0, Sensor_flag: 1 };
  return { battery, temperature, distance: level };
}

/** In whole millimetres, as sensors measure. */
function levelOf(fill: number, calibration: Calibration | null): number {
  if (calibration === null || 'table' in calibration) return 1234;
  let [low, high] = [0, 1];
  const { empty, full } = calibration;
  const levelAt = (height: number): number => empty + height * (full - empty);
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    const found = fillOf({ value: levelAt(middle), unit: 'mm' }, calibration);
    if (typeof found === 'number' && found < fill) low = middle;
    else high = middle;
  }
  return Math.round(levelAt(high));
}

const SENSORS = `
  insert into tank_sensors (tank_key, profile_id, calibration, received_at, frame_counter, rssi_dbm, snr_db, gateway_id,
                            temperature_celsius, level, fill_percentage, battery_percent, battery_at)
  select tanks.key, said.profile_id, said.calibration, said.received_at, said.frame_counter, said.rssi_dbm, said.snr_db,
         said.gateway_id, said.temperature_celsius, said.level, said.fill_percentage, said.battery_percent, said.received_at
  from jsonb_to_recordset($1) said (
    tank_id text, profile_id text, calibration jsonb, received_at timestamptz, frame_counter bigint, rssi_dbm float8,
    snr_db float8, gateway_id text, temperature_celsius float8, level float8, fill_percentage float8, battery_percent float8)
  join tanks on tanks.id = said.tank_id`;

const QUARANTINE = `
  insert into quarantined_uplinks (id, created_at, source, device_id, sent_at, reason, payload)
  select event_id(at, n::integer), at, source, device_id, at, reason, payload
  from rows from (jsonb_to_recordset($1) as (at timestamptz, source text, device_id text, reason text, payload text))
       with ordinality waiting (at, source, device_id, reason, payload, n)`;

/** Into a database that has just got the fleet. */
export async function addSensors(client: ClientBase, tanks: readonly DemoTank[], end: number): Promise<void> {
  const sensors = sensorsOf(tanks);
  const said = tanks.flatMap((one) => {
    const sensor = sensors.get(one.tank.id);
    const [newest] = pastReadingsOf(one, end);
    return sensor === undefined ? [] : [{ tank_id: one.tank.id, ...rowOf(sensor, newest, end) }];
  });
  await client.query(SENSORS, [JSON.stringify(said)]);
  await client.query(QUARANTINE, [JSON.stringify(waiting([...sensors.values()], end))]);
}

/** As the uplink of its newest reading would have left it, or the last one that waits. */
function rowOf(sensor: DemoSensor, newest: DemoReading | undefined, end: number): object {
  const { profileId: profile_id, calibration } = sensor;
  const dice = new Dice(`sensor ${sensor.deviceId}`);
  const hasBattery = profile_id !== 'dragino-dds';
  return {
    profile_id,
    calibration,
    received_at: newest?.created_at ?? new Date(Math.floor(end - SIX_HOURS)).toISOString(),
    frame_counter: dice.whole(1000, 9000),
    rssi_dbm: -dice.whole(72, 112),
    snr_db: dice.whole(-20, 95) / 10,
    gateway_id: sensor.source === 'tts' ? 'roof' : '0016c001f153a14c',
    temperature_celsius: hasBattery ? dice.whole(-20, 250) / 10 : null,
    level: levelOf(newest?.fill_percentage ?? 0, calibration),
    fill_percentage: newest?.fill_percentage ?? null,
    battery_percent: hasBattery ? dice.whole(55, 100) : null,
  };
}

interface Waiting {
  readonly at: string;
  readonly source: Source;
  readonly device_id: string;
  readonly reason: Reason;
  readonly payload: string;
}

function waiting(sensors: readonly DemoSensor[], end: number): Waiting[] {
  const nobodys: DemoSensor = {
    deviceId: NOBODYS_DEVICE,
    source: 'tts',
    profileId: 'em410-rdl',
    calibration: null,
  };
  const uncalibrated = sensors.filter(({ calibration }) => calibration === null);
  const tilted = sensors.find(({ calibration }) => calibration !== null);
  return [
    ...uncalibrated.flatMap((sensor) =>
      [3, 2, 1].map((ago) => entry(sensor, 'no_calibration', end - ago * SIX_HOURS)),
    ),
    ...[2, 1].map((ago) => entry(nobodys, 'unknown_device', end - ago * SIX_HOURS - 1_000)),
    ...(tilted === undefined ? [] : [entry(tilted, 'rejected', end - 2 * DAY, 'tilt')]),
  ];
}

function entry(sensor: DemoSensor, reason: Reason, time: number, position?: string): Waiting {
  const at = new Date(Math.floor(time)).toISOString();
  const payload = JSON.stringify(messageOf(sensor, { created_at: at, fill_percentage: 50 }, position));
  return { at, source: sensor.source, device_id: sensor.deviceId, reason, payload };
}
