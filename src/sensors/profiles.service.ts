// Sensor profiles: read by one statement a request, so that a page and its total are of one snapshot; changed in a transaction each.
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isStorable, Reads, type Statement } from '../platform/database/reads.js';
import {
  actorOf,
  changedFields,
  changeOf,
  forward,
  ManagedWrites,
  requireConditions,
} from '../common/writes/managed-writes.js';
import type { Writer, WriteResult } from '../common/writes/managed-writes.js';
import { createdAtFaults } from '../common/validation/own-fields.js';
import { recordActivity } from '../common/writes/activity.js';
import { isRecord, type JsonRecord } from '../common/bodies/record.js';
import { patched, requireGood } from '../common/writes/merge-patch.js';
import type { ListQuery } from '../common/pagination/dto/list.query.js';
import { pageFromRows, pageOfFew } from '../common/pagination/page.js';
import type { CountedRow, Listed, Page } from '../common/pagination/page.js';
import { noSuch, Problem } from '../common/problems/problem.js';
import { invalidFields } from '../common/validation/field-mistakes.js';
import { SentSensorProfile } from './dto/sensor-profile.input.js';
import { SensorProfileResponse, toSensorProfileResponse } from './dto/sensor-profile.response.js';
import type { DeletedSensorProfileResponse, SensorProfileRow } from './dto/sensor-profile.response.js';
import type { Profile } from './interpret.js';
import { PROFILE_COLUMNS, profileFrom } from './sensor-lookup.js';
import { SensorProfile } from './sensor-profile.entity.js';

export const COLUMNS = `profile.id, profile.name, profile.created_at, profile.updated_at, ${PROFILE_COLUMNS}`;

const FIND_ONE: Statement = {
  name: 'sensor_profile_by_id',
  text: `select ${COLUMNS} from sensor_profiles profile where id = $1`,
};

const PROFILES: Listed = { table: 'sensor_profiles', alias: 'profile', columns: COLUMNS };
const LIST = pageOfFew('sensor_profiles_page', PROFILES, 'true');

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
    private readonly writes: ManagedWrites,
  ) {}

  async list(query: ListQuery): Promise<Page<SensorProfileResponse>> {
    const { since, until, skip, size, isLarge } = query;
    const values = [since, until, skip, size];
    const rows = await this.reads.page<SensorProfileRow & CountedRow>(LIST, values, isLarge);
    return pageFromRows(
      SensorProfileResponse,
      rows,
      (row) => row.id !== null,
      toSensorProfileResponse,
      query,
    );
  }

  async get(id: string): Promise<SensorProfileResponse> {
    const row = isStorable(id) ? await this.reads.firstRow<SensorProfileRow>(FIND_ONE, [id]) : undefined;
    if (row === undefined) throw noSuch('sensor profile');
    return toSensorProfileResponse(row);
  }

  replace(id: string, body: SentSensorProfile, writer: Writer): Promise<WriteResult<SensorProfileResponse>> {
    return this.writes.run(writer, async (manager) => {
      const stored = await lock(manager, id);
      const shown = stored === null ? undefined : toSensorProfileResponse(stored);
      requireConditions(writer, 'sensor profile', shown);
      requireTime(body.created_at, stored);
      return save(manager, id, stored, columnsOf(body.name, profileOf(body)), body);
    });
  }

  async patch(id: string, sent: JsonRecord, writer: Writer): Promise<WriteResult<SensorProfileResponse>> {
    const patch = unambiguous(sent);
    await requireGood(SentSensorProfile, patch);
    return this.writes.run(writer, async (manager) => {
      const stored = isStorable(id) ? await lock(manager, id) : null;
      if (stored === null) throw noSuch('sensor profile');
      const shown = toSensorProfileResponse(stored);
      requireConditions(writer, 'sensor profile', shown);
      const body = await patched(SentSensorProfile, shown, patch);
      requireTime(body.created_at, stored);
      return save(manager, id, stored, columnsOf(body.name, profileOf(body)), body);
    });
  }

  /** With it go the sensors of deleted tanks that use it. */
  remove(id: string, writer: Writer): Promise<WriteResult<DeletedSensorProfileResponse>> {
    return this.writes.run(writer, async (manager) => {
      const stored = isStorable(id) ? await lock(manager, id) : null;
      if (stored === null) throw noSuch('sensor profile');
      requireConditions(writer, 'sensor profile', toSensorProfileResponse(stored));
      const tanks = await manager.query<{ id: string; owner_id: string }[]>(LOCK_DELETED_TANKS, [id]);
      const [row] = await manager.query<{ is_used: boolean }[]>(IS_USED, [id]);
      if (row?.is_used !== false) throw profileInUse();
      await manager.delete(SensorProfile, { id });
      await recordActivity(
        manager,
        actorOf(writer),
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
        change: changeOf('sensor_profile', id, 'delete', ['deleted'], { ownerId: null, before: stored }),
      };
    });
  }
}

function lock(manager: EntityManager, id: string): Promise<SensorProfile | null> {
  return manager.findOne(SensorProfile, { where: { id }, lock: { mode: 'pessimistic_write' } });
}

/** The path of a place that is bytes, which are kept beside its scale: where sources put them. */
const BYTES = 'bytes';

type OwnColumns = Omit<SensorProfile, 'id' | 'created_at' | 'updated_at'>;

function columnsOf(name: string, { level, battery, temperature, ...others }: Profile): OwnColumns {
  const { path: levelPath = BYTES, unit, ...levelScale } = level;
  const { path: batteryPath = BYTES, ...batteryScale } = battery ?? {};
  const { path: temperaturePath = BYTES, ...temperatureScale } = temperature ?? {};
  return {
    name,
    level_path: levelPath,
    level_unit: unit,
    level_scale: levelScale,
    battery_path: battery && batteryPath,
    battery_scale: batteryScale,
    temperature_path: temperature && temperaturePath,
    temperature_scale: temperatureScale,
    reject_when: others.reject_when,
    ignore_when: others.ignore_when ?? null,
    history: others.history ?? null,
  };
}

async function save(
  manager: EntityManager,
  id: string,
  stored: SensorProfile | null,
  next: OwnColumns,
  { created_at: createdAt }: Pick<SentSensorProfile, 'created_at'>,
): Promise<WriteResult<SensorProfileResponse>> {
  const before = stored === null ? { reject_when: [] } : shownFields(stored);
  const fields = changedFields(before, shownFields(next)).map((name) => name.split('.', 1)[0] ?? name);
  const changed = [...new Set(fields)];
  if (stored === null) {
    await manager.insert(SensorProfile, {
      id,
      ...next,
      ...(createdAt === undefined ? {} : { created_at: createdAt }),
    });
  } else {
    if (changed.length === 0) return { object: toSensorProfileResponse(stored) };
    await manager.update(SensorProfile, { id }, { ...next, updated_at: forward });
  }
  const profile = await manager.findOneByOrFail(SensorProfile, { id });
  const change =
    stored === null
      ? changeOf('sensor_profile', id, 'create', changed, { ownerId: null })
      : changeOf('sensor_profile', id, 'update', changed, {
          ownerId: null,
          before: toSensorProfileResponse(stored),
        });
  return { object: toSensorProfileResponse(profile), change };
}

/** As they are called in the API. */
function shownFields({ name, ...columns }: OwnColumns): object {
  return { name, ...profileFrom(columns) };
}

/** What is left out gets its default. */
function profileOf({ level, battery, temperature, history, ...rules }: SentSensorProfile): Profile {
  return {
    level,
    battery: battery ?? null,
    temperature: temperature ?? null,
    reject_when: rules.reject_when ?? [],
    ignore_when: rules.ignore_when,
    history: history ?? undefined,
  };
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

function requireTime(createdAt: Date | undefined, stored: SensorProfile | null): void {
  const faults = createdAtFaults(createdAt, stored?.created_at);
  if (faults.length > 0) throw invalidFields(faults);
}

export function profileInUse(): Problem {
  const detail = 'Tanks use this profile. Give them another one first, or take their sensors away.';
  return new Problem({ status: 409, code: 'profile_in_use', detail });
}
