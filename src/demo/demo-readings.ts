// The readings of a demo tank: its use depends on the season and the weekday, it is refilled, and its sensor is sometimes silent.
// Past readings are made backwards from the last level; later ones forwards, one by one.
import { Dice } from './demo-random.js';

export interface DemoReading {
  object: 'telemetry';
  tank_id: string;
  created_at: string;
  fill_percentage: number;
}

export type Kind = 'household' | 'farm' | 'hotel' | 'plant';

/** How a tank is used and how its device reports. */
export interface TankLife {
  readonly tankId: string;
  readonly kind: Kind | 'day tank';
  /** For the seasons; a tank's own position may be unknown. */
  readonly latitude: number;
  readonly intervalMs: number;
  readonly threshold: number;
  /** How much it uses, compared with others of its kind. */
  readonly usage: number;
  /** It is refilled below this level. */
  readonly refillBelow: number;
  readonly digits: number;
  /** At the end of its past. */
  readonly isLow: boolean;
  readonly isSilent: boolean;
}

const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
const JITTER = 9_999;

/** Percent used in a day: always, more in the coldest and in the hottest week, and the factor for weekends. */
const HABITS: Record<TankLife['kind'], { always: number; cold: number; hot: number; weekend: number }> = {
  household: { always: 0.15, cold: 1.1, hot: 0, weekend: 1.1 },
  farm: { always: 0.3, cold: 0.6, hot: 0.9, weekend: 1 },
  hotel: { always: 0.9, cold: 0.8, hot: 0.7, weekend: 1.4 },
  plant: { always: 2.2, cold: 0.8, hot: 0, weekend: 0.3 },
  'day tank': { always: 140, cold: 0, hot: 0, weekend: 1 }, // emptied and filled again every few hours
};

/** `everyMinutes` is instead of a few readings a day. */
export function lifeOf(
  tank: Pick<TankLife, 'tankId' | 'kind' | 'latitude' | 'threshold'>,
  everyMinutes: number | undefined,
): TankLife {
  const dice = new Dice(`life ${tank.tankId}`);
  const usualPace = dice.pick(360, 360, 360, 360, 360, 360, 360, 720, 720, 1440);
  const chance = everyMinutes === undefined ? dice.next() : 1;
  const isLow = chance < 0.06 || (chance >= 0.08 && chance < 0.09);
  // Most are refilled in time, a few when the tank is almost empty.
  const isLate = isLow || dice.chance(0.08);
  return {
    ...tank,
    intervalMs: (everyMinutes ?? usualPace) * MINUTE,
    usage: dice.between(0.7, 1.3),
    refillBelow: isLate ? dice.between(0.5, 3) : tank.threshold + dice.between(2, 12),
    digits: dice.pick(1, 2),
    isLow,
    isSilent: chance >= 0.06 && chance < 0.09,
  };
}

/** Between two instants, the newest first. */
export function* pastReadings(life: TankLife, first: number, end: number): Generator<DemoReading> {
  const dice = new Dice(`past ${life.tankId}`);
  const { intervalMs, refillBelow, threshold } = life;
  const last = life.isSilent ? end - dice.between(3, 20) * DAY : end;
  const silences = silencesOf(dice, first, last);
  let full = dice.between(80, 95);
  let fill = life.isLow ? threshold * dice.between(0.3, 0.9) : dice.between(refillBelow + 10, full);

  for (let at = last - JITTER - dice.whole(0, intervalMs - JITTER); at >= first; at -= intervalMs) {
    const isSilent = silences.some(([from, to]) => at >= from && at < to) || dice.chance(0.008);
    if (!isSilent) yield readingAt(life, at + dice.whole(0, JITTER), fill, dice);
    fill += usedUntil(life, at, dice);
    if (fill <= full) continue;
    fill = refillBelow; // what it was before the supplier came
    full = dice.between(80, 95);
  }
}

/** The next one after a reading; undefined when it is lost, as one in a hundred is. */
export function nextReading(
  life: TankLife,
  at: number,
  before: number,
): { fill: number; reading: DemoReading | undefined } {
  const dice = new Dice(`feed ${life.tankId} ${at}`);
  const used = before - usedUntil(life, at, dice);
  const fill = used < life.refillBelow ? dice.between(80, 95) : used;
  return { fill, reading: dice.chance(0.008) ? undefined : readingAt(life, at, fill, dice) };
}

/** Readings are never exactly on the minute, nor exactly right. */
function readingAt({ tankId, digits }: TankLife, at: number, fill: number, dice: Dice): DemoReading {
  const steps = 10 ** digits;
  const measured = Math.min(100, Math.max(0, fill + dice.between(-0.15, 0.15)));
  return {
    object: 'telemetry',
    tank_id: tankId,
    created_at: new Date(at).toISOString(),
    fill_percentage: Math.round(measured * steps) / steps,
  };
}

/** Percent of the tank, in the interval before an instant. */
function usedUntil(life: TankLife, at: number, dice: Dice): number {
  return (life.usage * dailyUse(at, life) * dice.between(0.6, 1.4) * life.intervalMs) / DAY;
}

function dailyUse(at: number, { kind, latitude }: TankLife): number {
  const { always, cold, hot, weekend } = HABITS[kind];
  // 1 in the middle of January, 0 half a year later; the other way round south of the equator.
  const northern = (1 + Math.cos((2 * Math.PI * (at - MID_JANUARY)) / (365.25 * DAY))) / 2;
  const winter = latitude < 0 ? 1 - northern : northern;
  const summer = 1 - winter;
  const weekday = new Date(at).getUTCDay();
  const rhythm = weekday === 0 || weekday === 6 ? weekend : 1;
  return (always + cold * winter * winter + hot * summer * summer) * rhythm;
}

const MID_JANUARY = Date.UTC(2026, 0, 16);

/** Days without a reading: an empty battery, snow on the antenna. */
function silencesOf(dice: Dice, first: number, last: number): [number, number][] {
  return Array.from({ length: dice.pick(0, 0, 1, 1, 2) }, () => {
    const from = dice.between(first, last - 10 * DAY);
    return [from, from + dice.between(2, 9) * DAY];
  });
}
