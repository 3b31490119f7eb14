// The readings of a demo tank: its use depends on the season and the weekday, it is refilled, and its sensor is sometimes silent.
// Past readings are made backwards from the last level; later ones forwards, one by one.
import type { DemoTank, TankLife } from './demo-fleet.js';
import { Dice } from './demo-random.js';

export interface DemoReading {
  object: 'telemetry';
  tank_id: string;
  created_at: string;
  fill_percentage: number;
}

export type ReportingTank = DemoTank & { readonly life: TankLife };

const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
const HISTORY_DAYS = 396;
const JITTER = 9_999;
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
  return tank.life !== undefined && tank.life.silent !== true && tank.deleted !== true;
}

export function findInterval({ life }: ReportingTank): number {
  return life.minutes * MINUTE;
}

/** The end of its past: when it was deleted. A tank with a sensor lacks one reading, which is then sent as an uplink. */
export function findLastMoment(tank: DemoTank, end: number): number {
  if (tank.deleted === true) return Date.parse(tank.updated_at);
  return tank.sensor === undefined ? end : end - (tank.life?.minutes ?? 0) * MINUTE;
}

/** Up to its last moment, the newest first. */
export function* pastReadings(tank: DemoTank, end: number): Generator<DemoReading> {
  const { life, min_fill_alert_percentage: threshold } = tank;
  if (life === undefined) return;
  const reporting = { ...tank, life };
  const dice = new Dice(`past ${tank.id}`);
  const first = Math.max(end - (life.days ?? HISTORY_DAYS) * DAY, Date.parse(tank.created_at));
  const last = findLastMoment(tank, end) - (life.silent ? dice.between(3, 20) * DAY : 0);
  const silences = rollSilences(dice, first, last);
  const interval = findInterval(reporting);
  let full = dice.between(80, 95);
  let fill = life.low ? threshold * dice.between(0.3, 0.9) : dice.between(life.refill_below + 10, full);

  for (let at = last - JITTER - dice.whole(0, interval - JITTER); at >= first; at -= interval) {
    const isLost = silences.some(([from, to]) => at >= from && at < to) || dice.next() < LOST;
    if (!isLost) yield readingAt(reporting, at + dice.whole(0, JITTER), fill, dice);
    fill += usedUntil(reporting, at, dice);
    if (fill <= full) continue;
    fill = life.refill_below; // what it was before the supplier came
    full = dice.between(80, 95);
  }
}

/** The next one after a reading; undefined when it is lost, as one in a hundred is. */
export function nextReading(
  tank: ReportingTank,
  at: number,
  before: number,
): { fill: number; reading: DemoReading | undefined } {
  const dice = new Dice(`feed ${tank.id} ${at}`);
  const used = before - usedUntil(tank, at, dice);
  const fill = used < tank.life.refill_below ? dice.between(80, 95) : used;
  return { fill, reading: dice.next() < LOST ? undefined : readingAt(tank, at, fill, dice) };
}

/** Readings are never exactly on the minute, nor exactly right. */
function readingAt({ id, life }: ReportingTank, at: number, fill: number, dice: Dice): DemoReading {
  const measured = Math.min(100, Math.max(0, fill + dice.between(-0.15, 0.15)));
  return {
    object: 'telemetry',
    tank_id: id,
    created_at: new Date(at).toISOString(),
    fill_percentage: Number(measured.toFixed(life.digits)),
  };
}

/** Percent of the tank, in the interval before an instant. */
function usedUntil(tank: ReportingTank, at: number, dice: Dice): number {
  return (tank.life.usage * dailyUse(at, tank.life) * dice.between(0.6, 1.4) * findInterval(tank)) / DAY;
}

const MID_JANUARY = Date.UTC(2026, 0, 16);

function dailyUse(at: number, { kind, southern }: TankLife): number {
  const { always, cold, hot, weekend } = HABITS[kind];
  // 1 in the middle of January, 0 half a year later; the other way round south of the equator.
  const northern = (1 + Math.cos((2 * Math.PI * (at - MID_JANUARY)) / (365.25 * DAY))) / 2;
  const winter = southern ? 1 - northern : northern;
  const summer = 1 - winter;
  const isWeekend = [0, 6].includes(new Date(at).getUTCDay());
  return (always + cold * winter * winter + hot * summer * summer) * (isWeekend ? weekend : 1);
}

/** Days without a reading: an empty battery, snow on the antenna. */
function rollSilences(dice: Dice, first: number, last: number): [number, number][] {
  return Array.from({ length: Math.max(dice.whole(-1, 2), 0) }, () => {
    const from = dice.between(first, last - 10 * DAY);
    return [from, from + dice.between(2, 9) * DAY];
  });
}
