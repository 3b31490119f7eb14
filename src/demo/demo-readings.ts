// The readings of a demo tank: its use depends on the season and the weekday, it is refilled, and some readings are lost. They are the same
// on every machine, and one generator makes them all: on from the last one for the devices that report, and back from the last level for the past.
import { hash } from 'node:crypto';
import type { DemoTank, TankLife } from './demo-fleet.js';

export type ReportingTank = DemoTank & { readonly life: TankLife };

/** `at` is when the device measured, `fill` the level before it was measured. */
export interface Moment {
  readonly at: number;
  readonly fill: number;
}

export interface DemoReading {
  readonly tank_id: string;
  readonly created_at: string;
  readonly fill_percentage: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const HISTORY_DAYS = 396;
/** Readings are never exactly on the minute. */
export const MOST_LATE_MS = 10_000;
const LOST = 0.008;

/** Percent used in a day: always, more in the coldest and in the hottest week, and the factor for weekends. */
const HABITS: Record<TankLife['kind'], Record<'always' | 'cold' | 'hot' | 'weekend', number>> = {
  household: { always: 0.15, cold: 1.1, hot: 0, weekend: 1.1 },
  farm: { always: 0.3, cold: 0.6, hot: 0.9, weekend: 1 },
  hotel: { always: 0.9, cold: 0.8, hot: 0.7, weekend: 1.4 },
  plant: { always: 2.2, cold: 0.8, hot: 0, weekend: 0.3 },
  'day tank': { always: 140, cold: 0, hot: 0, weekend: 1 }, // emptied and filled again every few hours
};

export function isReporting(tank: DemoTank): tank is ReportingTank {
  return tank.life !== undefined && tank.life.ended === undefined;
}

export function findInterval({ life }: ReportingTank): number {
  return life.minutes * MINUTE;
}

/** After `from`, on (1) or back (-1) until a time. */
export function* readings(
  tank: ReportingTank,
  from: Moment,
  direction: 1 | -1,
  until: number,
): Generator<Moment & { readonly reading: DemoReading }> {
  const { life, id: tank_id } = tank;
  const step = direction * findInterval(tank);
  let { fill } = from;
  for (let at = from.at + step; direction * (until - at) >= 0; at += step) {
    const [more, lost, late, wrong] = chances(`${tank_id} ${at}`);
    fill -= (life.usage * dailyUse(at, life) * (0.6 + 0.8 * more) * step) / DAY;
    if (direction > 0 && fill < life.refill_below) fill = life.refill_to;
    if (direction < 0 && fill > life.refill_to) fill = life.refill_below; // what it was before the supplier came
    if (lost < LOST) continue;
    const measured = Math.min(100, Math.max(0, fill + 0.3 * wrong - 0.15));
    const created_at = new Date(at + Math.floor(late * MOST_LATE_MS)).toISOString();
    yield {
      at,
      fill,
      reading: { tank_id, created_at, fill_percentage: Number(measured.toFixed(life.digits)) },
    };
  }
}

/** The newest first. A tank with a sensor lacks the last one, which its device then sends as an uplink. */
export function* pastReadings(tank: DemoTank, end: number): Generator<DemoReading> {
  const { life } = tank;
  if (life === undefined) return;
  const reporting = { ...tank, life };
  const { level: fill, days = HISTORY_DAYS, ended = 0, silences = [] } = life;
  const interval = findInterval(reporting);
  const newest = Math.floor(end - ended * DAY - MOST_LATE_MS - chances(tank.id)[0] * interval);
  const at = tank.sensor === undefined ? newest + interval : newest;
  const first = Math.max(end - days * DAY, Date.parse(tank.created_at));
  for (const { at: then, reading } of readings(reporting, { at, fill }, -1, first)) {
    const daysAgo = (end - then) / DAY;
    if (!silences.some(([from, to]) => daysAgo <= from && daysAgo > to)) yield reading;
  }
}

const MID_JANUARY = Date.UTC(2026, 0, 16);

/** Percent of the tank. */
function dailyUse(at: number, { kind, southern }: TankLife): number {
  const { always, cold, hot, weekend } = HABITS[kind];
  // 1 in the middle of January, 0 half a year later; the other way round south of the equator.
  const northern = (1 + Math.cos((2 * Math.PI * (at - MID_JANUARY)) / (365.25 * DAY))) / 2;
  const winter = southern ? 1 - northern : northern;
  const summer = 1 - winter;
  const isWeekend = [0, 6].includes(new Date(at).getUTCDay());
  return (always + cold * winter * winter + hot * summer * summer) * (isWeekend ? weekend : 1);
}

/** Numbers in [0, 1) that look random, always the same for the same seed. */
function chances(seed: string): [number, number, number, number] {
  const bytes = hash('sha1', seed, 'buffer');
  const chance = (place: number): number => bytes.readUInt32LE(place) / 2 ** 32;
  return [chance(0), chance(4), chance(8), chance(12)];
}
