// The demo's customers and tanks, from data/fleet.ndjson: a line is a customer with its tanks, how each is used and which sensor it has. The
// ids are the same in every demo.
import { readFileSync } from 'node:fs';
import { inProject } from '../platform/config/project.js';
import type { TwoPoints } from '../sensors/calibration.js';
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
  /** At the end of its past. */
  readonly level: number;
  readonly refill_below: number;
  readonly refill_to: number;
  /** Of a reading, after the point. */
  readonly digits: number;
  /** How long it has reported, if not for the whole history: frequent readings would fill the database. */
  readonly days?: number;
  /** How many days ago it stopped reporting. */
  readonly ended?: number;
  /** An empty battery, snow on the antenna: from how many days ago to how many. */
  readonly silences?: readonly (readonly [from: number, to: number])[];
}

/** What a network server or a device posts. */
export interface DemoMessage {
  readonly source: Sender;
  readonly message: object;
}

/** In its message, texts such as `$level` stand for what is measured. */
export interface DemoSensor extends DemoMessage {
  readonly profile_id: string;
  readonly calibration: TwoPoints | null;
}

export interface DemoTank {
  readonly id: string;
  readonly owner_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly min_fill_alert_percentage: number;
  readonly deleted?: true;
  /** Of a tank that reports, or did before it fell silent. */
  readonly life?: TankLife;
  readonly sensor?: DemoSensor;
}

type CustomerInFile = { readonly id: string; readonly tanks: readonly Omit<DemoTank, 'owner_id'>[] };

export function readFleet(end: number): { customers: object[]; tanks: DemoTank[] } {
  const read = readLines<CustomerInFile>('fleet', end);
  return {
    customers: read.map(({ tanks: _tanks, ...customer }) => customer),
    tanks: read.flatMap(({ id, tanks }) => tanks.map((tank) => ({ ...tank, owner_id: id }))),
  };
}

/** The calendar of the files ends here. */
const CALENDAR_END = Date.parse('2026-10-31T23:59:59.999Z');
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:]{8}Z$/;

/** Of a file of data/. Its times are moved, so that its calendar ends at `end`. */
export function readLines<Line>(file: 'fleet' | 'examples' | 'quarantine', end: number): Line[] {
  const moveTime = (_name: string, value: unknown): unknown =>
    typeof value === 'string' && INSTANT.test(value)
      ? new Date(Date.parse(value) + end - CALENDAR_END).toISOString()
      : value;
  const lines = readFileSync(inProject(`dist/demo/${file}.ndjson`), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line, moveTime) as Line);
}
