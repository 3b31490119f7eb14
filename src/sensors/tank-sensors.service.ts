// Reads the sensor of a tank.
import { Injectable } from '@nestjs/common';
import { Reads, type Statement } from '../database/reads.js';
import { isStorable } from '../database/text.js';
import { notFound, type Problem } from '../problems/problem.js';
import { toSensorResponse, type SensorResponse, type SensorRow } from './dto/sensor.response.js';

/** From a row of the tank and one of its sensor. */
export const COLUMNS = `
  tank.id as tank_id, sensor.profile_id, sensor.calibration, sensor.received_at, sensor.battery_percent,
  sensor.temperature_celsius, sensor.rssi_dbm, sensor.snr_db, sensor.gateway_id, sensor.frame_counter, sensor.level,
  sensor.fill_percentage`;

/** A tank whose row is there, live and visible. */
export const IS_SEEN = 'tank.id = $1 and not tank.deleted and ($2::text is null or tank.owner_id = $2)';

const FIND: Statement = {
  name: 'sensor_of_tank',
  text: `
    select ${COLUMNS}
    from tanks tank left join tank_sensors sensor on sensor.tank_key = tank.key where ${IS_SEEN}`,
};

@Injectable()
export class TankSensorsService {
  constructor(private readonly reads: Reads) {}

  async get(tankId: string, boundTo: string | null): Promise<SensorResponse> {
    const row = isStorable(tankId)
      ? await this.reads.firstRow<MaybeSensorRow>(FIND, [tankId, boundTo])
      : undefined;
    return toSensorResponse(withSensor(row));
  }
}

export type MaybeSensorRow = SensorRow | (Omit<SensorRow, 'profile_id'> & { readonly profile_id: null });

/** Throws when there is no such tank, or it has no sensor. */
export function withSensor(row: MaybeSensorRow | undefined): SensorRow {
  if (row === undefined) throw noTank();
  if (!hasSensor(row)) throw notFound('This tank has no sensor.');
  return row;
}

export function hasSensor(row: MaybeSensorRow): row is SensorRow {
  return row.profile_id !== null;
}

export function noTank(): Problem {
  return notFound('There is no tank with this id.');
}
