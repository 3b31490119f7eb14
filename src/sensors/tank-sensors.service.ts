// The sensor of a tank: read by one statement, changed in a transaction.
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CallerOfRequest } from '../auth/caller.js';
import { Reads, type Statement } from '../database/reads.js';
import { isStorable } from '../database/text.js';
import { requireConditions, type WriteConditions } from '../manage/conditions.js';
import { ManagedWrites, type Change, type Written } from '../manage/managed-writes.js';
import { notFound, type Problem } from '../problems/problem.js';
import { quote } from '../problems/quote.js';
import { Tank } from '../tanks/tank.entity.js';
import { fieldFault, invalidFields } from '../validation/field-mistakes.js';
import { calibrationOf, type SentSensorBody } from './dto/sensor.input.js';
import {
  toSensorResponse,
  type DeletedSensorResponse,
  type SensorResponse,
  type SensorRow,
} from './dto/sensor.response.js';
import { SensorProfile } from './sensor-profile.entity.js';
import { TankSensor } from './tank-sensor.entity.js';

/** From a row of the tank and one of its sensor. */
const COLUMNS = `
  tank.id as tank_id, sensor.profile_id, sensor.calibration, sensor.received_at, sensor.battery_percent,
  sensor.temperature_celsius, sensor.rssi_dbm, sensor.snr_db, sensor.gateway_id, sensor.frame_counter, sensor.level,
  sensor.fill_percentage`;

/** A tank whose row is there, live and visible. */
const IS_SEEN = 'tank.id = $1 and not tank.deleted and ($2::text is null or tank.owner_id = $2)';

const FIND: Statement = {
  name: 'sensor_of_tank',
  text: `
    select ${COLUMNS}
    from tanks tank left join tank_sensors sensor on sensor.tank_key = tank.key where ${IS_SEEN}`,
};

@Injectable()
export class TankSensorsService {
  constructor(
    private readonly reads: Reads,
    private readonly writes: ManagedWrites,
  ) {}

  async get(tankId: string, boundTo: string | null): Promise<SensorResponse> {
    const row = isStorable(tankId)
      ? await this.reads.firstRow<MaybeSensorRow>(FIND, [tankId, boundTo])
      : undefined;
    return toSensorResponse(withSensor(row));
  }

  put(
    tankId: string,
    body: SentSensorBody,
    conditions: WriteConditions,
    caller: CallerOfRequest,
  ): Promise<Written<SensorResponse>> {
    return this.writes.run(caller, async (manager) => {
      const { profile_id: profileId } = body;
      const profile = await lockProfile(manager, profileId);
      const { tank, sensor } = await lock(manager, tankId, caller);
      requireConditions(conditions, 'sensor', sensor === null ? undefined : shown(tankId, sensor));
      if (profile === null)
        throw invalidFields([
          { ...fieldFault('profile_id', ''), reason: 'there is no such profile', detail: quote(profileId) },
        ]);
      const calibration = calibrationOf(body.calibration);
      return save(manager, tank, sensor, { profile_id: profileId, calibration });
    });
  }

  remove(
    tankId: string,
    conditions: WriteConditions,
    caller: CallerOfRequest,
  ): Promise<Written<DeletedSensorResponse>> {
    return this.writes.run(caller, async (manager) => {
      const { tank, sensor } = await lock(manager, tankId, caller);
      if (sensor === null) throw noSensor();
      requireConditions(conditions, 'sensor', shown(tankId, sensor));
      await manager.delete(TankSensor, { tank_key: tank.key });
      return {
        object: { object: 'sensor', tank_id: tankId, deleted: true },
        change: changeOf(tankId, 'delete', ['deleted']),
      };
    });
  }
}

/** Before the sensors, as its deletion locks them. */
function lockProfile(manager: EntityManager, id: string): Promise<SensorProfile | null> {
  return manager.findOne(SensorProfile, { where: { id }, lock: { mode: 'for_key_share' } });
}

/** A tank that the key sees, and its sensor. */
async function lock(
  manager: EntityManager,
  tankId: string,
  { customerId: boundTo }: CallerOfRequest,
): Promise<{ tank: Tank; sensor: TankSensor | null }> {
  const tank = isStorable(tankId)
    ? await manager.findOne(Tank, {
        select: { id: true, key: true, owner_id: true, deleted: true },
        where: { id: tankId, deleted: false },
        lock: { mode: 'for_key_share' },
      })
    : null;
  if (tank === null || (boundTo !== null && tank.owner_id !== boundTo)) throw noTank();
  const where = { tank_key: tank.key };
  return { tank, sensor: await manager.findOne(TankSensor, { where, lock: { mode: 'pessimistic_write' } }) };
}

const shown = (tankId: string, sensor: TankSensor): SensorResponse =>
  toSensorResponse(Object.assign({ tank_id: tankId }, sensor));

async function save(
  manager: EntityManager,
  { id, key }: Tank,
  sensor: TankSensor | null,
  next: Pick<TankSensor, 'profile_id' | 'calibration'>,
): Promise<Written<SensorResponse>> {
  const before = sensor === null ? undefined : shown(id, sensor);
  const fields = (['profile_id', 'calibration'] as const).filter(
    (name) => JSON.stringify(next[name]) !== JSON.stringify(before?.[name]),
  );
  if (before !== undefined && fields.length === 0) return { object: before };
  if (sensor === null) await manager.insert(TankSensor, { tank_key: key, ...next });
  else await manager.update(TankSensor, { tank_key: key }, next);
  const saved = await manager.findOneByOrFail(TankSensor, { tank_key: key });
  return { object: shown(id, saved), change: changeOf(id, sensor === null ? 'create' : 'update', fields) };
}

const changeOf = (id: string, operation: Change['operation'], fields: readonly string[]): Change => ({
  type: 'sensor',
  id,
  operation,
  fields,
});

type MaybeSensorRow = SensorRow | (Omit<SensorRow, 'profile_id'> & { readonly profile_id: null });

/** Throws when there is no such tank, or it has no sensor. */
function withSensor(row: MaybeSensorRow | undefined): SensorRow {
  if (row === undefined) throw noTank();
  if (!hasSensor(row)) throw noSensor();
  return row;
}

function hasSensor(row: MaybeSensorRow): row is SensorRow {
  return row.profile_id !== null;
}

function noTank(): Problem {
  return notFound('There is no tank with this id.');
}

function noSensor(): Problem {
  return notFound('This tank has no sensor.');
}
