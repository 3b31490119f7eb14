// Ten months in the life of a demo tank: it empties with the season and the working week, is refilled, and
// now and then its sensor is silent.
import { Dice } from './demo-random.js';

export interface DemoReading {
  object: 'telemetry';
  tank_id: string;
  created_at: string;
  fill_percentage: number;
}

export interface TankLife {
  kind: 'household' | 'farm' | 'hotel' | 'plant';
  /** Read every quarter of an hour instead of a few times a day, for a list with many pages. */
  isFrequent: boolean;
  /** Where the seasons come from; a tank's own position may be unknown. */
  latitude: number;
}

interface Tank {
  id: string;
  created_at: string;
  updated_at: string;
  deleted?: true;
}

export const FIRST_READING = Date.parse('2026-01-01T00:00:00.000Z');
export const LAST_READING = Date.parse('2026-10-31T23:59:59.999Z');

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/**
 * Percent of the tank used in a day: always, on top in the coldest and in the hottest week, and on weekends
 * times.
 */
const HABITS: Record<TankLife['kind'], { always: number; cold: number; hot: number; weekend: number }> = {
  household: { always: 0.15, cold: 1.1, hot: 0, weekend: 1.1 },
  farm: { always: 0.3, cold: 0.6, hot: 0.9, weekend: 1 },
  hotel: { always: 0.9, cold: 0.8, hot: 0.7, weekend: 1.4 },
  plant: { always: 2.2, cold: 0.8, hot: 0, weekend: 0.3 },
};

export function* demoReadings(tank: Tank, life: TankLife): Generator<DemoReading> {
  const dice = new Dice(`readings ${tank.id}`);
  const interval =
    (life.isFrequent ? 15 : dice.pick(360, 360, 360, 360, 360, 360, 360, 720, 720, 1440)) * MINUTE;
  const end = tank.deleted === true ? Date.parse(tank.updated_at) : LAST_READING;
  const start = Math.max(FIRST_READING, Date.parse(tank.created_at)) + dice.whole(0, interval);
  const digits = dice.pick(1, 2);
  const thirst = dice.between(0.7, 1.3);
  const silences = silencesOf(dice);
  // Most are refilled in time, a few suppliers come when the tank is as good as empty.
  const refillBelow = dice.chance(0.08) ? dice.between(0.5, 3) : dice.between(16, 32);
  let fill = dice.between(35, 92);

  for (let at = start; at <= end; at += interval) {
    fill -= (thirst * dailyUse(at, life) * dice.between(0.6, 1.4) * interval) / DAY;
    if (fill < refillBelow) fill = dice.between(80, 95);
    const isSilent = silences.some(([from, to]) => at >= from && at < to) || dice.chance(0.008);
    if (isSilent) continue;
    // The radio takes its time, so readings are never quite on the minute.
    const instant = Math.min(at + dice.whole(0, 9_999), end);
    yield {
      object: 'telemetry',
      tank_id: tank.id,
      created_at: new Date(instant).toISOString(),
      fill_percentage: measured(fill + dice.between(-0.15, 0.15), digits),
    };
  }
}

function dailyUse(at: number, { kind, latitude }: TankLife): number {
  const { always, cold, hot, weekend } = HABITS[kind];
  // 1 in the middle of January, 0 half a year later; the other way round south of the equator.
  const northern = (1 + Math.cos((2 * Math.PI * (at - FIRST_READING - 15 * DAY)) / (365 * DAY))) / 2;
  const winter = latitude < 0 ? 1 - northern : northern;
  const summer = 1 - winter;
  const weekday = new Date(at).getUTCDay();
  const rhythm = weekday === 0 || weekday === 6 ? weekend : 1;
  return (always + cold * winter * winter + hot * summer * summer) * rhythm;
}

/** Days without a reading: an empty battery, a snowed-in antenna. */
function silencesOf(dice: Dice): [number, number][] {
  return Array.from({ length: dice.pick(0, 0, 1, 1, 2) }, () => {
    const from = dice.between(FIRST_READING, LAST_READING);
    return [from, from + dice.between(2, 9) * DAY];
  });
}

function measured(fill: number, digits: number): number {
  const steps = 10 ** digits;
  return Math.round(Math.min(100, Math.max(0, fill)) * steps) / steps;
}
