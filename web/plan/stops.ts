// The tanks of a plan by the day on which they reach their alert, and how much fits into each.
import type { TankStatus } from 'tank-monitoring-client';
import { now } from '../api/clock.js';
import { daysUntil, midnight } from '../outlook.js';
import type { Until } from '../route.js';
import { dayName, volume } from '../words.js';

export interface Day {
  readonly title: string;
  readonly tanks: readonly TankStatus[];
}

/** The last moment of the last day. */
export function endOf(until: Until): number {
  if (typeof until === 'number') return midnight(now(), until + 1) - 1;
  const [year = 0, month = 1, day = 1] = until.split('-').map(Number);
  return new Date(year, month - 1, day + 1).getTime() - 1;
}

/** In the order of the API: those that reached their alert, then by the likely day; "Later" are those that may be earlier than likely. */
export function daysOf(tanks: readonly TankStatus[], end: number, moment: number): Day[] {
  const days = groupedBy(tanks, (tank) => titleOf(tank, end, moment));
  return [...days].map(([title, members]) => ({ title, tanks: members }));
}

function titleOf({ low, forecast }: TankStatus, end: number, moment: number): string {
  if (low) return 'Overdue';
  const likely = forecast?.alert?.p50 == null ? Infinity : Date.parse(forecast.alert.p50);
  if (likely > end) return 'Later';
  const days = daysUntil(likely, moment);
  if (likely < moment - 3_600_000) return 'Overdue'; // instants are cut to the hour
  return days === 0 ? 'Today' : days === 1 ? 'Tomorrow' : dayName(likely);
}

/** To a fill of so many percent; nothing when it is above that. Undefined while no level is known. */
export function roomIn({ capacity, fill_percentage: level }: TankStatus, fillTo: number): number | undefined {
  return level === null ? undefined : Math.max(0, (capacity * (fillTo - level)) / 100);
}

/** "4,200 L and 500 gal": what is measured in different units is not added up. */
export function roomInWords(tanks: readonly TankStatus[], fillTo: number): string {
  const sums = groupedBy(tanks, ({ capacity_unit }) => capacity_unit);
  const parts = [...sums].map(([unit, members]) =>
    volume(
      members.reduce((sum, tank) => sum + (roomIn(tank, fillTo) ?? 0), 0),
      unit,
    ),
  );
  return parts.join(' and ');
}

function groupedBy<Key>(
  tanks: readonly TankStatus[],
  keyOf: (tank: TankStatus) => Key,
): Map<Key, TankStatus[]> {
  const groups = new Map<Key, TankStatus[]>();
  for (const tank of tanks) {
    const key = keyOf(tank);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [tank]);
    else group.push(tank);
  }
  return groups;
}
