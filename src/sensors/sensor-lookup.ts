// Finds the tank that has a device, and its sensor. Never from a standby: a sensor that was just set counts for the next uplink.
import { Inject, Injectable } from '@nestjs/common';
import { FRESH_READS, Reads, type Statement } from '../platform/database/reads.js';
import type { Calibration, Unit } from './calibration.js';
import type { Reason, Sensor } from './interpret.js';

/** The profile's columns, from a row that is named after it. */
export const PROFILE_COLUMNS =
  'profile.level_path, profile.level_unit, profile.battery_path, profile.temperature_path, profile.reject_when';

export interface ProfileColumns {
  readonly level_path: string;
  readonly level_unit: Unit;
  readonly battery_path: string | null;
  readonly temperature_path: string | null;
  readonly reject_when: Sensor['profile']['reject_when'];
}

type Row = ProfileColumns & {
  readonly tank_id: string;
  readonly tank_key: number;
  readonly has_sensor: boolean;
  readonly calibration: Calibration | null;
};

/** Two are enough to know that there are several. */
const FIND: Statement = {
  name: 'sensor_of_device',
  text: `
    select tank.id as tank_id, tank.key as tank_key, sensor.tank_key is not null as has_sensor, sensor.calibration,
           ${PROFILE_COLUMNS}
    from tanks tank
    left join tank_sensors sensor on sensor.tank_key = tank.key
    left join sensor_profiles profile on profile.id = sensor.profile_id
    where device_key(tank.assigned_device_id) = device_key($1) and not tank.deleted
      and ($2::text is null or tank.owner_id = $2)
    limit 2`,
};

const FILL_AT: Statement = {
  name: 'fill_of_tank_at',
  text: 'select fill_percentage from telemetry where tank_key = $1 and created_at = $2',
};

export interface FoundTank {
  readonly id: string;
  readonly key: number;
  readonly sensor: Sensor | undefined;
}

@Injectable()
export class SensorLookup {
  constructor(@Inject(FRESH_READS) private readonly reads: Reads) {}

  /** Among the tanks of a customer, or, for null, of all. */
  async tankOf(deviceId: string, boundTo: string | null): Promise<FoundTank | Reason> {
    const [row, other] = await this.reads.rows<Row>(FIND, [deviceId, boundTo]);
    if (row === undefined) return 'unknown_device';
    if (other !== undefined) return 'ambiguous_device';
    const { tank_id: id, tank_key: key, has_sensor: hasSensor, calibration } = row;
    return { id, key, sensor: hasSensor ? { profile: profileFrom(row), calibration } : undefined };
  }

  async fillAt({ key }: FoundTank, at: number): Promise<number | undefined> {
    const values = [key, new Date(at).toISOString()];
    return (await this.reads.firstRow<{ fill_percentage: number }>(FILL_AT, values))?.fill_percentage;
  }
}

export function profileFrom(row: ProfileColumns): Sensor['profile'] {
  return {
    level: { path: row.level_path, unit: row.level_unit },
    battery: row.battery_path === null ? null : { path: row.battery_path },
    temperature: row.temperature_path === null ? null : { path: row.temperature_path },
    reject_when: row.reject_when.map(({ path, equals }) => ({ path, equals })),
  };
}
