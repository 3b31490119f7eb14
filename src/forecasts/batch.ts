// What becomes of some tanks, in one transaction: the nights that they have come to, what was learned, their forecasts and their record.
import type { ClientBase } from 'pg';
import type { Fleet } from './fleet-step.js';
import { DAY_MS, HOUR_MS } from '../common/datetime/datetime.js';
import type { Outlook } from './model/fleet-index.js';
import { LONGEST, type Forecast } from './model/forecast.js';
import { addTo, compare, emptyTally, setAside, type Tally } from './model/record.js';
import type { LearnedError, Quantiles } from './model/spread.js';
import { readRecords, upsert, writeForecasts, writeRecords } from './tank-store.js';
import type { ReadTank, StoredRecord, WrittenForecast } from './tank-store.js';

const DAYS_SHOWN = 30;

export class Batch {
  /** JSON, since what is known goes on with the readings of today. */
  private readonly curves: string[] = [];
  private readonly forecasts: WrittenForecast[] = [];
  private known: readonly StoredRecord[] = [];
  private readonly records: StoredRecord[] = [];
  private readonly accuracies = new Map<string, Tally>();
  private readonly seen: ReadTank[] = [];
  private readonly errors: LearnedError[] = [];
  private readonly midnight: number;

  constructor(
    private readonly client: ClientBase,
    private readonly fleet: Fleet,
    private readonly at: number,
    private readonly outlookAt: (night: number) => Outlook,
  ) {
    this.midnight = fleet.night * DAY_MS;
  }

  async readRecords(tanks: readonly ReadTank[]): Promise<void> {
    const recorded = tanks.filter((tank) => this.isRecorded(tank)).map(({ tank_key: key }) => key);
    this.known = await readRecords(this.client, recorded, this.fleet.night);
  }

  /** Tanks of the sample, once a night. */
  private isRecorded({ hash, readUntil }: ReadTank): boolean {
    return hash <= this.fleet.recorded && readUntil < this.midnight;
  }

  take(read: ReadTank): void {
    const { tank, moments, fills, hasMore, next } = read;
    const { night, index } = this.fleet;
    if (read.readUntil < this.midnight) {
      // A long history is read in steps.
      const isStep = hasMore && next < this.midnight;
      tank.advance(moments, fills, isStep ? next / DAY_MS : night);
      if (isStep) return this.keep(read, next);
      this.settle(read);
    } else if (tank.hasPast && !index.isEmpty) {
      this.settle(read);
    }
    const today = moments.findIndex((t) => t >= night);
    const hasRefill = today >= 0 && tank.advance(moments.slice(today), fills.slice(today), this.at / DAY_MS);
    if (read.is_due || hasRefill) this.forecasts.push(this.forecastOf(read));
    else this.seen.push(read);
  }

  /** Compares old forecasts and sets new ones aside, at the midnight that the curve came to. */
  private settle(read: ReadTank): void {
    const { tank, settled_day: settledDay } = read;
    const { spread, index } = this.fleet;
    const forecast = index.isEmpty
      ? undefined
      : tank.catchUp(this.outlookAt, spread, (error) => {
          if (error.day > settledDay) this.errors.push(error); // others were counted before what is known was made anew
        });
    if (this.isRecorded(read)) this.record(read, forecast);
    this.keep(read, this.midnight);
  }

  private record({ tank_key, tank, is_new: isNew }: ReadTank, forecast: Forecast | undefined): void {
    const { curve } = tank;
    const accuracy = emptyTally();
    for (const known of this.known.filter((one) => one.tank_key === tank_key)) {
      const compared = { tank_key, ...compare(known, curve, this.fleet.night) };
      if (compared.used.some((used, i) => used !== null && known.used[i] === null))
        this.records.push(compared);
      addTo(accuracy, compared);
    }
    this.accuracies.set(tank_key, accuracy);
    // A tank that is new to us has a history, but no forecast was made then.
    if (!isNew && forecast !== undefined) this.records.push({ tank_key, ...setAside(curve, forecast) });
  }

  /** As it is now: what comes after the midnight is not kept. */
  private keep({ tank_key, tank, settled_day: settledDay }: ReadTank, readUntil: number): void {
    const isSettled = !this.fleet.index.isEmpty && !tank.hasPast;
    const settled = isSettled ? Math.max(settledDay, tank.curve.lastMidnight) : settledDay;
    const { state, days } = tank.stored;
    const row = { tank_key, read_until: new Date(readUntil), settled_day: settled, state, days: hexOf(days) };
    this.curves.push(JSON.stringify(row));
  }

  private forecastOf(read: ReadTank): WrittenForecast {
    const { tank_key, tank, threshold, seen_at } = read;
    const { night, round, spread } = this.fleet;
    const forecast = tank.forecast(this.outlookAt(night), spread, this.at / DAY_MS);
    const accuracy = this.accuracies.get(tank_key) ?? read.accuracy;
    const common = { tank_key, seen_at, threshold, round, accuracy, awaits_reading: tank.awaitsReading };
    if (forecast === undefined) return common;
    return {
      ...common,
      made_at: new Date(this.at),
      level: Math.max(0, Math.min(100, forecast.level)),
      percent_per_day: forecast.perDay,
      alert_hours: this.hoursTo(forecast.daysTo(threshold)),
      empty_hours: this.hoursTo(forecast.daysTo(0)),
      levels: toLevels(forecast),
    };
  }

  /** Whole hours since 1970; null when it is later than a forecast reaches. */
  private hoursTo(days: Quantiles): (number | null)[] {
    return days.map((day) => (day >= LONGEST ? null : Math.floor((this.at + day * DAY_MS) / HOUR_MS)));
  }

  async write(): Promise<void> {
    const { client, errors, seen } = this;
    const columns = 'read_until, settled_day, state, days';
    await upsert(client, 'tank_curves', 'tank_key', columns, `[${this.curves.join()}]`);
    if (errors.length > 0)
      await client.query('insert into forecast_errors (bins, sizes) values ($1, $2)', [
        errors.map(({ bin }) => bin),
        errors.map(({ size }) => size),
      ]);
    await writeForecasts(client, this.forecasts);
    await writeRecords(client, this.records);
    if (seen.length > 0)
      await client.query(
        `update tank_forecasts known set seen_at = written.seen_at
         from unnest($1::bigint[], $2::timestamptz[]) written (tank_key, seen_at) where known.tank_key = written.tank_key`,
        [seen.map(({ tank_key: key }) => key), seen.map(({ seen_at: at }) => at)],
      );
  }
}

/** As PostgreSQL reads bytes. */
const hexOf = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

/** Without a delivery no level is above the one before. */
function toLevels(forecast: Forecast): number[] {
  const levels = Array<number>(3).fill(Math.max(0, Math.min(100, forecast.level)));
  for (let day = 1; day <= DAYS_SHOWN; day += 1) {
    for (const level of forecast.levelAfter(day)) levels.push(Math.min(level, levels.at(-3) ?? level));
  }
  return levels.slice(3);
}
