// Finds a value in a decoded payload, and reads it: a number, or a string of one, with or without a unit behind it.
import { isRecord } from '../common/bodies/record.js';
import { UNITS, type Measured, type Unit } from './calibration.js';

/** `path` is own keys, and places in arrays from 0, joined by dots. Undefined when there is no such value. */
export function valueAt(payload: unknown, path: string): unknown {
  let value = payload;
  for (const key of path.split('.')) {
    if (Array.isArray(value))
      value = PLACE.test(key) ? (value as readonly unknown[])[Number(key)] : undefined;
    else if (isRecord(value) && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value;
}

const PLACE = /^(?:0|[1-9]\d*)$/;

/** As it may be written behind a number, in any case. */
const LEVEL_UNITS: ReadonlyMap<string, Unit> = new Map([
  ['%', 'percent'],
  ...UNITS.map((unit) => [unit, unit] as const),
]);
const PERCENT_SIGN = new Map([['%', 'percent']]);
const CELSIUS = new Map(['c', '°c', '℃'].map((written) => [written, 'celsius']));

/** The unit behind the number counts instead of `unit`. Undefined for what is no number. */
export function readLevel(value: unknown, unit: Unit): Measured | undefined {
  const read = readNumber(value, LEVEL_UNITS);
  return read && { value: read.value, unit: read.unit ?? unit };
}

export function readBattery(value: unknown): number | null {
  const percent = readNumber(value, PERCENT_SIGN)?.value;
  return percent !== undefined && percent >= 0 && percent <= 100 ? percent : null;
}

export function readTemperature(value: unknown): number | null {
  return readNumber(value, CELSIUS)?.value ?? null;
}

/** Without a unit. */
export function readPlainNumber(value: unknown): number | undefined {
  return readNumber(value, NO_UNITS)?.value;
}

const NO_UNITS = new Map<string, never>();

/** As JSON writes it. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/;

function readNumber<Name>(
  value: unknown,
  units: ReadonlyMap<string, Name>,
): { value: number; unit: Name | undefined } | undefined {
  const written = typeof value === 'string' ? NUMBER.exec(value)?.[0] : undefined;
  const number = typeof value === 'number' ? value : Number(written ?? NaN);
  const behind = typeof value === 'string' ? value.slice(written?.length) : '';
  const unit = behind === '' ? undefined : units.get(behind.trimStart().toLowerCase());
  const isRead = Number.isFinite(number) && (behind === '' || unit !== undefined);
  return isRead ? { value: number + 0, unit } : undefined; // makes -0 a plain 0
}
