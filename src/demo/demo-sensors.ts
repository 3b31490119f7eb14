// The sensors of some demo tanks: their devices report through a network server, or by themselves, in messages that are made here.
import type { ClientBase } from 'pg';
import { roundTo } from '../common/rounding.js';
import { computeFill, type Calibration } from '../sensors/calibration.js';
import type { Sender } from '../sensors/uplink.js';
import type { DemoSensor, DemoTank } from './demo-fleet.js';
import { Dice } from './demo-random.js';
import { DAY } from './demo-readings.js';

export interface Message {
  readonly source: Sender;
  /** What the network server or the device posts. */
  readonly body: object;
}

interface Measurement {
  readonly created_at: string;
  readonly fill_percentage: number;
  readonly position?: 'tilt';
}

export function writeUplink(
  deviceId: string,
  { source, profile_id, calibration, battery, rssi }: DemoSensor,
  { created_at: time, fill_percentage: fill, position }: Measurement,
): Message {
  const dice = new Dice(`uplink ${deviceId} ${time}`);
  const level = measureLevel(fill, calibration);
  const decoded = {
    ...(profile_id === 'dragino-dds'
      ? { Bat: 3.36, Distance: `${level} mm`, Interrupt_flag: 0, Sensor_flag: 1 }
      : { battery: battery ?? dice.whole(60, 99), temperature: dice.whole(-20, 250) / 10, distance: level }),
    position: position ?? 'normal',
  };
  const frame = Math.floor(Date.parse(time) / 60_000) % 65_536;
  const data = Buffer.from(JSON.stringify(decoded)).toString('base64').slice(0, 24);
  const signal = { rssi: rssi ?? -dice.whole(72, 112), snr: dice.whole(-20, 95) / 10 };
  const chirpstack = {
    time,
    deviceInfo: { applicationName: 'tanks', devEui: deviceId.toLowerCase() },
    fCnt: frame,
    fPort: 85,
    data,
    object: decoded,
    rxInfo: [{ gatewayId: '0016c001f153a14c', ...signal }],
  };
  const tts = {
    end_device_ids: { device_id: `tank-${deviceId.toLowerCase()}`, dev_eui: deviceId },
    received_at: time,
    uplink_message: {
      f_cnt: frame,
      f_port: 85,
      frm_payload: data,
      decoded_payload: decoded,
      rx_metadata: [{ gateway_ids: { gateway_id: 'roof' }, ...signal }],
      received_at: time,
    },
  };
  const payload = { current: level, supply: `${dice.whole(320, 360) / 100} V` };
  const generic = { device_id: deviceId, time, payload, rssi_dbm: signal.rssi, snr_db: signal.snr };
  return { source, body: { chirpstack, tts, generic }[source] };
}

/** In whole millimetres, as sensors measure, or in thousandths of what else they do. */
function measureLevel(fill: number, calibration: Calibration | null): number {
  if (calibration === null || 'table' in calibration) return 1234;
  let [low, high] = [0, 1];
  const { empty, full, unit } = calibration;
  const levelAt = (height: number): number => empty + height * (full - empty);
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    const found = computeFill({ value: levelAt(middle), unit }, calibration);
    if (typeof found === 'number' && found < fill) low = middle;
    else high = middle;
  }
  return roundTo(levelAt(high), unit === 'raw' ? 3 : 0);
}

const NOBODYS_DEVICE = '70B3D5490FF1CE01';

function measured(daysAgo: number): Measurement {
  return { created_at: new Date(Date.now() - daysAgo * DAY).toISOString(), fill_percentage: 50 };
}

/** They wait in quarantine: of a device that no tank has, of a sensor that nobody has calibrated, and of one that was tilted. */
export function quarantinedMessages(tanks: readonly DemoTank[]): Message[] {
  const sensors = tanks.flatMap(({ assigned_device_id: device, sensor }) =>
    sensor === undefined ? [] : [{ device, sensor }],
  );
  const uncalibrated = sensors.filter(({ sensor }) => sensor.calibration === null);
  const tilted = sensors.filter(({ sensor }) => sensor.calibration !== null).slice(0, 1);
  const nobodys: DemoSensor = { source: 'tts', profile_id: 'em410-rdl', calibration: null };
  return [
    ...tilted.map(({ device, sensor }) => writeUplink(device, sensor, { ...measured(2), position: 'tilt' })),
    ...uncalibrated.flatMap(({ device, sensor }) =>
      [0.75, 0.5, 0.25].map((ago) => writeUplink(device, sensor, measured(ago))),
    ),
    ...[0.5, 0.25].map((ago) => writeUplink(NOBODYS_DEVICE, nobodys, measured(ago))),
  ];
}

/** For the worked example of docs/sensors.md. */
const PRESSURE_PROBE = `
  insert into sensor_profiles (id, name, level_path, level_unit, battery_path, battery_scale, reject_when, ignore_when, history)
  values ('pressure-probe', 'Pressure probe, 4 to 20 mA', 'current', 'raw', 'supply', '{"empty": 3, "full": 3.6}',
          '[{"path": "current", "below": 3.6}, {"path": "current", "above": 21}]', '[{"path": "boot", "equals": true}]',
          '{"path": "log", "time": "at", "level": "current"}')
  on conflict do nothing`;

/** To a database that has just got the fleet. */
export async function addSensors(client: ClientBase, tanks: readonly DemoTank[]): Promise<void> {
  const sensors = tanks.flatMap(({ id, sensor }) => (sensor === undefined ? [] : [{ id, ...sensor }]));
  await client.query(PRESSURE_PROBE);
  await client.query(
    `insert into tank_sensors (tank_key, profile_id, calibration)
     select tanks.key, profile_id, calibration
     from jsonb_to_recordset($1) given (id text, profile_id text, calibration jsonb) join tanks using (id)`,
    [JSON.stringify(sensors)],
  );
}
