// A tank's alerts as a plain program in memory: what judge() and the database's functions must agree with, whatever the order and
// grouping of the writes.
import type { EventType } from '../../src/rules.js';

export interface ModelReading {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly fill: number;
}

export interface ModelEvent {
  readonly type: EventType;
  readonly reading: ModelReading;
  readonly before: ModelReading | null;
}

const HOUR = 3_600;
const DAY = 86_400;

const rounded = (difference: number): number => Math.round(difference * 1e6) / 1e6;

/** Three times the median gap of the newest ten, from an hour to a week; a day while there are fewer than three. */
export function silentAfterSeconds(newestFirst: readonly ModelReading[]): number {
  const ten = newestFirst.slice(0, 10);
  if (ten.length < 3) return DAY;
  const gaps = ten
    .slice(1)
    .map((reading, i) => (ten[i] ?? reading).at - reading.at)
    .toSorted((a, b) => a - b);
  const middle = Math.floor(gaps.length / 2);
  const upper = gaps[middle] ?? 0;
  const median = gaps.length % 2 === 1 ? upper : ((gaps[middle - 1] ?? 0) + upper) / 2;
  return Math.min(Math.max(Math.round((3 * median) / 1000), HOUR), 7 * DAY);
}

export class AlertModel {
  readonly events: ModelEvent[] = [];
  private readings = new Map<number, number>();
  private low = false;
  /** Known to be silent, and whether that was told. */
  private silent = false;
  private silenceWasReported = false;
  private deleted = false;

  constructor(private threshold: number) {}

  /** One write: readings that are new or have another value, and instants whose reading is removed. */
  write(written: readonly ModelReading[], removed: readonly number[], now: number): void {
    const known = this.newestFirst()[0];
    for (const { at, fill } of written) this.readings.set(at, fill);
    for (const at of removed) this.readings.delete(at);
    const history = this.newestFirst().toReversed();
    const base = known === undefined ? undefined : history.findLast(({ at }) => at <= known.at);
    if (base !== undefined && known !== undefined && (base.at !== known.at || base.fill !== known.fill)) {
      this.judgeWhole(history, base, now, { isNewer: false, isSameMoment: base.at === known.at });
    }
    for (const reading of history) {
      if (known === undefined || reading.at > known.at)
        this.judgeWhole(history, reading, now, { isNewer: true, isSameMoment: false });
    }
    this.silent &&= this.isSilentAt(now);
  }

  setThreshold(threshold: number): void {
    if (threshold === this.threshold) return;
    this.threshold = threshold;
    const newest = this.newestFirst();
    const [reading] = newest;
    if (reading !== undefined && !this.deleted)
      this.judgeLevel(reading, newest[1] ?? null, silentAfterSeconds(newest));
  }

  delete(): void {
    this.deleted = true;
  }

  restore(now: number): void {
    this.deleted = false;
    const [newest] = this.newestFirst();
    this.low = newest !== undefined && newest.fill <= this.threshold;
    this.silent = this.isSilentAt(now);
    this.silenceWasReported = false;
  }

  sweep(now: number): void {
    const newest = this.newestFirst();
    const [reading] = newest;
    if (this.deleted || this.silent || reading === undefined || !this.isSilentAt(now)) return;
    this.silent = true;
    if (this.silenceWasReported) return;
    this.silenceWasReported = true;
    this.ring('tank.silent', reading, newest[1] ?? null);
  }

  private judgeWhole(
    history: readonly ModelReading[],
    reading: ModelReading,
    now: number,
    { isNewer, isSameMoment }: { isNewer: boolean; isSameMoment: boolean },
  ): void {
    const upToIt = history.filter(({ at }) => at <= reading.at).toReversed();
    const silentAfter = silentAfterSeconds(upToIt);
    const isHistory = now - reading.at > Math.max(silentAfter, DAY) * 1000;
    if (isHistory) {
      this.silent = true;
      return;
    }
    // Another value at the moment that was known tells nothing about silence.
    if (!isSameMoment) this.silent = false;
    if (this.deleted) return;
    const [, before = null, beforeThat] = upToIt;
    if (isNewer && this.silenceWasReported) {
      this.silenceWasReported = false;
      this.ring('tank.reporting', reading, before);
    }
    const rise = (from: ModelReading): number => rounded(reading.fill - from.fill);
    if (
      isNewer &&
      before !== null &&
      beforeThat !== undefined &&
      rise(before) >= 5 &&
      rise(beforeThat) >= 5
    ) {
      this.ring('tank.refilled', reading, before);
    }
    this.judgeLevel(reading, before, silentAfter);
  }

  private judgeLevel(reading: ModelReading, before: ModelReading | null, silentAfter: number): void {
    const { threshold } = this;
    const isBelow = reading.fill <= threshold;
    if (this.low && !isBelow && (rounded(reading.fill - threshold) >= 5 || reading.fill >= 100)) {
      this.low = false;
      this.ring('tank.recovered', reading, before);
    }
    const isDoubtful =
      before !== null &&
      rounded(before.fill - reading.fill) > 20 &&
      reading.at - before.at <= silentAfter * 1000 &&
      before.fill > threshold; // two readings below agree
    if (!this.low && isBelow && !isDoubtful) {
      this.low = true;
      this.ring('tank.low', reading, before);
    }
  }

  private isSilentAt(now: number): boolean {
    const newest = this.newestFirst();
    return newest[0] !== undefined && now - newest[0].at > silentAfterSeconds(newest) * 1000;
  }

  private newestFirst(): ModelReading[] {
    return [...this.readings].map(([at, fill]) => ({ at, fill })).toSorted((a, b) => b.at - a.at);
  }

  private ring(type: EventType, reading: ModelReading, before: ModelReading | null): void {
    this.events.push({ type, reading, before });
  }
}
