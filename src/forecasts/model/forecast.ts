// A forecast of one tank: its level after so many days, and the days until it reaches a level, each as p10, p50 and p90, if nobody delivers.
// The use that is expected has a part that depends on the season and one that does not, by the tank's own history, and how it differed
// from that of late.
import { DAY_MS } from '../../common/datetime/datetime.js';
import { useOfDay, type Standing, type TankCurve } from './curve.js';
import type { Outlook } from './fleet-index.js';
import { GRID, chooseGroup, type Quantiles, type Spread } from './spread.js';

/** A forecast reaches no further. */
export const LONGEST = 180;
/** A day counts half after so many. */
const MEMORY = 2 ** (-1 / 300);
const SHORT_MEMORY = 2 ** (-1 / 14);

/** What is set aside of a forecast, to be compared with what was used: by the grid's horizons. */
export interface Prediction {
  readonly night: number;
  /** Position on the curve from which it starts. */
  readonly used: number;
  readonly month: number;
  readonly factor: number;
  readonly groups: readonly number[];
  readonly uses: readonly number[];
  readonly scales: readonly number[];
}

export class Forecast {
  /** Where the tank stands when it is made, without noise and wrong readings; a silent tank goes on using. */
  readonly level: number;
  readonly prediction: Prediction;
  /** Points used by the end of each day, from 0. */
  private readonly path: Float64Array;
  /** Points per day in the long run. */
  private readonly mean: number;
  private readonly table: readonly Quantiles[];

  /** `factor`: how far this tank's forecasts were off, relative to those of others. */
  constructor(curve: TankCurve, now: Standing, factor: number, fleet: Outlook, spread: Spread) {
    const night = Math.floor(now.at);
    const { path, mean } = expectedUse(curve, now, fleet);
    this.path = path;
    this.mean = mean;
    const sinceReading = (path[1] ?? 0) * Math.max(0, now.at - now.t);
    this.level = now.level - sinceReading;
    const used = now.used + sinceReading;
    const month = new Date(night * DAY_MS).getUTCMonth();
    const groups = GRID.map((days) => chooseGroup(night - curve.firstDay, fleet.knows(night + days)));
    const uses = GRID.map((days) => path[days] ?? 0);
    const scales = GRID.map((days) => this.scaleAt(days));
    this.prediction = { night, used, month, factor, groups, uses, scales };
    this.table = groups.map((group, horizon) => spread.quantiles(horizon, group, month));
  }

  /** Points a day that are expected to be used in the coming 7 days. */
  get perDay(): number {
    return (this.path[7] ?? 0) / 7;
  }

  /** Points used after so many whole days. */
  useAfter(days: number): Quantiles {
    return [this.usedBy(days, 0), this.usedBy(days, 1), this.usedBy(days, 2)];
  }

  /** The level after so many whole days, from 0 to 100. */
  levelAfter(days: number): Quantiles {
    const levelAt = (quantile: 0 | 1 | 2): number =>
      Math.max(0, Math.min(100, this.level - this.usedBy(days, quantile)));
    return [levelAt(2), levelAt(1), levelAt(0)];
  }

  /** Days until a level is reached; LONGEST means later than that. */
  daysTo(level: number): Quantiles {
    return [this.daysUntil(level, 2), this.daysUntil(level, 1), this.daysUntil(level, 0)];
  }

  /** Without deliveries the level only falls: it is reached by a day as likely as the level of that day lies below it. */
  private daysUntil(level: number, quantile: 0 | 1 | 2): number {
    const room = this.level - level;
    if (room <= 0) return 0;
    for (let day = 1, before = 0; day <= LONGEST; day += 1) {
      const used = Math.max(before, this.usedBy(day, quantile));
      if (used >= room) return day - 1 + (room - before) / (used - before);
      before = used;
    }
    return LONGEST;
  }

  /** Between two horizons of the grid, errors grow with the root of the days. */
  private usedBy(days: number, quantile: 0 | 1 | 2): number {
    let lower = 0;
    while ((GRID[lower + 1] ?? Infinity) <= days) lower += 1;
    const from = Math.sqrt(GRID[lower] ?? 1);
    const to = Math.sqrt(GRID[lower + 1] ?? Infinity);
    const share = Math.max(0, (Math.sqrt(days) - from) / (to - from));
    const error = this.table[lower]?.[quantile] ?? 0;
    const next = this.table[lower + 1]?.[quantile] ?? error;
    return (
      (this.path[days] ?? 0) + (error + (next - error) * share) * this.prediction.factor * this.scaleAt(days)
    );
  }

  private scaleAt(days: number): number {
    return 0.5 + (this.path[days] ?? 0) + 0.3 * this.mean * days;
  }
}

/**
 * use = base + k · index, by least squares; with few days, the base is pulled to 0 and k to what is usual in the fleet. A tank that uses more
 * when others use less, south of the equator or for cooling, has a k below 0.
 */
function expectedUse(curve: TankCurve, now: Standing, fleet: Outlook): { path: Float64Array; mean: number } {
  const night = Math.floor(now.at);
  const { recent: late, usual } = fleet;
  const recent = Math.max(0.15, late);
  const day = 1 / (recent + 0.2);
  const toUsual = (usual === undefined ? 1e-6 : 2) * recent * recent * day;
  const sums = { w: 2 * day, s: 0, ss: toUsual, u: 0, us: toUsual * (usual ?? 0) };
  const short = { use: 0, index: 0, days: 0 };
  const long = { use: 0, days: 0 };
  const add = (use: number, index: number, days: number, weight: number, shortWeight: number): void => {
    const v = (weight * days) / (index + 0.2);
    sums.w += v;
    sums.s += v * index;
    sums.ss += v * index * index;
    sums.u += (v * use) / days;
    sums.us += (v * index * use) / days;
    short.use += shortWeight * use;
    short.index += shortWeight * index * days;
    short.days += shortWeight * days;
    long.use += weight * use;
    long.days += weight * days;
  };
  // What was used since the last midnight that is known, then day by day back.
  const last = curve.midnightsAt(night) - 1;
  const tail = last > 0 ? now.t - (curve.firstDay + last) : 0;
  if (tail > 0.3) add(now.used - (curve.mid[last] ?? NaN), fleet.last || 1, tail, 1, 1);
  for (let i = last - 1, weight = 1, shortWeight = 1; i >= 0 && weight > 0.05; i -= 1) {
    const use = useOfDay(curve, i);
    const index = fleet.indexOf(curve.firstDay + i);
    if (!Number.isNaN(use) && !Number.isNaN(index)) add(use, index, 1, weight, shortWeight);
    weight *= MEMORY;
    shortWeight *= SHORT_MEMORY;
  }
  const determinant = sums.w * sums.ss - sums.s * sums.s;
  const k = (sums.w * sums.us - sums.s * sums.u) / determinant;
  const base = (sums.u * sums.ss - sums.us * sums.s) / determinant;
  const prior = 10 * Math.max(0.1, base + k * recent);
  const expected = Math.max(0, base * short.days + k * short.index);
  const path = new Float64Array(LONGEST + 1);
  let ratio = Math.max(0, (short.use + prior) / (expected + prior)) - 1;
  for (let h = 0; h < LONGEST; h += 1, ratio *= 0.97) {
    path[h + 1] = (path[h] ?? 0) + Math.max(0, base + k * fleet.expect(night + h, h)) * (1 + ratio);
  }
  return { path, mean: Math.max(0.05, long.days > 6 ? long.use / long.days : now.rate) };
}
