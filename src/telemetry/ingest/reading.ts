// What a reading is, and why it is refused: the one description that the endpoint and the import share.
import { quote, type Fault } from '../../common/validation/fault.js';
import {
  readInstant,
  MISSING,
  named,
  noInstant,
  numberFault,
  unknownField,
} from '../../common/validation/values.js';

/** Why a reading is refused; the first that applies is reported. */
export const REFUSAL_CODES = [
  'malformed_reading',
  'unknown_field',
  'missing_field',
  'invalid_value',
  'in_the_future',
  'unknown_tank',
  'unknown_device',
  'ambiguous_device',
  'deleted_tank',
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

export interface Refusal extends Fault {
  readonly code: RefusalCode;
}

export interface Reading {
  /** One of the two. */
  readonly tankId: string | undefined;
  readonly deviceId: string | undefined;
  /** Since 1970; finer parts are cut off. */
  readonly milliseconds: number;
  readonly fill: number;
}

export const READING_FIELDS = ['tank_id', 'device_id', 'created_at', 'fill_percentage', 'object'] as const;

/** As it was sent; undefined and null are "not given". */
export type GivenReading = Readonly<Partial<Record<(typeof READING_FIELDS)[number], unknown>>>;

const PERCENTAGE = { min: 0, max: 100 };

export function refusal(code: RefusalCode, reason: string, detail: Refusal['detail'] = ''): Refusal {
  return { code, reason, detail };
}

export function isRefusal(outcome: Reading | Refusal): outcome is Refusal {
  return 'code' in outcome;
}

export function findUnknownField(record: object, known: readonly string[]): Refusal | undefined {
  for (const name in record) {
    if (!known.includes(name)) return { code: 'unknown_field', ...unknownField(name, known) };
  }
  return undefined;
}

/** `ids` is how the tank may be named. Whether it exists, the database finds out. */
export function checkReading(given: GivenReading, ids = 'tank_id or device_id'): Reading | Refusal {
  const tankId = given.tank_id ?? undefined;
  const deviceId = given.device_id ?? undefined;
  if (tankId === undefined && deviceId === undefined) return missing(ids);
  if ((given.created_at ?? undefined) === undefined) return missing('created_at');
  if ((given.fill_percentage ?? undefined) === undefined) return missing('fill_percentage');

  if (tankId !== undefined && deviceId !== undefined) {
    return refusal('invalid_value', 'give tank_id or device_id, not both');
  }
  if (!isNullableText(tankId)) return badText('tank_id', tankId);
  if (!isNullableText(deviceId)) return badText('device_id', deviceId);
  const { created_at: createdAt, fill_percentage: fill } = given;
  const milliseconds = readInstant(createdAt);
  if (milliseconds === undefined)
    return { code: 'invalid_value', ...named('created_at', noInstant(createdAt)) };
  const bad = numberFault(fill, PERCENTAGE);
  if (typeof fill !== 'number' || bad !== undefined)
    return { code: 'invalid_value', ...named('fill_percentage', bad ?? MISSING) };
  if ((given.object ?? 'telemetry') !== 'telemetry') {
    return refusal('invalid_value', 'object must be telemetry', () => quote(given.object));
  }
  return { tankId, deviceId, milliseconds, fill };
}

function missing(field: string): Refusal {
  return refusal('missing_field', `${field} is missing`);
}

function isNullableText(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === 'string' && value !== '');
}

function badText(field: string, value: unknown): Refusal {
  if (value === '') return refusal('invalid_value', `${field} must not be empty`);
  return refusal('invalid_value', `${field} must be a string`, () => quote(value));
}
