// Finds the tank that has a device, and its sensor. Never from a standby: a sensor that was just set counts for the next uplink.
import { Inject, Injectable } from '@nestjs/common';
import { FRESH_READS, Reads, type Statement } from '../platform/database/reads.js';
import { isoFromPostgres } from '../common/datetime/datetime.js';
import type { Calibration } from './calibration.js';
import type { Profile, Reason, Rule, Sensor } from './interpret.js';
import type { BatteryScale, ValuePlace } from './measured.js';
import type { SensorProfile } from './sensor-profile.entity.js';

/** The profile's columns, from a row that is named after it. */
export const PROFILE_COLUMNS = `
  profile.level_path, profile.level_unit, profile.level_scale, profile.battery_path, profile.battery_scale,
  profile.temperature_path, profile.temperature_scale, profile.reject_when, profile.ignore_when, profile.history`;

export type ProfileColumns = Omit<SensorProfile, 'id' | 'name' | 'created_at' | 'updated_at'>;

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

const FILLS_AT: Statement = {
  name: 'fills_of_tank_at',
  text: `
    select created_at, fill_percentage from telemetry
    where tank_key = $1 and created_at = any ($2::timestamptz[])`,
};

interface StoredFill {
  readonly created_at: string;
  readonly fill_percentage: number;
}

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

  /** The readings that are there, by their instants. */
  async fillsAt({ key }: FoundTank, instants: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const times = instants.map((at) => new Date(at).toISOString());
    const rows = await this.reads.rows<StoredFill>(FILLS_AT, [key, `{${times.join(',')}}`]);
    return new Map(rows.map((row) => [Date.parse(isoFromPostgres(row.created_at)), row.fill_percentage]));
  }
}

/** The database has an order of its own in each object. */
export function profileFrom(row: ProfileColumns): Profile {
  const { battery_path: battery, temperature_path: temperature, ignore_when: ignored, history } = row;
  return {
    level: {
      ...placeFrom(row.level_path, row.level_scale),
      unit: row.level_unit,
      ...scaleFrom(row.level_scale),
    },
    battery:
      battery === null ? null : { ...placeFrom(battery, row.battery_scale), ...scaleFrom(row.battery_scale) },
    temperature:
      temperature === null
        ? null
        : { ...placeFrom(temperature, row.temperature_scale), ...scaleFrom(row.temperature_scale) },
    reject_when: row.reject_when.map(ruleFrom),
    ignore_when: ignored?.map(ruleFrom),
    history: history === null ? undefined : { path: history.path, time: history.time, level: history.level },
  };
}

function placeFrom(path: string, { bytes }: ValuePlace): ValuePlace {
  if (bytes === undefined) return { path };
  const { offset, length, order, signed } = bytes;
  return { bytes: { offset, length, order, signed } };
}

function scaleFrom({ factor, offset, empty, full }: BatteryScale): BatteryScale {
  return { factor, offset, empty, full };
}

function ruleFrom({ path, equals, below, above, absent }: Rule): Rule {
  return { path, equals, below, above, absent };
}
