// Finds a tank's events: applies the rules (src/rules.ts) to its readings that are news. A pure function of what was known of the tank, what
// is remembered of it and its readings since.
import { EVENT_RULES, isLow, NUMBERS, silentAfterSeconds } from '../rules.js';
import type { EventType, Memory, Reading } from '../rules.js';

export interface JudgeInput extends Memory {
  readonly threshold: number;
  readonly knownThreshold: number;
  /** The newest reading before the first of `writes`, if there was one. */
  readonly known: Reading | undefined;
  readonly wasSilent: boolean;
  readonly wasRestored: boolean;
  /** Since then, oldest first: when something was written, and the newest reading after it. */
  readonly writes: readonly { readonly at: number; readonly reached: number | undefined }[];
  readonly isSilent: boolean;
  /** Whether there are newer readings, which are judged the next time. */
  readonly goesOn: boolean;
  /** All since the known one, or the oldest of very many, and SILENT_AFTER_READINGS before it; newest first. */
  readonly readings: readonly Reading[];
}

export interface JudgedEvent {
  readonly type: EventType;
  readonly reading: Reading;
  readonly before: Reading | undefined;
  readonly silentAfterSeconds: number;
}

export interface Judgement extends Memory {
  /** In the order in which they happened. */
  readonly events: readonly JudgedEvent[];
}

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
      this.low = readings[0] !== undefined && isLow(readings[0], tank.threshold);
      this.silenceReported = false;
      return;
    }
    const place = this.placeOfKnown();
    const isKept = this.isKept(readings[place]);
    this.judgeKnownAnew(place, isKept);
    for (let newer = place - 1; newer >= 0; newer -= 1) this.judgeNewer(newer);
    if (!tank.goesOn) this.judgeSilence(isKept);
  }

  /** Of the newest reading that is not newer than the known one. What is older is history, and not looked at. */
  private placeOfKnown(): number {
    const { known, readings } = this.tank;
    const upTo = Math.max(known?.at ?? -Infinity, this.historyEnd);
    const place = readings.findIndex(({ at }) => at <= upTo);
    return place < 0 ? readings.length : place;
  }

  private get firstWrite(): number {
    return this.tank.writes[0]?.at ?? 0;
  }

  private get historyEnd(): number {
    return this.firstWrite - NUMBERS.HISTORY_MOST_AGE * 1000;
  }

  private isKept(reading: Reading | undefined): boolean {
    const { known } = this.tank;
    if (known === undefined || known.at < this.historyEnd) return true;
    return reading?.at === known.at && reading.fill === known.fill;
  }

  /** Another threshold, or another value where the newest reading was: the level is judged, and nothing else. */
  private judgeKnownAnew(place: number, isKept: boolean): void {
    const reading = this.tank.readings[place];
    const isMoved = this.tank.threshold !== this.tank.knownThreshold;
    if (reading === undefined || (!isMoved && isKept)) return;
    if (isMoved || !this.isHistory(place, this.firstWrite)) this.applyRules(place, true);
  }

  private judgeNewer(place: number): void {
    const reading = this.tank.readings[place];
    if (reading === undefined || this.isHistory(place, this.writtenAt(reading))) return;
    this.applyRules(place, false);
  }

  private applyRules(place: number, ofLevelOnly: boolean): void {
    const { readings, threshold } = this.tank;
    const [reading, before, beforeThat] = readings.slice(place, place + 3);
    if (reading === undefined) return;
    const judged = { reading, before, beforeThat, threshold, silentAfterSeconds: this.silentAfter(place) };
    for (const { type, applies, remember, isAboutLevel } of EVENT_RULES) {
      if ((ofLevelOnly && isAboutLevel !== true) || !applies(judged, this)) continue;
      Object.assign(this, remember);
      this.report(type, place);
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

  private silentAfter(place: number): number {
    return silentAfterSeconds(this.tank.readings, place);
  }

  /** Whether it was old already when it was written. */
  private isHistory(place: number, writtenAt: number): boolean {
    const at = this.tank.readings[place]?.at ?? 0;
    return at < writtenAt - Math.max(this.silentAfter(place), NUMBERS.HISTORY_LEAST_AGE) * 1000;
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
