// The tanks of a plan by the day on which they reach their alert, and how much fits into each.
import type { TankStatus } from 'tank-monitoring-client';
import { now } from '../api/clock.js';
import { daysUntil, endOf, midnight } from '../calendar.js';
import type { Until } from '../route.js';
import { dayName, volume } from '../format.js';
import { words } from '../words/words.js';

export type Day = readonly [title: string, tanks: readonly TankStatus[]];

/** The last moment of the last day. */
export function endOfPlan(until: Until): number {
  return typeof until === 'number' ? midnight(now(), until + 1) - 1 : endOf(until);
}

/** In the order of the API: those that reached their alert, then by the likely day; "Later" are those that may be earlier than likely. */
export function daysOf(tanks: readonly TankStatus[], end: number, moment: number): Day[] {
  const days = new Map<string, TankStatus[]>();
  for (const tank of tanks) {
    const title = titleOf(tank, end, moment);
    const day = days.get(title) ?? [];
    day.push(tank);
    days.set(title, day);
  }
  return [...days];
}

function titleOf({ low, forecast }: TankStatus, end: number, moment: number): string {
  if (low) return words.plan.overdue;
  const likely = forecast?.alert?.p50 == null ? Infinity : Date.parse(forecast.alert.p50);
  if (likely > end) return words.plan.later;
  const days = daysUntil(likely, moment);
  if (likely < moment - 3_600_000) return words.plan.overdue; // instants are cut to the hour
  return days === 0 ? words.plan.today : days === 1 ? words.plan.tomorrow : dayName(likely);
}

/** To a fill of so many percent; nothing when it is above that, or not known. */
export function roomIn({ capacity, fill_percentage: level }: TankStatus, fillTo: number): number {
  return Math.max(0, (capacity * (fillTo - (level ?? fillTo))) / 100);
}

/** "4,200 L and 500 gal": what is measured in different units is not added up. */
export function roomInWords(tanks: readonly TankStatus[], fillTo: number): string {
  const sums = new Map<TankStatus['capacity_unit'], number>();
  for (const tank of tanks) {
    sums.set(tank.capacity_unit, (sums.get(tank.capacity_unit) ?? 0) + roomIn(tank, fillTo));
  }
  return [...sums].map(([unit, sum]) => volume(sum, unit)).join(words.and);
}
