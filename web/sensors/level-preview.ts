// What a calibration that is being typed makes of the last measurement, as the service will.
import type { LevelUnit, Sensor } from 'tank-monitoring-client';

type Calibration = NonNullable<Sensor['calibration']>;

const MM: Partial<Record<LevelUnit, number>> = { mm: 1, cm: 10, m: 1_000, in: 25.4, ft: 304.8 };
/** A sensor may be a little beyond what it was calibrated with. */
const BEYOND = 0.05;

/** In percent; undefined while it is not whole, null when the measurement is outside of it. */
export function levelOf(value: number, unit: LevelUnit, calibration: unknown): number | null | undefined {
  if (!isCalibration(calibration)) return undefined;
  const [from, to] = [MM[unit], MM[calibration.unit]];
  if (unit !== calibration.unit && (from === undefined || to === undefined)) return undefined;
  const here = unit === calibration.unit ? value : (value * (from ?? 1)) / (to ?? 1);
  return 'table' in calibration
    ? between(here, calibration.table)
    : filled((here - calibration.empty) / (calibration.full - calibration.empty), calibration.shape);
}

function isCalibration(given: unknown): given is Calibration {
  if (typeof given !== 'object' || given === null) return false;
  if ('table' in given) {
    const { table } = given;
    return Array.isArray(table) && table.length > 1 && table.flat().every((n) => typeof n === 'number');
  }
  const { empty, full } = given as { empty?: unknown; full?: unknown };
  return typeof empty === 'number' && typeof full === 'number' && empty !== full;
}

function filled(height: number, shape: string): number | null {
  if (height < -BEYOND || height > 1 + BEYOND) return null;
  const h = Math.min(Math.max(height, 0), 1);
  if (shape === 'sphere') return 100 * h * h * (3 - 2 * h);
  if (shape !== 'horizontal_cylinder') return 100 * h;
  return (100 * (Math.acos(1 - 2 * h) - 2 * (1 - 2 * h) * Math.sqrt(h - h * h))) / Math.PI;
}

function between(value: number, table: readonly (readonly number[])[]): number | null {
  const points = table.toSorted(([a = 0], [b = 0]) => a - b);
  const [first, last] = [points[0] ?? [], points.at(-1) ?? []];
  const [low = 0, high = 0] = [first[0], last[0]];
  if (value < low - BEYOND * (high - low) || value > high + BEYOND * (high - low)) return null;
  const after = points.findIndex(([at = 0]) => at >= value);
  const [x1 = 0, y1 = 0] = points[after] ?? last;
  const [x0 = x1, y0 = y1] = points[after - 1] ?? points[after] ?? last;
  return x1 === x0 ? y1 : y0 + ((value - x0) / (x1 - x0)) * (y1 - y0);
}
