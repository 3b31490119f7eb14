// What an uplink says about its tank, by the sensor on it: how full it is, or why that is not known.
import { isAhead } from '../common/validation/values.js';
import { convert, computeFill, type Calibration, type Unit } from './calibration.js';
import { readBattery, readLevel, readTemperature, readWritten, readValue } from './measured.js';
import type { BatteryScale, ValuePlace, Scale } from './measured.js';
import { contentOf, valueAt } from './path.js';
import { readTime, type Uplink } from './uplink.js';

/** Why an uplink is kept in quarantine; the first that applies is reported. */
export const REASONS = [
  'unknown_device',
  'ambiguous_device',
  'no_sensor',
  'rejected',
  'no_value',
  'not_a_number',
  'no_calibration',
  'out_of_range',
  'in_the_future',
  'malformed',
] as const;
export type Reason = (typeof REASONS)[number];

/** Why a message of a sensor is ignored: its profile says that it holds no measurement. */
export const NOT_A_MEASUREMENT = 'not_a_measurement';

/** Of a history, so many entries are looked at. */
const MAX_ENTRIES = 500;

/** Applies by its one condition. */
export interface Rule {
  readonly path: string;
  /** The type counts, too. */
  readonly equals?: string | number | boolean | undefined;
  readonly below?: number | undefined;
  readonly above?: number | undefined;
  readonly absent?: true | undefined;
}

/** Where the array of earlier measurements is, and in each entry its time and its level. */
export interface HistoryPlace {
  readonly path: string;
  readonly time: string;
  readonly level: string;
}

/** Where a kind of sensor's decoded payload holds what. */
export interface Profile {
  readonly level: Scale & ValuePlace & { readonly unit: Unit };
  readonly battery: (BatteryScale & ValuePlace) | null;
  readonly temperature: (Scale & ValuePlace) | null;
  readonly reject_when: readonly Rule[];
  readonly ignore_when?: readonly Rule[] | undefined;
  readonly history?: HistoryPlace | undefined;
}

export interface Sensor {
  readonly profile: Profile;
  readonly calibration: Calibration | null;
}

/** What the entries of a history gave: fills by their instants. */
export interface History {
  readonly fills: ReadonlyMap<number, number>;
  readonly skipped: number;
}

export interface Interpreted {
  /** Null when there is a reason why not, or only a history. */
  readonly fill: number | null;
  readonly reason: Reason | typeof NOT_A_MEASUREMENT | null;
  /** In the unit of the profile. */
  readonly level: number | null;
  readonly battery: number | null;
  readonly temperature: number | null;
  /** Null where there is none, or a reason why it is not used. */
  readonly history: History | null;
}

export function interpret(
  { decoded, at, battery: said }: Pick<Uplink, 'decoded' | 'at' | 'battery'>,
  sensor: Sensor,
  now: number,
): Interpreted {
  const {
    level: where,
    battery,
    temperature,
    reject_when: rejected,
    ignore_when: ignored = [],
  } = sensor.profile;
  const value = readValue(decoded, where) ?? null;
  const measured = readLevel(value, where);
  const fill = measured === undefined ? 'not_a_number' : computeFill(measured, sensor.calibration);
  const history = readHistory(decoded, sensor, typeof fill === 'number' ? at : null, now);
  const hasOnlyHistory = value === null && history !== null && history.fills.size > 0;
  const reasons: (Interpreted['reason'] | false)[] = [
    ignored.some((rule) => applies(rule, decoded)) && NOT_A_MEASUREMENT,
    rejected.some((rule) => applies(rule, decoded)) && 'rejected',
    value === null && !hasOnlyHistory && 'no_value',
    value !== null && typeof fill === 'string' && fill,
    isAhead(at, now) && 'in_the_future',
  ];
  const reason = reasons.find((one) => one !== false) || null;
  return {
    fill: reason === null && typeof fill === 'number' ? fill : null,
    reason,
    level: (measured && convert(measured, where.unit)) ?? null,
    battery: said ?? (battery && readBattery(readValue(decoded, battery), battery)),
    temperature: temperature && readTemperature(readValue(decoded, temperature), temperature),
    history: reason === null ? history : null,
  };
}

/** Whether a rule applies to a payload, or of a source to a message. */
export function applies({ path, equals, below, above, absent }: Rule, decoded: unknown): boolean {
  const value = valueAt(decoded, path);
  if (equals !== undefined) return value === equals;
  if (absent === true) return (value ?? null) === null;
  const number = readWritten(value);
  return number !== undefined && (number < (below ?? -Infinity) || number > (above ?? Infinity));
}

/** `ownAt`: the time of the uplink's own level, which counts before an entry of the same time. Of two entries the last counts. */
function readHistory(
  decoded: unknown,
  { profile: { level, history }, calibration }: Sensor,
  ownAt: number | null,
  now: number,
): History | null {
  const entries = history && valueAt(decoded, history.path);
  if (history === undefined || !Array.isArray(entries)) return null;
  const fills = new Map<number, number>();
  for (const sent of entries.slice(0, MAX_ENTRIES) as unknown[]) {
    const entry = contentOf(sent, entries);
    const at = readTime(valueAt(entry, history.time));
    const measured = readLevel(valueAt(entry, history.level), level);
    const fill = measured && computeFill(measured, calibration);
    if (at !== null && at !== ownAt && !isAhead(at, now) && typeof fill === 'number') fills.set(at, fill);
  }
  return { fills, skipped: entries.length - fills.size };
}
