// What an uplink says about its tank, by the sensor on it: how full it is, or why that is not known.
import { isAhead } from '../common/validation/values.js';
import { convert, fillOf, type Calibration, type Unit } from './calibration.js';
import { readBattery, readLevel, readTemperature, valueAt } from './measured.js';
import type { Uplink } from './uplink.js';

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

/** Where a kind of sensor's decoded payload holds what. */
export interface Profile {
  readonly level: { readonly path: string; readonly unit: Unit };
  readonly battery: { readonly path: string } | null;
  readonly temperature: { readonly path: string } | null;
  /** The type counts, too. */
  readonly reject_when: readonly { readonly path: string; readonly equals: string | number | boolean }[];
}

export interface Sensor {
  readonly profile: Profile;
  readonly calibration: Calibration | null;
}

export interface Interpreted {
  /** Null when there is a reason why not. */
  readonly fill: number | null;
  readonly reason: Reason | null;
  /** In the unit of the profile. */
  readonly level: number | null;
  readonly battery: number | null;
  readonly temperature: number | null;
}

export function interpret(
  { decoded, at }: Pick<Uplink, 'decoded' | 'at'>,
  { profile, calibration }: Sensor,
  now: number,
): Interpreted {
  const { level: where, battery, temperature, reject_when: rules } = profile;
  const value = valueAt(decoded, where.path);
  const measured = readLevel(value, where.unit);
  const fill = measured === undefined ? 'not_a_number' : fillOf(measured, calibration);
  const reasons: (Reason | false)[] = [
    rules.some(({ path, equals }) => valueAt(decoded, path) === equals) && 'rejected',
    (value ?? null) === null && 'no_value',
    typeof fill === 'string' && fill,
    isAhead(at, now) && 'in_the_future',
  ];
  const reason = reasons.find((one) => one !== false) || null;
  return {
    fill: reason === null && typeof fill === 'number' ? fill : null,
    reason,
    level: (measured && convert(measured, where.unit)) ?? null,
    battery: battery && readBattery(valueAt(decoded, battery.path)),
    temperature: temperature && readTemperature(valueAt(decoded, temperature.path)),
  };
}
