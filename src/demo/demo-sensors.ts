// The sensors of some demo tanks: what their devices send, by themselves or through a network server.
import type { ClientBase } from 'pg';
import { roundTo } from '../common/rounding.js';
import { computeFill, type TwoPoints } from '../sensors/calibration.js';
import type { DemoMessage, DemoSensor, DemoTank } from './demo-fleet.js';
import type { DemoReading } from './demo-readings.js';

export function writeUplink(
  { source, message, calibration }: DemoSensor,
  { created_at: time, fill_percentage: fill }: DemoReading,
): DemoMessage {
  const level = calibration === null ? undefined : measure(fill, calibration);
  const frame = Math.floor(Date.parse(time) / 60_000) % 65_536;
  const measured = new Map<unknown, unknown>([
    ['$time', time],
    ['$level', level],
    ['$level mm', `${level} mm`],
    ['$frame', frame],
  ]);
  const fillIn = (_name: string, value: unknown): unknown => measured.get(value) ?? value;
  return { source, message: JSON.parse(JSON.stringify(message), fillIn) as object };
}

/** In whole millimetres, as sensors measure, or in thousandths of what else they do. Found by halving: no shape has a simple inverse. */
function measure(fill: number, calibration: TwoPoints): number {
  const { empty, full, unit } = calibration;
  const levelAt = (height: number): number => empty + height * (full - empty);
  let height = 0;
  for (let step = 0.5; step > 1e-9; step /= 2) {
    const found = computeFill({ value: levelAt(height + step), unit }, calibration);
    if (typeof found === 'number' && found <= fill) height += step;
  }
  return roundTo(levelAt(height), unit === 'raw' ? 3 : 0);
}

/** To a database that has just got the fleet, and the profiles. */
export async function addSensors(client: ClientBase, tanks: readonly DemoTank[]): Promise<void> {
  const sensors = tanks.flatMap(({ id, sensor }) => (sensor === undefined ? [] : [{ id, ...sensor }]));
  await client.query(
    `insert into tank_sensors (tank_key, profile_id, calibration)
     select tanks.key, profile_id, calibration
     from jsonb_to_recordset($1) given (id text, profile_id text, calibration jsonb) join tanks using (id)`,
    [JSON.stringify(sensors)],
  );
}
