// Writes sensor profiles. They belong to nobody, so a key that is bound to a customer may not.
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Statement } from '../database/named-query.js';
import { isStorable } from '../database/text.js';
import type { Run } from '../database/writes.js';
import { messageOf } from '../validation/fault.js';
import { isFault, readInstant } from '../fields/field.js';
import { ID, isRecord, type JsonRecord } from '../fields/resource.js';
import { MAX_AHEAD_MS } from '../ingest/reading.js';
import { Problem } from '../problems/problem.js';
import { quote } from '../problems/quote.js';
import { Changes, checkPreconditions, type Answer } from './changes.js';
import { toSensorProfileResponse, type SensorProfileRow } from './dto/sensor-profile.response.js';
import { checkNames, mergePatch, PROFILE_FIELDS, readProfile, type SentProfile } from './profile-fields.js';
import { COLUMNS, noProfile } from './profiles.service.js';
import { profileFrom } from './sensor-lookup.js';
import { SentFaults } from './sent-faults.js';

type Found = SensorProfileRow & { readonly version: string };

const FIND: Statement = {
  name: 'sensor_profile_to_write',
  text: `select ${COLUMNS}, profile.xmin::text as version from sensor_profiles profile where id = $1`,
};

const WRITE: Statement = {
  name: 'write_sensor_profile',
  text: `
    select ${COLUMNS}
    from write_sensor_profile($1, $2, $3) profile (
      id text, created_at timestamptz(3), updated_at timestamptz(3), name text, level_path text, level_unit text,
      battery_path text, temperature_path text, reject_when jsonb)`,
};

const DELETE: Statement = {
  name: 'delete_sensor_profile',
  text: 'select delete_sensor_profile($1, $2) as result',
};

@Injectable()
export class ProfileWrites {
  constructor(private readonly changes: Changes) {}

  put(id: string, request: Request, response: Response): Promise<void> {
    refuseBoundKey(request);
    return this.changes.write('PUT', request, response, async (body, run) => {
      const faults = new SentFaults();
      const createdAt = readOwn(body, id, 'PUT', faults);
      const sent = readProfile(body, faults);
      faults.throwIfAny(PROFILE_FIELDS);
      const found = await run<Found>(FIND, [id]);
      checkPreconditions(request, 'profile', found && toSensorProfileResponse(found));
      checkTime(createdAt, found);
      return save(id, found, sent, createdAt, run);
    });
  }

  patch(id: string, request: Request, response: Response): Promise<void> {
    refuseBoundKey(request);
    return this.changes.write('PATCH', request, response, async (body, run) => {
      const found = isStorable(id) ? await run<Found>(FIND, [id]) : undefined;
      // What the body alone shows comes first: without a profile, it is read as a patch of one that has all it needs.
      const shown = found === undefined ? SAMPLE : toSensorProfileResponse(found);
      const faults = new SentFaults();
      const createdAt = readOwn(body, id, 'PATCH', faults);
      checkNames(body, faults);
      const { name, level, battery, temperature, reject_when } = shown;
      const merged = mergePatch({ name, level, battery, temperature, reject_when }, body);
      const sent = readProfile(isRecord(merged) ? merged : {}, faults);
      faults.throwIfAny(PROFILE_FIELDS);
      if (found === undefined) throw noProfile();
      checkPreconditions(request, 'profile', shown);
      checkTime(createdAt, found);
      return save(id, found, sent, createdAt, run);
    });
  }

  delete(id: string, request: Request, response: Response): Promise<void> {
    refuseBoundKey(request);
    return this.changes.delete(request, response, async (run) => {
      const found = isStorable(id) ? await run<Found>(FIND, [id]) : undefined;
      if (found === undefined) throw noProfile();
      checkPreconditions(request, 'profile', toSensorProfileResponse(found));
      const row = await run<{ result: 'deleted' | 'in_use' | 'changed' }>(DELETE, [id, found.version]);
      if (row?.result === 'in_use') throw profileInUse();
      if (row?.result !== 'deleted') return undefined;
      return {
        status: 200,
        body: { id, object: 'sensor_profile', deleted: true },
        change: { type: 'sensor_profile', id, operation: 'delete', fields: ['deleted'] },
      };
    });
  }
}

const SAMPLE = {
  id: '',
  name: 'a profile',
  level: { path: 'level', unit: 'mm' },
  battery: { path: 'battery' },
  temperature: { path: 'temperature' },
  reject_when: [],
} as const;

/** Undefined when somebody else was faster. */
async function save(
  id: string,
  found: Found | undefined,
  sent: SentProfile,
  createdAt: number | undefined,
  run: Run,
): Promise<Answer | undefined> {
  const before = new Map<string, unknown>(
    found && Object.entries({ name: found.name, ...profileFrom(found) }),
  );
  const changed = Object.entries({ name: sent.name, ...sent.profile }).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
  );
  if (found !== undefined && changed.length === 0)
    return { status: 200, body: toSensorProfileResponse(found) };
  const time = createdAt === undefined ? {} : { created_at: new Date(createdAt).toISOString() };
  const given = JSON.stringify({ ...columnsOf(sent), ...time });
  const row = await run<SensorProfileRow>(WRITE, [id, found?.version ?? null, given]);
  if (row === undefined) return undefined;
  const operation = found === undefined ? 'create' : 'update';
  return {
    status: found === undefined ? 201 : 200,
    body: toSensorProfileResponse(row),
    change: { type: 'sensor_profile', id, operation, fields: changed.map(([name]) => name) },
  };
}

function columnsOf({ name, profile }: SentProfile): Readonly<Record<string, unknown>> {
  return {
    name,
    level_path: profile.level.path,
    level_unit: profile.level.unit,
    battery_path: profile.battery?.path ?? null,
    temperature_path: profile.temperature?.path ?? null,
    reject_when: profile.reject_when,
  };
}

/** What belongs to the service may be sent if it is right. Returns the time of creation. */
function readOwn(
  body: JsonRecord,
  id: string,
  method: 'PUT' | 'PATCH',
  faults: SentFaults,
): number | undefined {
  if (method === 'PUT') faults.text('/id', id, ID);
  if (body['id'] !== undefined && body['id'] !== id)
    faults.add('/id', 'id must be that of the address', quote(body['id']));
  if (body['object'] !== undefined && body['object'] !== 'sensor_profile')
    faults.add('/object', 'object must be sensor_profile', quote(body['object']));
  if (body['created_at'] === undefined) return undefined;
  const createdAt = readInstant('created_at', body['created_at']);
  if (!isFault(createdAt)) return createdAt;
  faults.add('/created_at', messageOf(createdAt));
  return undefined;
}

function checkTime(createdAt: number | undefined, found: Found | undefined): void {
  if (createdAt === undefined) return;
  const faults = new SentFaults();
  const shown = found && toSensorProfileResponse(found).created_at;
  if (shown === undefined && createdAt > Date.now() + MAX_AHEAD_MS)
    faults.add('/created_at', 'created_at is more than 5 minutes ahead of our clock');
  if (shown !== undefined && createdAt !== Date.parse(shown))
    faults.add('/created_at', 'created_at must stay as it is', shown);
  faults.throwIfAny(PROFILE_FIELDS);
}

function refuseBoundKey({ caller }: Request): void {
  if (caller?.customerId === null) return;
  const detail =
    'This key is bound to a customer, and profiles belong to all: ask your operator to change them.';
  throw new Problem({ status: 403, code: 'bound_key', detail });
}

export function profileInUse(): Problem {
  const detail = 'Tanks use this profile. Give them another one first, or take their sensors away.';
  return new Problem({ status: 409, code: 'profile_in_use', detail });
}
