// How far forecasts were off so far, over all tanks: counts of relative errors by horizon, kind of forecast and month. From them come the
// ranges of the next forecasts.

/** Days after which a forecast is compared with what was used. */
export const GRID = [1, 3, 7, 14, 28, 56, 112] as const;
/** Whether a tank was new, and whether its season was seen before. */
const GROUPS = 6;
const MONTHS = 12;
const BINS = 800;
const WIDTH = 0.02;
/** An error of 0 lies in the middle of a bin. */
const LOWEST = -6.01;
/** Errors a group needs before it counts, and the weight of the guess against them. */
const LEAST = 60;
/** This month, those next to it, those two away; all months together count a little. */
const NEARNESS = [1, 0.7, 0.3];
const ANY_MONTH = 0.15;

export type Quantiles = readonly [p10: number, p50: number, p90: number];

/** An error that was just learned: the place of its bin, how large it is, and the day that was forecast. */
export interface LearnedError {
  readonly bin: number;
  readonly size: number;
  readonly day: number;
}

/** The kind of a forecast: new tanks differ from others, and so do times of the year that nobody has seen yet. */
export function chooseGroup(daysOfHistory: number, isSeasonKnown: boolean): number {
  return (daysOfHistory < 14 ? 0 : daysOfHistory < 90 ? 1 : 2) + (isSeasonKnown ? 0 : 3);
}

/** While no errors are known: wider for new tanks, and where the season was never seen. */
function guess(days: number, group: number): Quantiles {
  const s =
    (0.2 + 0.3 / Math.sqrt(days)) * (group % 3 === 0 ? 1.4 : 1.1) * (group >= 3 && days > 7 ? 2.5 : 1);
  return [Math.max(-0.9, -s), 0, s];
}

export class Spread {
  private readonly found = new Map<number, Quantiles>();
  /** Cells with errors. */
  private readonly filled = new Set<number>();

  constructor(
    /** Counts of errors. */
    readonly bins: Float32Array = new Float32Array(GRID.length * GROUPS * MONTHS * BINS),
    /** By horizon: the sum of the errors' sizes, and how many they are. */
    readonly misses: { sum: number; n: number }[] = GRID.map(() => ({ sum: 0, n: 0 })),
  ) {
    bins.forEach((n, bin) => n > 0 && this.filled.add(Math.floor(bin / BINS)));
  }

  static binOf(horizon: number, group: number, month: number, error: number): number {
    const bin = Math.max(0, Math.min(BINS - 1, Math.floor((error - LOWEST) / WIDTH)));
    return findCell(horizon, group, month) * BINS + bin;
  }

  add({ bin, size }: Pick<LearnedError, 'bin' | 'size'>): void {
    this.bins[bin] = (this.bins[bin] ?? 0) + 1;
    this.filled.add(Math.floor(bin / BINS));
    const misses = this.misses[Math.floor(bin / (GROUPS * MONTHS * BINS))];
    if (misses !== undefined) {
      misses.sum += size;
      misses.n += 1;
    }
    this.found.clear();
  }

  /** Of the errors at a horizon, by its place in the grid, of forecasts of this kind made at this time of the year. */
  quantiles(horizon: number, group: number, month: number): Quantiles {
    const cell = findCell(horizon, group, month);
    let found = this.found.get(cell);
    if (found === undefined) this.found.set(cell, (found = this.measure(horizon, group, month)));
    return found;
  }

  /** If errors of this kind are few, those of like kinds count, or all. */
  private measure(horizon: number, group: number, month: number): Quantiles {
    const guessed = guess(GRID[horizon] ?? 1, group);
    const alike = group < 3 ? [0, 1, 2] : [3, 4, 5];
    for (const groups of [[group], alike, [0, 1, 2, 3, 4, 5]]) {
      const { counts, errors, n } = this.gather(horizon, groups, month);
      if (errors < LEAST) continue;
      const mixed = (place: 0 | 1 | 2, share: number): number =>
        (n * findQuantile(counts, share * n) + LEAST * guessed[place]) / (n + LEAST);
      return [mixed(0, 0.1), mixed(1, 0.5), mixed(2, 0.9)];
    }
    return guessed;
  }

  /** How many errors there are, and how many with the weights of their months. */
  private gather(horizon: number, groups: readonly number[], month: number) {
    const counts = new Float64Array(BINS);
    let errors = 0;
    let n = 0;
    for (const group of groups) {
      for (let m = 0; m < MONTHS; m += 1) {
        const away = Math.min((m - month + MONTHS) % MONTHS, (month - m + MONTHS) % MONTHS);
        const weight = ANY_MONTH + (NEARNESS[away] ?? 0);
        const cell = findCell(horizon, group, m);
        if (!this.filled.has(cell)) continue;
        for (let i = 0; i < BINS; i += 1) {
          const count = this.bins[cell * BINS + i] ?? 0;
          counts[i] = (counts[i] ?? 0) + weight * count;
          errors += count;
          n += weight * count;
        }
      }
    }
    return { counts, errors, n };
  }
}

function findCell(horizon: number, group: number, month: number): number {
  return (horizon * GROUPS + group) * MONTHS + month;
}

/** Where so many of the counted errors are smaller. */
function findQuantile(counts: Float64Array, rank: number): number {
  let sum = 0;
  const bin = counts.findIndex((count) => (sum += count) >= rank);
  const count = counts[bin] ?? 0;
  return LOWEST + (bin + 1 - (sum - rank) / count) * WIDTH;
}
