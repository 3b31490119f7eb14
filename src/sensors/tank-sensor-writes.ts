// Gives a tank a sensor, and takes it away.
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Caller } from '../auth/caller.js';
import type { Statement, StatementValue } from '../database/named-query.js';
import { isStorable } from '../database/text.js';
import type { Run } from '../database/writes.js';
import { quote } from '../problems/quote.js';
import type { Calibration } from './calibration.js';
import { Changes, checkPreconditions, type Answer } from './changes.js';
import { toSensorResponse, type SensorRow } from './dto/sensor.response.js';
import { readSensor, SENSOR_FIELDS } from './sensor-fields.js';
import { SentFaults } from './sent-faults.js';
import {
  COLUMNS,
  hasSensor,
  IS_SEEN,
  noTank,
  withSensor,
  type MaybeSensorRow,
} from './tank-sensors.service.js';

type Found = MaybeSensorRow & { readonly has_profile: boolean };

const FIND: Statement = {
  name: 'sensor_to_write',
  text: `
    select ${COLUMNS}, exists (select from sensor_profiles where id = $3) as has_profile
    from tanks tank left join tank_sensors sensor on sensor.tank_key = tank.key where ${IS_SEEN}`,
};

const WRITE: Statement = {
  name: 'write_tank_sensor',
  text: 'select write_tank_sensor($1, $2, $3, $4, $5, $6) as result',
};

@Injectable()
export class TankSensorWrites {
  constructor(private readonly changes: Changes) {}

  put(tankId: string, request: Request, response: Response, { customerId }: Caller): Promise<void> {
    return this.changes.write('PUT', request, response, async (body, run) => {
      const { profileId, calibration } = readSensor(body, tankId);
      const found = isStorable(tankId) ? await run<Found>(FIND, [tankId, customerId, profileId]) : undefined;
      if (found === undefined) throw noTank();
      const before = hasSensor(found) ? found : undefined;
      checkPreconditions(request, 'sensor', before && toSensorResponse(before));
      if (!found.has_profile) refuseProfile(profileId);
      const after = { ...found, profile_id: profileId, calibration };
      return save(after, before, customerId, run);
    });
  }

  delete(tankId: string, request: Request, response: Response, { customerId }: Caller): Promise<void> {
    return this.changes.delete(request, response, async (run) => {
      const found = isStorable(tankId) ? await run<Found>(FIND, [tankId, customerId, null]) : undefined;
      const before = withSensor(found);
      checkPreconditions(request, 'sensor', toSensorResponse(before));
      if ((await write(before, undefined, customerId, run)) === 'changed') return undefined;
      return {
        status: 200,
        body: { object: 'sensor', tank_id: tankId, deleted: true },
        change: { type: 'sensor', id: tankId, operation: 'delete', fields: ['deleted'] },
      };
    });
  }
}

/** Undefined when somebody else was faster. */
async function save(
  after: SensorRow,
  before: SensorRow | undefined,
  customerId: string | null,
  run: Run,
): Promise<Answer | undefined> {
  const body = toSensorResponse(after);
  const known = before && toSensorResponse(before);
  const fields = (['profile_id', 'calibration'] as const).filter(
    (name) => JSON.stringify(body[name]) !== JSON.stringify(known?.[name]),
  );
  if (fields.length === 0) return { status: 200, body };
  if ((await write(before ?? { ...after, profile_id: null }, after, customerId, run)) === 'changed')
    return undefined;
  const operation = before === undefined ? 'create' : 'update';
  const change = { type: 'sensor', id: after.tank_id, operation, fields } as const;
  return { status: before === undefined ? 201 : 200, body, change };
}

async function write(
  before: MaybeSensorRow,
  after: SensorRow | undefined,
  customerId: string | null,
  run: Run,
): Promise<string | undefined> {
  const values: StatementValue[] = [
    before.tank_id,
    customerId,
    before.profile_id,
    before.profile_id === null ? null : jsonOf(before.calibration),
    after?.profile_id ?? null,
    jsonOf(after?.calibration ?? null),
  ];
  return (await run<{ result: string }>(WRITE, values))?.result;
}

function jsonOf(calibration: Calibration | null): string | null {
  return calibration && JSON.stringify(calibration);
}

function refuseProfile(profileId: string): never {
  const faults = new SentFaults();
  faults.add('/profile_id', 'there is no such profile', quote(profileId));
  faults.throwIfAny(SENSOR_FIELDS);
  throw new Error('A fault was not reported.');
}
