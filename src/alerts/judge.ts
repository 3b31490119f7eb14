// What is an event: the one place that says when a tank is low, has recovered, was refilled, fell silent or reports again. A pure
// function of what was known of a tank, what is remembered of it and its readings since.
import type { EventType } from './event-types.js';

export interface Reading {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly fill: number;
}

export interface JudgeInput {
  readonly threshold: number;
  readonly knownThreshold: number;
  /** The newest reading when the tank was last judged, if it had one. */
  readonly known: Reading | undefined;
  readonly wasSilent: boolean;
  readonly wasRestored: boolean;
  /** Since then, oldest first: when something was written, and the newest reading after it. */
  readonly writes: readonly { readonly at: number; readonly reached: number | undefined }[];
  readonly isSilent: boolean;
  /** All since the known one, and ten before it; newest first. */
  readonly readings: readonly Reading[];
  /** What is remembered of it: both were reported and are not over. */
  readonly low: boolean;
  readonly silenceReported: boolean;
}

export interface JudgedEvent {
  readonly type: EventType;
  readonly reading: Reading;
  readonly before: Reading | undefined;
  readonly silentAfterSeconds: number;
}

export interface Judgement {
  /** In the order in which they happened. */
  readonly events: readonly JudgedEvent[];
  readonly low: boolean;
  readonly silenceReported: boolean;
}

const HOUR = 3_600;
const DAY = 86_400;
const WEEK = 7 * DAY;

/** A rise of so many points is a refill, and so far above the threshold a low tank has recovered. keep_tank_states() relies on it. */
const CLEAR_RISE = 5;
/** A fall of more may be a wrong reading: it waits for a second one below the threshold. */
const LARGEST_CREDIBLE_FALL = 20;

export function judge(tank: JudgeInput): Judgement {
  const judging = new Judging(tank);
  judging.judge();
  return judging;
}

class Judging implements Judgement {
  readonly events: JudgedEvent[] = [];
  low: boolean;
  silenceReported: boolean;

  constructor(private readonly tank: JudgeInput) {
    this.low = tank.low;
    this.silenceReported = tank.silenceReported;
  }

  judge(): void {
    const { tank } = this;
    const { readings } = tank;
    if (tank.wasRestored) {
      // Its state is set, and nothing is reported.
      this.low = readings[0] !== undefined && readings[0].fill <= tank.threshold;
      this.silenceReported = false;
      return;
    }
    const place = this.placeOfKnown();
    const isKept = this.isKept(readings[place]);
    this.judgeKnownAnew(place, isKept);
    for (let newer = place - 1; newer >= 0; newer -= 1) this.judgeNewer(newer);
    this.judgeSilence(isKept);
  }

  /** Of the newest reading that is not newer than the known one. What is older than a week is history, and not looked at. */
  private placeOfKnown(): number {
    const { known, readings } = this.tank;
    const upTo = Math.max(known?.at ?? -Infinity, this.firstWrite - WEEK * 1000);
    const place = readings.findIndex(({ at }) => at <= upTo);
    return place < 0 ? readings.length : place;
  }

  private get firstWrite(): number {
    return this.tank.writes[0]?.at ?? 0;
  }

  private isKept(reading: Reading | undefined): boolean {
    const { known } = this.tank;
    if (known === undefined || known.at < this.firstWrite - WEEK * 1000) return true;
    return reading?.at === known.at && reading.fill === known.fill;
  }

  /** Another threshold, or another value where the newest reading was: the level is judged, and nothing else. */
  private judgeKnownAnew(place: number, isKept: boolean): void {
    const reading = this.tank.readings[place];
    const isMoved = this.tank.threshold !== this.tank.knownThreshold;
    if (reading === undefined || (!isMoved && isKept)) return;
    if (isMoved || !this.isHistory(place, this.firstWrite)) this.judgeLevel(place);
  }

  private judgeNewer(place: number): void {
    const [reading, before, beforeThat] = this.tank.readings.slice(place, place + 3);
    if (reading === undefined) return;
    if (this.isHistory(place, this.writtenAt(reading))) return;
    if (this.silenceReported) this.report('tank.reporting', place);
    this.silenceReported = false;
    if (isClearRise(before, reading) && isClearRise(beforeThat, reading)) this.report('tank.refilled', place);
    this.judgeLevel(place);
  }

  private judgeLevel(place: number): void {
    const { threshold, readings } = this.tank;
    const reading = readings[place];
    if (reading === undefined) return;
    if (reading.fill > threshold) {
      if (!this.low || (rounded(reading.fill - threshold) < CLEAR_RISE && reading.fill < 100)) return;
      this.low = false;
      this.report('tank.recovered', place);
    } else if (!this.low && !this.isDoubtful(place)) {
      this.low = true;
      this.report('tank.low', place);
    }
  }

  /** History marks silence quietly; what was reported is not reported again. */
  private judgeSilence(isKept: boolean): void {
    const { isSilent, wasSilent, known, readings } = this.tank;
    const [newest] = readings;
    if (newest === undefined || !isSilent || this.silenceReported) return;
    const isSameReading = newest.at === known?.at;
    if (wasSilent && isSameReading) return;
    const isNews = isSameReading && isKept;
    if (!isNews && this.isHistory(0, this.writtenAt(newest))) return;
    this.silenceReported = true;
    this.report('tank.silent', 0);
  }

  /** A large fall, unless the reading before it is below the threshold, too, or a long silence lies between them. */
  private isDoubtful(place: number): boolean {
    const [reading, before] = this.tank.readings.slice(place, place + 2);
    return (
      reading !== undefined &&
      before !== undefined &&
      before.fill > this.tank.threshold &&
      rounded(before.fill - reading.fill) > LARGEST_CREDIBLE_FALL &&
      reading.at - before.at <= this.silentAfter(place) * 1000
    );
  }

  private silentAfter(place: number): number {
    return silentAfterSeconds(this.tank.readings.slice(place, place + 10));
  }

  /** Whether it was old already when it was written. */
  private isHistory(place: number, writtenAt: number): boolean {
    const at = this.tank.readings[place]?.at ?? 0;
    return at < writtenAt - Math.max(this.silentAfter(place), DAY) * 1000;
  }

  private writtenAt({ at }: Reading): number {
    const { writes } = this.tank;
    const write = writes.find(({ reached }) => reached !== undefined && reached >= at);
    return (write ?? writes.at(-1))?.at ?? 0;
  }

  private report(type: EventType, place: number): void {
    const [reading, before] = this.tank.readings.slice(place, place + 2);
    if (reading === undefined) return;
    this.events.push({ type, reading, before, silentAfterSeconds: this.silentAfter(place) });
  }
}

/** Three times the median gap of ten readings, newest first, from an hour to a week; a day while there are fewer than three. */
export function silentAfterSeconds(ten: readonly Reading[]): number {
  if (ten.length < 3) return DAY;
  const gaps = ten.slice(1).map(({ at }, i) => (ten[i]?.at ?? at) - at);
  gaps.sort((a, b) => a - b);
  const upper = gaps[Math.floor(gaps.length / 2)] ?? 0;
  const lower = gaps[Math.floor((gaps.length - 1) / 2)] ?? 0;
  return Math.min(Math.max(Math.round((3 * (lower + upper)) / 2 / 1000), HOUR), WEEK);
}

function isClearRise(from: Reading | undefined, to: Reading): boolean {
  return from !== undefined && rounded(to.fill - from.fill) >= CLEAR_RISE;
}

/** Differences are compared after rounding: 17.4 - 12.4 is 5. */
function rounded(difference: number): number {
  return Math.round(difference * 1e6) / 1e6;
}
