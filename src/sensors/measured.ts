// Reads a value of a decoded payload: a number, or a string of one, with or without a unit behind it; or some of its bytes.
import { isRecord } from '../common/bodies/record.js';
import { roundTo } from '../common/rounding.js';
import { convert, WRITTEN_UNITS, type Measured, type Unit } from './calibration.js';
import { valueAt } from './path.js';

/** A whole number among the bytes of a payload. */
export interface BytesPlace {
  readonly offset: number;
  readonly length: number;
  readonly order: 'big' | 'little';
  readonly signed: boolean;
}

/** Where a value is: one of both. */
export interface ValuePlace {
  readonly path?: string | undefined;
  readonly bytes?: BytesPlace | undefined;
}

/** Undefined, or null, when there is none. */
export function readValue(decoded: unknown, { path, bytes }: ValuePlace): unknown {
  return bytes === undefined ? valueAt(decoded, path ?? '') : numberAmong(decoded, bytes);
}

/** Of `{"bytes":"0a1f"}`, as sources make it. */
function numberAmong(decoded: unknown, { offset, length, order, signed }: BytesPlace): number | undefined {
  const written = isRecord(decoded) ? valueAt(decoded, 'bytes') : undefined;
  if (typeof written !== 'string') return undefined;
  const bytes = Buffer.from(written.slice(2 * offset, 2 * (offset + length)), 'hex');
  if (bytes.length < length) return undefined;
  if (order === 'little') return signed ? bytes.readIntLE(0, length) : bytes.readUIntLE(0, length);
  return signed ? bytes.readIntBE(0, length) : bytes.readUIntBE(0, length);
}

/** The value is multiplied by `factor` (1), then `offset` (0) is added. */
export interface Scale {
  readonly factor?: number | undefined;
  readonly offset?: number | undefined;
}

/** What is measured when the battery is empty, and when it is full: both, or neither for a percentage. */
export interface BatteryScale extends Scale {
  readonly empty?: number | undefined;
  readonly full?: number | undefined;
}

/** Finds out what a text behind a number means; undefined when it is no unit. */
type UnitReader<Name> = (written: string) => Name | undefined;

const LEVEL_UNITS: ReadonlyMap<string, Unit> = new Map([
  ['%', 'percent'],
  ...WRITTEN_UNITS.map((unit) => [unit, unit] as const),
]);
const levelUnit: UnitReader<Unit> = (written) => LEVEL_UNITS.get(written.toLowerCase());
const percentSign: UnitReader<'%'> = (written) => (written === '%' ? written : undefined);
const CELSIUS = new Set(['c', '°c', '℃']);
const celsius: UnitReader<'celsius'> = (written) =>
  CELSIUS.has(written.toLowerCase()) ? 'celsius' : undefined;
const anyUnit: UnitReader<'any'> = (written) => (ANY_UNIT.test(written) ? 'any' : undefined);
const noUnit: UnitReader<never> = () => undefined;

/** Without anything that could belong to the number. */
const ANY_UNIT = /^[^\d.,]{1,16}$/u;

/** The unit behind the number counts instead of `unit`, except for a raw one. Undefined for what is no number. */
export function readLevel(
  value: unknown,
  { unit, ...scale }: Scale & { readonly unit: Unit },
): Measured | undefined {
  if (unit === 'raw') {
    const raw = readWritten(value);
    return raw === undefined ? undefined : { value: scaled(raw, scale), unit };
  }
  const read = readNumber(value, levelUnit);
  if (read === undefined) return undefined;
  const measured = { value: read.value, unit: read.unit ?? unit };
  if (scale.factor === undefined && scale.offset === undefined) return measured;
  const converted = convert(measured, unit);
  return converted === undefined
    ? { ...measured, value: scaled(measured.value, scale) }
    : { value: scaled(converted, scale), unit };
}

/** In percent. */
export function readBattery(value: unknown, { empty, full, ...scale }: BatteryScale = {}): number | null {
  if (empty === undefined || full === undefined) {
    const read = readNumber(value, percentSign)?.value;
    const percent = read === undefined ? NaN : scaled(read, scale);
    return percent >= 0 && percent <= 100 ? percent : null;
  }
  const read = readWritten(value);
  const percent = read === undefined ? NaN : ((scaled(read, scale) - empty) / (full - empty)) * 100;
  return Number.isNaN(percent) ? null : Math.min(Math.max(roundTo(percent, 0), 0), 100);
}

export function readTemperature(value: unknown, scale: Scale = {}): number | null {
  const read = readNumber(value, celsius)?.value;
  const temperature = read === undefined ? NaN : scaled(read, scale);
  return Number.isFinite(temperature) ? temperature : null;
}

/** The number as it is written, whatever unit is behind it. */
export function readWritten(value: unknown): number | undefined {
  return readNumber(value, anyUnit)?.value;
}

/** A number without a unit, as JSON writes it. */
export function readPlainNumber(value: unknown): number | undefined {
  return typeof value === 'string' && value.includes(',') ? undefined : readNumber(value, noUnit)?.value;
}

function scaled(value: number, { factor = 1, offset = 0 }: Scale): number {
  return value * factor + offset + 0; // makes -0 a plain 0
}

/** As JSON writes it, or with a decimal comma. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:[.,]\d+)?(?:[eE][+-]?\d+)?/;

/** No sender writes a number and its unit in more characters. */
const MAX_WRITTEN = 1_000;

function readNumber<Name>(
  value: unknown,
  unitOf: UnitReader<Name>,
): { value: number; unit: Name | undefined } | undefined {
  if (typeof value === 'string' && value.length > MAX_WRITTEN) return undefined;
  const written = typeof value === 'string' ? NUMBER.exec(value)?.[0] : undefined;
  const number = typeof value === 'number' ? value : Number(written?.replace(',', '.') ?? NaN);
  const behind = typeof value === 'string' ? value.slice(written?.length) : '';
  const unit = behind === '' ? undefined : unitOf(behind.trimStart());
  const isRead = Number.isFinite(number) && (behind === '' || unit !== undefined);
  return isRead ? { value: number + 0, unit } : undefined; // makes -0 a plain 0
}
