// How full a tank is, from what its sensor measures: two points and the shape of the tank, or a table of points. Pure arithmetic.
import { roundTo } from '../common/rounding.js';

/** Millimetres in one of each; a percentage is no length, nor is a raw number. */
const MILLIMETRES = { mm: 1, cm: 10, m: 1000, in: 25.4, ft: 304.8 } as const;
type Length = keyof typeof MILLIMETRES;

const LENGTHS = ['mm', 'cm', 'm', 'in', 'ft'] as const satisfies Length[];

/** As it may be written behind a value. `raw` is not: it is any number, whatever it stands for (bar, mA, volts, liters). */
export const WRITTEN_UNITS = ['percent', ...LENGTHS] as const;
export const UNITS = [...WRITTEN_UNITS, 'raw'] as const;
export type Unit = (typeof UNITS)[number];

export interface Measured {
  readonly value: number;
  readonly unit: Unit;
}

export const SHAPES = ['upright', 'horizontal_cylinder', 'sphere'] as const;
export type Shape = (typeof SHAPES)[number];

/** What the sensor measures when the tank is empty, and when it is full. */
export interface TwoPoints {
  readonly empty: number;
  readonly full: number;
  readonly unit: Unit;
  readonly shape: Shape;
}

/** The measured values rise or fall strictly; the percentages beside them never change their direction. */
export interface Table {
  readonly table: readonly (readonly [value: number, percent: number])[];
  readonly unit: Unit;
}

export type Calibration = TwoPoints | Table;

/** Measured values may lie this far outside, as a part of the whole range: sensors are not exact. */
const TOLERANCE = 0.05;

const PERCENT: TwoPoints = { empty: 0, full: 100, unit: 'percent', shape: 'upright' };

/** From 0 to 100; otherwise why there is none. */
export function computeFill(
  measured: Measured,
  calibration: Calibration | null,
): number | 'no_calibration' | 'out_of_range' {
  const fits = calibration !== null && convert(measured, calibration.unit) !== undefined;
  const used = fits ? calibration : measured.unit === 'percent' ? PERCENT : undefined;
  const value = used === undefined ? undefined : convert(measured, used.unit);
  if (used === undefined || value === undefined) return 'no_calibration';
  const percent = 'table' in used ? percentInTable(value, used) : percentBetween(value, used);
  return percent === undefined ? 'out_of_range' : roundTo(percent, 2);
}

/** Undefined between units of different kinds: lengths, percentages and raw numbers. */
export function convert({ value, unit }: Measured, to: Unit): number | undefined {
  if (unit === to) return value;
  return isLength(unit) && isLength(to) ? (value * MILLIMETRES[unit]) / MILLIMETRES[to] : undefined;
}

function isLength(unit: Unit): unit is Length {
  return unit in MILLIMETRES;
}

function percentBetween(value: number, { empty, full, shape }: TwoPoints): number | undefined {
  const height = roundTo((value - empty) / (full - empty), 6);
  // Written so that NaN, of numbers too large to be subtracted, is outside.
  if (!(height >= -TOLERANCE && height <= 1 + TOLERANCE)) return undefined;
  return 100 * VOLUMES[shape](Math.min(Math.max(height, 0), 1));
}

/** The part of the volume below a part of the height. */
const VOLUMES: Record<Shape, (height: number) => number> = {
  upright: (h) => h,
  horizontal_cylinder: (h) => (Math.acos(1 - 2 * h) - 2 * (1 - 2 * h) * Math.sqrt(h - h * h)) / Math.PI,
  sphere: (h) => h * h * (3 - 2 * h),
};

function percentInTable(value: number, { table }: Table): number | undefined {
  const points = table.toSorted(([a], [b]) => a - b);
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const beyond = roundTo(Math.max(first[0] - value, value - last[0]) / (last[0] - first[0]), 6);
  if (!(beyond <= TOLERANCE)) return undefined;
  if (value <= first[0]) return first[1];
  const place = points.findIndex(([point]) => value <= point);
  const [above, before] = [points[place], points[place - 1]];
  if (above === undefined || before === undefined) return last[1];
  return before[1] + ((value - before[0]) / (above[0] - before[0])) * (above[1] - before[1]);
}
