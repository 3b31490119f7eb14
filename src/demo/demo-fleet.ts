// The demo's customers and tanks, from fleet.ndjson: a line is a customer with its tanks, how each is used and which sensor it has. The
// ids are the same in every demo; the times are moved to when it is filled.
import { readFileSync } from 'node:fs';
import { inProject } from '../platform/config/project.js';
import type { Calibration } from '../sensors/calibration.js';
import type { Sender } from '../sensors/uplink.js';

/** How a tank is used and how its device reports. */
export interface TankLife {
  readonly kind: 'household' | 'farm' | 'hotel' | 'plant' | 'day tank';
  /** Its seasons are those south of the equator. */
  readonly southern?: true;
  /** Between two readings. */
  readonly minutes: number;
  /** How much it uses, compared with others of its kind. */
  readonly usage: number;
  readonly refill_below: number;
  /** Of a reading, after the point. */
  readonly digits: number;
  /** How long it has reported, if not for the whole history: frequent readings would fill the database. */
  readonly days?: number;
  /** At the end of its past. */
  readonly low?: true;
  readonly silent?: true;
}

export interface DemoSensor {
  readonly source: Sender;
  readonly profile_id: 'em400-udl' | 'em410-rdl' | 'dragino-dds' | 'pressure-probe';
  readonly calibration: Calibration | null;
  /** Of one that needs somebody: percent, and dBm. */
  readonly battery?: number;
  readonly rssi?: number;
}

interface TankInFile {
  readonly id: string;
  readonly assigned_device_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly min_fill_alert_percentage: number;
  readonly deleted?: true;
  /** Of a tank that reports, or did before it fell silent. */
  readonly life?: TankLife;
  readonly sensor?: DemoSensor;
}

export type DemoTank = TankInFile & { readonly owner_id: string };

/** The calendar of the file ends here. */
const CALENDAR_END = Date.parse('2026-10-31T23:59:59.999Z');
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:]{8}Z$/;

/** With a history that ends at `end`. */
export function demoFleet(end: number): { customers: object[]; tanks: DemoTank[] } {
  const moveTime = (_name: string, value: unknown): unknown =>
    typeof value === 'string' && INSTANT.test(value)
      ? new Date(Date.parse(value) + end - CALENDAR_END).toISOString()
      : value;
  const lines = readFileSync(inProject('dist/fleet.ndjson'), 'utf8').trimEnd().split('\n');
  const read = lines.map((line) => JSON.parse(line, moveTime) as { id: string; tanks: TankInFile[] });
  return {
    customers: read.map(({ tanks: _tanks, ...customer }) => ({ object: 'customer', ...customer })),
    tanks: read.flatMap(({ id, tanks }) => tanks.map((tank) => ({ ...tank, owner_id: id }))),
  };
}

/** As a line of an import. */
export function toLine({ life: _life, sensor: _sensor, ...tank }: DemoTank): object {
  return { object: 'tank', ...tank };
}
