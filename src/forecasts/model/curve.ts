// The use of one tank as a curve that only refills do not break: readings go in one by one, oldest first, and the position on the curve at
// each midnight comes out. What is in it never changes with what comes later. Times are days since 1970 in UTC, with fractions; fill
// levels and use are percentage points.
import { isRefill } from '../../rules.js';

/** A step within this is noise; beyond it, it may be a refill, a drain or a wrong reading. */
const BAND = 3;
/** Points per day that a tank may always use. */
const MOST_USE = 5;
/** A confirmed step down that is larger is no use: the tank was pumped out, or the sensor moved. */
const DRAIN = 20;
/** Days between the means of two days, from which on the midnights between them are a guess. */
const LONG_GAP = 2.2;

/** Of a midnight, as bits: it is no guess; the tank was drained before it; the day that it begins has readings. */
export const SURE = 1;
export const DRAINED = 2;
const HAS_READINGS = 4;

/** Where a tank stands at its last accepted reading. */
export interface Standing {
  /** When this was asked. */
  readonly at: number;
  readonly t: number;
  readonly used: number;
  readonly level: number;
  /** Points per day of the last 7 days. */
  readonly rate: number;
}

/** What is kept of a curve besides its midnights, to go on with it. */
export interface CurveState {
  used: number;
  full: number;
  last: { t: number; fill: number } | null;
  candidate: { side: 1 | -1; fill: number } | null;
  /** The newest two readings, the newest first, whatever became of them. */
  newest?: number[];
  /** The newest reading, if it is a refill as events have it that no second reading has confirmed yet. */
  refill?: { t: number; fill: number } | undefined;
  recent: [t: number, used: number][];
  bin: { day: number; n: number; t: number; used: number } | null;
  before: { t: number; used: number } | null;
  firstDay: number;
  drained: boolean;
}

const NOTHING = { used: 0, full: 0, last: null, candidate: null, bin: null, before: null, firstDay: 0 };

export class TankCurve {
  /** Position at each midnight since `firstDay`; the first one is not known. */
  mid: number[] = [];
  flags: number[] = [];
  state: CurveState = { ...NOTHING, recent: [], drained: false };

  get firstDay(): number {
    return this.state.firstDay;
  }

  /** The newest midnight whose position is known. */
  get lastMidnight(): number {
    return this.firstDay + this.mid.length - 1;
  }

  /** Returns whether this reading has confirmed a refill. */
  push(t: number, fill: number): boolean {
    const { state } = this;
    const { last, newest: [before, beforeThat] = [] } = state;
    if (!(fill >= 0 && fill <= 100) || t <= (last?.t ?? -Infinity)) return false;
    state.newest = before === undefined ? [fill] : [fill, before];
    state.refill = isRefill(fill, before, beforeThat) ? { t, fill } : undefined;
    if (last === null) {
      state.full = fill;
      state.firstDay = Math.floor(t);
    }
    const gap = t - (last?.t ?? t);
    const fall = (last?.fill ?? fill) - fill;
    const isUse = fall >= -BAND && fall <= BAND + gap * Math.max(MOST_USE, 3 * this.rate());
    if (!isUse) return this.step(t, fill, fall, gap);
    this.accept(t, fill, fall);
    return false;
  }

  /** Alone it is a wrong reading; the next one confirms it on the same side and no nearer to the old level. */
  private step(t: number, fill: number, fall: number, gap: number): boolean {
    const { state } = this;
    const { candidate } = state;
    const side = fall < 0 ? 1 : -1;
    const agrees =
      side === 1
        ? fill >= (candidate?.fill ?? 0) - BAND - gap * MOST_USE
        : fill <= (candidate?.fill ?? 0) + BAND;
    if (candidate?.side !== side || !agrees) {
      state.candidate = { side, fill };
      return false;
    }
    const isUse = side === -1 && fall <= DRAIN;
    const use = isUse ? fall : this.rate() * gap;
    state.drained ||= side === -1 && !isUse;
    state.full = fill + state.used + use;
    this.accept(t, fill, use);
    return side === 1;
  }

  /** Called at the midnight that begins `day`, after all readings before it. */
  endDay(day: number): void {
    if (this.state.bin !== null && this.state.bin.day < day) this.closeBin(this.state.bin);
  }

  /** How many midnights were known at this one: those up to the last day before it that has readings. */
  midnightsAt(night: number): number {
    let last = Math.min(night - this.firstDay, this.mid.length) - 1;
    while (last >= 0 && ((this.flags[last] ?? 0) & HAS_READINGS) === 0) last -= 1;
    return last + 1;
  }

  /** The readings of two days are averaged along the rate. */
  standing(at: number): Standing | undefined {
    const { last, recent, full } = this.state;
    if (last === null) return undefined;
    const rate = this.rate();
    let weight = 0;
    let sum = 0;
    for (const [t, used] of recent) {
      if (last.t - t > 2) continue;
      const w = 2 ** (-(last.t - t) * 3); // half as much every 8 hours
      weight += w;
      sum += w * (used + rate * (last.t - t));
    }
    return { at, t: last.t, used: sum / weight, level: full - sum / weight, rate };
  }

  /** Begins with the newest reading, if that is a refill which the next one has to confirm. */
  refilled(at: number): Standing | undefined {
    const known = this.standing(at);
    const { refill } = this.state;
    if (known === undefined || refill === undefined) return undefined;
    const { t, fill: level } = refill;
    return { ...known, t, level, used: known.used + known.rate * (t - known.t) };
  }

  /** Forgets the oldest midnights beyond so many. */
  keep(midnights: number): void {
    const extra = Math.max(0, this.mid.length - midnights);
    this.mid.splice(0, extra);
    this.flags.splice(0, extra);
    this.state.firstDay += extra;
  }

  private rate(): number {
    const { recent } = this.state;
    const [endT, endUsed] = recent.at(-1) ?? [0, 0];
    const [t, used] = recent.find(([at]) => endT - at < 7) ?? [endT, endUsed];
    return Math.max(0, (endUsed - used) / Math.max(1, endT - t));
  }

  private accept(t: number, fill: number, use: number): void {
    const { state } = this;
    state.used += use;
    state.last = { t, fill };
    state.candidate = null;
    state.refill = undefined;
    state.recent.push([t, state.used]);
    while (t - (state.recent[0]?.[0] ?? t) > 8) state.recent.shift();
    const day = Math.floor(t);
    this.endDay(day);
    const bin = (state.bin ??= { day, n: 0, t: 0, used: 0 });
    bin.n += 1;
    bin.t += t;
    bin.used += state.used;
  }

  /** The curve at the midnights up to this day lies on the line between the means of the days. */
  private closeBin({ day, n, t, used }: NonNullable<CurveState['bin']>): void {
    const { state, mid, flags } = this;
    const { before } = state;
    const now = { t: t / n, used: used / n };
    if (before !== null) {
      const span = now.t - before.t;
      const flag = (span < LONG_GAP ? SURE : 0) | (state.drained ? DRAINED : 0);
      if (mid.length === 0) flags[mid.push(NaN) - 1] = 0;
      for (let m = this.lastMidnight + 1; m <= day; m += 1) {
        mid.push(before.used + ((now.used - before.used) * (m - before.t)) / span);
        flags.push(flag | (m === day ? HAS_READINGS : 0));
      }
      state.drained = false;
    }
    state.before = now;
    state.bin = null;
  }
}

/** The use of the day that began at midnight number `i` of a curve; NaN where it is not known. */
export function useOfDay({ mid }: TankCurve, i: number): number {
  return (mid[i + 1] ?? NaN) - (mid[i] ?? NaN);
}
