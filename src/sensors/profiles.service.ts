// Sensor profiles: read by one statement a request, so that a page and its total are of one snapshot; changed in a transaction each.
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isStorable, Reads, type Statement } from '../platform/database/reads.js';
import {
  describeActor,
  changedParts,
  describeChange,
  nextUpdatedAt,
  RecordedWrites,
  requireConditions,
} from '../common/writes/recorded-writes.js';
import type { Writer, WriteResult } from '../common/writes/recorded-writes.js';
import { longTextFaults } from '../common/validation/limited-text.js';
import { createdAtFaults } from '../common/validation/read-only-fields.js';
import { recordActivity } from '../common/writes/activity.js';
import { isRecord, type JsonRecord } from '../common/bodies/record.js';
import { patched, requireGood } from '../common/writes/merge-patch.js';
import { pageFromRows, pageOfFew } from '../common/pagination/page.js';
import type { CountedRow, Listed, Page } from '../common/pagination/page.js';
import { noSuch, Problem } from '../common/problems/problem.js';
import { invalidFields } from '../common/validation/field-mistakes.js';
import { SentSensorProfile, type SensorProfilesQuery } from './dto/sensor-profile.input.js';
import { SensorProfileResponse, toSensorProfileResponse } from './dto/sensor-profile.response.js';
import type { DeletedSensorProfileResponse, SensorProfileRow } from './dto/sensor-profile.response.js';
import { PROFILE_COLUMNS, profileFrom, type ProfileColumns } from './sensor-lookup.js';
import { SensorProfile } from './sensor-profile.entity.js';

const COLUMNS = `profile.id, profile.name, profile.created_at, profile.updated_at, ${PROFILE_COLUMNS}`;

const FIND_ONE: Statement = {
  name: 'sensor_profile_by_id',
  text: `select ${COLUMNS} from sensor_profiles profile where id = $1`,
};

const PROFILES: Listed = { table: 'sensor_profiles', alias: 'profile', columns: COLUMNS };
/** $5: the tank whose sensor has the profile, null for all profiles; $6: the customer that the key is bound to. */
const LIST = pageOfFew(
  'sensor_profiles_page',
  PROFILES,
  `($5::text is null or id in (
     select sensor.profile_id from tank_sensors sensor join tanks tank on tank.key = sensor.tank_key
     where tank.id = $5 and not tank.deleted and ($6::text is null or tank.owner_id = $6)))`,
);

/** Of deleted tanks, so that none is restored meanwhile. */
const LOCK_DELETED_TANKS = `
  select tanks.id, tanks.owner_id from tank_sensors sensor join tanks on tanks.key = sensor.tank_key
  where sensor.profile_id = $1 and tanks.deleted order by tanks.key for share of tanks`;

const IS_USED = `
  select exists (
    select from tank_sensors sensor join tanks on tanks.key = sensor.tank_key
    where sensor.profile_id = $1 and not tanks.deleted) as is_used`;

@Injectable()
export class ProfilesService {
  constructor(
    private readonly reads: Reads,
    private readonly writes: RecordedWrites,
  ) {}

  async list(query: SensorProfilesQuery, boundTo: string | null): Promise<Page<SensorProfileResponse>> {
    const { since, until, skip, size, isLarge, tank_id: tankId = null } = query;
    const values = [since, until, skip, size, tankId, boundTo];
    const rows = await this.reads.page<SensorProfileRow & CountedRow>(LIST, values, isLarge);
    return pageFromRows(SensorProfileResponse, rows, toSensorProfileResponse, query);
  }

  async get(id: string): Promise<SensorProfileResponse> {
    const row = await this.reads.firstRow<SensorProfileRow>(FIND_ONE, [id]);
    if (row === undefined) throw noSuch('sensor profile');
    return toSensorProfileResponse(row);
  }

  replace(id: string, body: SentSensorProfile, writer: Writer): Promise<WriteResult<SensorProfileResponse>> {
    return this.writes.run(writer, async (manager) => {
      const stored = await lock(manager, id);
      const shown = stored === null ? undefined : toSensorProfileResponse(stored);
      requireConditions(writer, 'sensor profile', shown);
      return save(manager, id, stored, body);
    });
  }

  async patch(id: string, sent: JsonRecord, writer: Writer): Promise<WriteResult<SensorProfileResponse>> {
    const patch = unambiguous(sent);
    await requireGood(SentSensorProfile, patch);
    return this.changeOne(id, writer, async (manager, stored, shown) =>
      save(manager, id, stored, await patched(SentSensorProfile, shown, patch)),
    );
  }

  /** With it go the sensors of deleted tanks that use it. */
  remove(id: string, writer: Writer): Promise<WriteResult<DeletedSensorProfileResponse>> {
    return this.changeOne(id, writer, async (manager, before) => {
      const tanks = await manager.query<{ id: string; owner_id: string }[]>(LOCK_DELETED_TANKS, [id]);
      const [row] = await manager.query<{ is_used: boolean }[]>(IS_USED, [id]);
      if (row?.is_used !== false) throw profileInUse();
      await manager.delete(SensorProfile, { id });
      await recordActivity(
        manager,
        describeActor(writer),
        tanks.map((tank) => ({
          type: 'sensor',
          object_id: tank.id,
          object_name: null,
          owner_id: tank.owner_id,
          operation: 'delete',
        })),
      );
      return {
        object: { id, object: 'sensor_profile', deleted: true },
        change: describeChange('sensor_profile', id, 'delete', ['deleted'], { ownerId: null, before }),
      };
    });
  }

  private changeOne<T extends object>(
    id: string,
    writer: Writer,
    work: (
      manager: EntityManager,
      stored: SensorProfile,
      shown: SensorProfileResponse,
    ) => Promise<WriteResult<T>>,
  ): Promise<WriteResult<T>> {
    return this.writes.run(writer, async (manager) => {
      const stored = isStorable(id) ? await lock(manager, id) : null;
      if (stored === null) throw noSuch('sensor profile');
      const shown = toSensorProfileResponse(stored);
      requireConditions(writer, 'sensor profile', shown);
      return work(manager, stored, shown);
    });
  }
}

function lock(manager: EntityManager, id: string): Promise<SensorProfile | null> {
  return manager.findOne(SensorProfile, { where: { id }, lock: { mode: 'pessimistic_write' } });
}

/** The path of a place that is bytes, which are kept beside its scale: where sources put them. */
const BYTES = 'bytes';

/** What is left out gets its default. */
function toColumns({ name, level, battery, temperature, ...rules }: SentSensorProfile): OwnColumns {
  const { path: levelPath = BYTES, unit, ...levelScale } = level;
  const { path: batteryPath = BYTES, ...batteryScale } = battery ?? {};
  const { path: temperaturePath = BYTES, ...temperatureScale } = temperature ?? {};
  return {
    name,
    level_path: levelPath,
    level_unit: unit,
    level_scale: levelScale,
    battery_path: battery ? batteryPath : null,
    battery_scale: batteryScale,
    temperature_path: temperature ? temperaturePath : null,
    temperature_scale: temperatureScale,
    reject_when: rules.reject_when ?? [],
    ignore_when: rules.ignore_when ?? null,
    history: rules.history ?? null,
  };
}

async function save(
  manager: EntityManager,
  id: string,
  stored: SensorProfile | null,
  body: SentSensorProfile,
): Promise<WriteResult<SensorProfileResponse>> {
  const { created_at } = body;
  const faults = [...createdAtFaults(created_at, stored?.created_at), ...longTextFaults(body, stored)];
  if (faults.length > 0) throw invalidFields(faults);
  const next = toColumns(body);
  const before = stored === null ? undefined : toSensorProfileResponse(stored);
  const fields = changedParts(stored === null ? { reject_when: [] } : shownFields(stored), shownFields(next));
  if (before !== undefined && fields.length === 0) return { object: before };
  if (before !== undefined)
    await manager.update(SensorProfile, { id }, { ...next, updated_at: nextUpdatedAt });
  else await manager.insert(SensorProfile, { id, ...next, ...(created_at && { created_at }) });
  const object = toSensorProfileResponse(await manager.findOneByOrFail(SensorProfile, { id }));
  const operation = before === undefined ? 'create' : 'update';
  return {
    object,
    change: describeChange('sensor_profile', id, operation, fields, { ownerId: null, before }),
  };
}

type OwnColumns = ProfileColumns & Pick<SensorProfile, 'name'>;

/** As they are called in the API. */
function shownFields({ name, ...columns }: OwnColumns): object {
  return { name, ...profileFrom(columns) };
}

/** A path takes the place of bytes, and bytes that of a path. */
function unambiguous(patch: JsonRecord): JsonRecord {
  const places = ['level', 'battery', 'temperature'].flatMap((name) => {
    const place = patch[name];
    if (!isRecord(place) || 'path' in place === 'bytes' in place) return [];
    return [[name, { ...place, ['path' in place ? 'bytes' : 'path']: null }] as const];
  });
  return { ...patch, ...Object.fromEntries(places) };
}

export function profileInUse(): Problem {
  const detail = 'Tanks use this profile. Give them another one first, or take their sensors away.';
  return new Problem({ status: 409, code: 'profile_in_use', detail });
}
