// What is known of a tank, as it is stored: its curve, the forecasts it remembers until their days have come, how far it was off compared
// with others, and nights of its history that no forecast was made for yet. It goes on from midnight to midnight, and can be made anew
// from readings.
import { TankCurve, type CurveState, type Standing } from './curve.js';
import type { Outlook } from './fleet-index.js';
import { Forecast, type Prediction } from './forecast.js';
import { GRID, Spread, type LearnedError } from './spread.js';

/** Older days add nothing to what is known of a tank. */
export const MOST_DAYS = 1_400;
/** So many tanks are enough to learn the season from. */
export const SEASON_TANKS = 500;
/** A forecast is not made so many days after the newest reading. */
export const LONGEST_SILENCE = 30;
const DAYS_BEFORE_FIRST_FORECAST = 3;
const WEEK = 7;
/** How much of the past counts with each new error. */
const FADING = 0.985;
/** Of readings older than two days, one an hour is enough to know the rate. */
const AN_HOUR = 1 / 24;

interface TankState {
  curve: CurveState;
  /** Forecasts that are not compared yet, at the horizons that are left. */
  open: (Prediction & { left: number[] })[];
  /** Errors relative to those of all tanks, and how many; both fade. */
  missed: number;
  misses: number;
  /** Where it stood at nights to make a forecast for. */
  past: Standing[];
  /** When its first reading was. */
  first: number | null;
  /** The last midnight that it came to. */
  night: number;
}

export interface StoredTank {
  readonly state: TankState;
  /** Of each midnight its position on the curve, and its flags. */
  readonly days: Buffer;
}

export class Tank {
  readonly curve = new TankCurve();
  /** Of a replay: the first one that a forecast could be made at. */
  private firstNight: number | undefined;
  private readonly state: Omit<TankState, 'curve'> = {
    open: [],
    missed: 0,
    misses: 0,
    past: [],
    first: null,
    night: 0,
  };

  /** Learns from a forecast a week: of this day of the week, or else of that of its first forecast. In a replay, others are `asked` for. */
  constructor(
    private readonly weekday?: number,
    stored?: StoredTank,
    private readonly every = NaN,
  ) {
    if (stored === undefined) return;
    const { curve, ...state } = stored.state;
    this.curve.state = curve;
    this.state = state;
    const count = stored.days.length / 5;
    this.curve.mid = Array.from({ length: count }, (_, i) => stored.days.readFloatLE(i * 4));
    this.curve.flags = [...stored.days.subarray(count * 4)];
  }

  get stored(): StoredTank {
    this.curve.keep(MOST_DAYS);
    const { mid, flags, state: curve } = this.curve;
    const newest = curve.last?.t ?? 0;
    curve.recent = curve.recent.filter(
      ([t], i, all) => newest - t <= 2 || t - (all[i - 1]?.[0] ?? -1) >= AN_HOUR,
    );
    const days = Buffer.alloc(mid.length * 5);
    mid.forEach((position, i) => days.writeFloatLE(position, i * 4));
    days.set(flags, mid.length * 4);
    return { state: { ...this.state, curve }, days };
  }

  /** Whether there are nights of its history that it learns from when the fleet's season is known. */
  get hasPast(): boolean {
    return this.state.past.length > 0;
  }

  /** How far it was off, relative to others. */
  private get factor(): number {
    return Math.min(2.5, Math.max(0.5, (this.state.missed + 30) / (this.state.misses + 30)));
  }

  /** Whether a forecast may be made of where it stands: of a history that is neither too short nor too old. */
  private isEnough({ at, t }: Standing): boolean {
    return t - (this.state.first ?? NaN) >= DAYS_BEFORE_FIRST_FORECAST && at - t <= LONGEST_SILENCE;
  }

  isWeekly(night: number): boolean {
    return (night - (this.weekday ?? this.firstNight ?? NaN)) % WEEK === 0;
  }

  isAsked(night: number): boolean {
    return (night - (this.firstNight ?? NaN)) % this.every === 0;
  }

  /** Takes in the readings before an instant, and ends the days before it. Returns whether a refill was confirmed. */
  advance(moments: readonly number[], fills: readonly number[], until: number): boolean {
    const { state } = this;
    let hasRefill = false;
    moments.forEach((t, i) => {
      if (t >= until) return;
      if (state.first === null) state.night = Math.floor((state.first = t));
      this.endDays(Math.floor(t));
      if (this.curve.push(t, fills[i] ?? NaN)) hasRefill = true;
    });
    this.endDays(Math.floor(until));
    return hasRefill;
  }

  private endDays(until: number): void {
    const { curve, state } = this;
    if (curve.state.last === null) return;
    for (let night = state.night + 1; night <= until; night += 1) {
      curve.endDay(night);
      const now = curve.standing(night);
      if (now === undefined || !this.isEnough(now)) continue;
      this.firstNight ??= night;
      if (this.isWeekly(night) || this.isAsked(night)) state.past.push(now);
    }
    state.night = Math.max(state.night, until);
  }

  /** Compares what was used with what was forecast, as far as it was known at a night. Each error is given out once. */
  settle(night: number, { misses }: Spread, learn: (error: LearnedError) => void): void {
    const { curve, state } = this;
    const known = curve.firstDay + curve.midnightsAt(night);
    for (const open of state.open) {
      open.left = open.left.filter((horizon) => {
        const day = open.night + (GRID[horizon] ?? 0);
        if (day >= known) return true;
        const used = (curve.mid[day - curve.firstDay] ?? NaN) - open.used;
        const error = (used - (open.uses[horizon] ?? 0)) / (open.scales[horizon] ?? 1);
        const bin = Spread.binOf(horizon, open.groups[horizon] ?? 0, open.month, error / open.factor);
        const size = Math.abs(error);
        learn({ bin, size, day });
        const { sum, n } = misses[horizon] ?? { sum: 0, n: 0 };
        if ((GRID[horizon] ?? 0) > 28) return false;
        state.missed = state.missed * FADING + (sum > 0 ? Math.min(5, (size * n) / sum) : 1);
        state.misses = state.misses * FADING + 1;
        return false;
      });
    }
    state.open = state.open.filter(({ left }) => left.length > 0);
  }

  /** Makes the next forecast of its past, up to a night, and remembers it if it is one a week. */
  nextPast(until: number, fleetAt: (night: number) => Outlook, spread: Spread): Forecast | undefined {
    const { past, open } = this.state;
    const [now] = past;
    if (now === undefined || now.at > until) return undefined;
    past.shift();
    const forecast = this.make(now, fleetAt(now.at), spread);
    if (this.isWeekly(now.at)) open.push({ ...forecast.prediction, left: [...GRID.keys()] });
    return forecast;
  }

  /** Makes up for the forecasts of past weeks, and compares those whose days have come. Returns the forecast of the last night, if any. */
  catchUp(
    fleetAt: (night: number) => Outlook,
    spread: Spread,
    learn: (error: LearnedError) => void,
  ): Forecast | undefined {
    let newest: Forecast | undefined;
    const { past } = this.state;
    for (let [next] = past; next !== undefined; [next] = past) {
      this.settle(next.at, spread, learn);
      newest = this.nextPast(next.at, fleetAt, spread);
    }
    this.settle(this.state.night, spread, learn);
    return newest?.prediction.night === this.state.night ? newest : undefined;
  }

  /** Whether the next forecast begins with a refill that the next reading has to confirm. */
  get awaitsReading(): boolean {
    return this.curve.state.refill !== undefined;
  }

  /** Undefined when the history is too short or too old. It begins with a refill at once; what is learned waits for the second reading. */
  forecast(fleet: Outlook, spread: Spread, at: number): Forecast | undefined {
    const now = this.curve.refilled(at) ?? this.curve.standing(at);
    return now === undefined || !this.isEnough(now) ? undefined : this.make(now, fleet, spread);
  }

  private make(now: Standing, fleet: Outlook, spread: Spread): Forecast {
    return new Forecast(this.curve, now, this.factor, fleet, spread);
  }
}
