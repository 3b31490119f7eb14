// The record: forecasts that were set aside, compared with what was used, so that deliveries do not matter.
import { DRAINED, SURE, type TankCurve } from './curve.js';
import type { Forecast } from './forecast.js';

export const HORIZONS = [1, 3, 7, 14, 28] as const;
/** Days the plain rule looks back: the mean of their use. */
const PLAIN_DAYS = 14;
/** After so many days of silence nobody will know. */
const TOO_LATE = 3;

/** As it is stored. */
export interface RecordedForecast {
  readonly night: number;
  /** It starts from a position that is so far ahead of that of a midnight: curves may be made anew. */
  readonly anchor_day: number;
  readonly ahead: number;
  /** p10, p50 and p90 of the use, horizon by horizon. */
  readonly uses: readonly number[];
  /** Points per day by the plain rule. */
  readonly plain_use: number;
  /** By horizon: null before its day, NaN if it cannot be known. */
  readonly used: readonly (number | null)[];
}

export function setAside(curve: TankCurve, forecast: Forecast): RecordedForecast {
  const { night, used } = forecast.prediction;
  const last = curve.midnightsAt(night) - 1;
  const position = curve.mid[last] ?? NaN;
  const days = Math.min(PLAIN_DAYS, last - 1);
  return {
    night,
    anchor_day: curve.firstDay + last,
    ahead: used - position,
    uses: HORIZONS.flatMap((horizon) => [...forecast.useAfter(horizon)]),
    plain_use: days < 1 ? 0 : (position - (curve.mid[last - days] ?? NaN)) / days,
    used: HORIZONS.map(() => null),
  };
}

/** With what was used, as far as it is known at a night; what was compared before stays. */
export function compare(record: RecordedForecast, curve: TankCurve, night: number): RecordedForecast {
  const anchor = record.anchor_day - curve.firstDay;
  const usedBy = (day: number): number | null => {
    const target = day - curve.firstDay;
    const position = curve.mid[target];
    if (position === undefined) return night > day + TOO_LATE ? NaN : null;
    const isSure = anchor > 0 && ((curve.flags[target] ?? 0) & SURE) !== 0;
    const isDrained = curve.flags.slice(anchor + 1, target + 1).some((flags) => (flags & DRAINED) !== 0);
    return isSure && !isDrained ? position - (curve.mid[anchor] ?? NaN) - record.ahead : NaN;
  };
  return { ...record, used: HORIZONS.map((days, i) => record.used[i] ?? usedBy(record.night + days)) };
}

/**
 * Sums over forecasts that were compared, as they are stored: the nights of the oldest and the newest, how many had something that cannot be
 * compared, then by horizon how many, within p10 and p90, earlier, the error of p50 and that of the plain rule.
 */
export type Tally = (number | null)[];
export const SUMS = 5;
const FIRST_SUM = 3;

export const emptyTally = (): Tally => [null, null, ...Array<number>(1 + SUMS * HORIZONS.length).fill(0)];

export function addTo(
  tally: Tally,
  { night, uses, plain_use: plainUse, used: allUsed }: RecordedForecast,
): void {
  const add = (place: number, n: number): void => void (tally[place] = (tally[place] ?? 0) + n);
  if (allUsed.some((used) => Number.isNaN(used))) add(2, 1);
  HORIZONS.forEach((days, i) => {
    const used = allUsed[i] ?? NaN;
    if (Number.isNaN(used)) return;
    const [least = 0, middle = 0, most = 0] = uses.slice(i * 3);
    const errors = [Math.abs(used - middle), Math.abs(used - plainUse * days)];
    const sums = [1, Number(used >= least && used <= most), Number(used > most), ...errors];
    sums.forEach((n, j) => add(FIRST_SUM + i * SUMS + j, n));
    tally[0] = Math.min(tally[0] ?? night, night);
    tally[1] = Math.max(tally[1] ?? night, night);
  });
}
