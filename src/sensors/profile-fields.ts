// What a sensor profile is made of, and what is wrong with one that was sent.
import type { JsonRecord } from '../fields/resource.js';
import { isRecord } from '../fields/resource.js';
import { quote } from '../problems/quote.js';
import { UNITS } from './calibration.js';
import type { Profile } from './interpret.js';
import { SentFaults } from './sent-faults.js';

export interface SentProfile {
  readonly name: string;
  readonly profile: Profile;
}

export const PROFILE_FIELDS = [
  'id',
  'object',
  'name',
  'created_at',
  'updated_at',
  'level',
  'battery',
  'temperature',
  'reject_when',
];
/** Those that are objects. */
const NESTED = new Map([
  ['level', ['path', 'unit']],
  ['battery', ['path']],
  ['temperature', ['path']],
]);
const MAX_RULES = 20;
const MAX_PATH = 200;

/** Whole; `faults` may have some already. */
export function readProfile(body: JsonRecord, faults: SentFaults): SentProfile {
  faults.names('', body, PROFILE_FIELDS);
  const name = faults.text('/name', body['name']);
  const level = faults.record('/level', body['level'], ['path', 'unit']);
  return {
    name,
    profile: {
      level: {
        path: level === undefined ? '' : readPath('/level/path', level['path'], faults),
        unit: level === undefined ? 'mm' : faults.oneOf('/level/unit', level['unit'], UNITS),
      },
      battery: readPlace('/battery', body['battery'], faults),
      temperature: readPlace('/temperature', body['temperature'], faults),
      reject_when: readRules(body['reject_when'], faults),
    },
  };
}

function readPlace(pointer: string, value: unknown, faults: SentFaults): { path: string } | null {
  if (value === undefined || value === null) return null;
  const place = faults.record(pointer, value, ['path']);
  return place === undefined ? null : { path: readPath(`${pointer}/path`, place['path'], faults) };
}

function readPath(pointer: string, value: unknown, faults: SentFaults): string {
  const path = faults.text(pointer, value, { min: 1, max: MAX_PATH });
  const hasEmptyKey = path !== '' && path.split('.').includes('');
  if (hasEmptyKey) faults.add(pointer, 'a path is keys joined by dots, none of them empty', quote(path));
  return path;
}

function readRules(value: unknown, faults: SentFaults): Profile['reject_when'] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > MAX_RULES) {
    faults.add('/reject_when', `reject_when must be an array of at most ${MAX_RULES} rules`);
    return [];
  }
  return value.map((rule: unknown, place) => readRule(`/reject_when/${place}`, rule, faults));
}

function readRule(pointer: string, value: unknown, faults: SentFaults): Profile['reject_when'][number] {
  const rule = faults.record(pointer, value, ['path', 'equals']);
  if (rule === undefined) return { path: '', equals: '' };
  const path = readPath(`${pointer}/path`, rule['path'], faults);
  const { equals } = rule;
  if (typeof equals === 'boolean') return { path, equals };
  if (typeof equals === 'number') return { path, equals: faults.number(`${pointer}/equals`, equals) };
  if (typeof equals === 'string') return { path, equals: faults.text(`${pointer}/equals`, equals, {}) };
  faults.add(`${pointer}/equals`, 'equals must be a string, a number or a boolean', quote(equals));
  return { path, equals: '' };
}

/** Also those that a patch would remove, so that they are not in what it leads to. */
export function checkNames(patch: JsonRecord, faults: SentFaults): void {
  faults.names('', patch, PROFILE_FIELDS);
  for (const [field, names] of NESTED) {
    const nested = patch[field];
    if (isRecord(nested)) faults.names(`/${field}`, nested, names);
  }
}

/** A merge patch (RFC 7396) of what is there. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const merged = new Map(Object.entries(isRecord(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}
