// The sensor of a tank: read by one statement, changed in a transaction.
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isStorable, Reads, type Statement } from '../platform/database/reads.js';
import { describeChange, RecordedWrites, requireConditions } from '../common/writes/recorded-writes.js';
import type { Writer, WriteResult } from '../common/writes/recorded-writes.js';
import { noSuch, notFound, type Problem } from '../common/problems/problem.js';
import { quote } from '../common/validation/fault.js';
import { Tank } from '../tanks/tank.entity.js';
import { fieldFault, invalidFields } from '../common/validation/field-mistakes.js';
import { toCalibration, type SentSensorBody } from './dto/sensor.input.js';
import { toSensorResponse } from './dto/sensor.response.js';
import type { DeletedSensorResponse, SensorResponse, SensorRow } from './dto/sensor.response.js';
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

/** Without a profile: the tank has no sensor. */
type FoundRow = Omit<SensorRow, 'profile_id'> & { readonly profile_id: string | null };

@Injectable()
export class TankSensorsService {
  constructor(
    private readonly reads: Reads,
    private readonly writes: RecordedWrites,
  ) {}

  async get(tankId: string, boundTo: string | null): Promise<SensorResponse> {
    const row = await this.reads.firstRow<FoundRow>(FIND, [tankId, boundTo]);
    if (row === undefined) throw noSuch('tank');
    const { profile_id: profileId } = row;
    if (profileId === null) throw noSensor();
    return toSensorResponse({ ...row, profile_id: profileId });
  }

  put(tankId: string, body: SentSensorBody, writer: Writer): Promise<WriteResult<SensorResponse>> {
    return this.writes.run(writer, async (manager) => {
      const { profile_id: profileId } = body;
      const profile = await lockProfile(manager, profileId);
      const { tank, sensor } = await lock(manager, tankId, writer);
      requireConditions(writer, 'sensor', sensor === null ? undefined : shown(tankId, sensor));
      if (profile === null)
        throw invalidFields([
          { ...fieldFault('profile_id', ''), reason: 'there is no such profile', detail: quote(profileId) },
        ]);
      const calibration = toCalibration(body.calibration);
      return save(manager, tank, sensor, { profile_id: profileId, calibration });
    });
  }

  remove(tankId: string, writer: Writer): Promise<WriteResult<DeletedSensorResponse>> {
    return this.writes.run(writer, async (manager) => {
      const { tank, sensor } = await lock(manager, tankId, writer);
      if (sensor === null) throw noSensor();
      requireConditions(writer, 'sensor', shown(tankId, sensor));
      await manager.delete(TankSensor, { tank_key: tank.key });
      return {
        object: { object: 'sensor', tank_id: tankId, deleted: true },
        change: describeChange('sensor', tankId, 'delete', ['deleted'], { ownerId: tank.owner_id }),
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
  { customerId: boundTo }: Writer,
): Promise<{ tank: Tank; sensor: TankSensor | null }> {
  const tank = isStorable(tankId)
    ? await manager.findOne(Tank, {
        select: { id: true, key: true, owner_id: true, deleted: true },
        where: { id: tankId, deleted: false },
        lock: { mode: 'for_key_share' },
      })
    : null;
  if (tank === null || (boundTo !== null && tank.owner_id !== boundTo)) throw noSuch('tank');
  const where = { tank_key: tank.key };
  return { tank, sensor: await manager.findOne(TankSensor, { where, lock: { mode: 'pessimistic_write' } }) };
}

const shown = (tankId: string, sensor: TankSensor): SensorResponse =>
  toSensorResponse(Object.assign({ tank_id: tankId }, sensor));

async function save(
  manager: EntityManager,
  { id, key, owner_id: ownerId }: Tank,
  sensor: TankSensor | null,
  next: Pick<TankSensor, 'profile_id' | 'calibration'>,
): Promise<WriteResult<SensorResponse>> {
  const before = sensor === null ? undefined : shown(id, sensor);
  const fields = (['profile_id', 'calibration'] as const).filter(
    (name) => JSON.stringify(next[name]) !== JSON.stringify(before?.[name]),
  );
  if (before !== undefined && fields.length === 0) return { object: before };
  if (sensor === null) await manager.insert(TankSensor, { tank_key: key, ...next });
  else await manager.update(TankSensor, { tank_key: key }, next);
  const saved = await manager.findOneByOrFail(TankSensor, { tank_key: key });
  const operation = before === undefined ? 'create' : 'update';
  return {
    object: shown(id, saved),
    change: describeChange('sensor', id, operation, fields, { ownerId, before }),
  };
}

function noSensor(): Problem {
  return notFound('This tank has no sensor.');
}
