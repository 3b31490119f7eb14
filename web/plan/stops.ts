// The tanks of a plan by day, how much fits into each, and how much that is together.
import type { TankStatus } from 'tank-monitoring-client';
import { now } from '../api/clock.js';
import { daysUntil, endOf, midnight } from '../calendar.js';
import { dayName, volume, type Unit } from '../format.js';
import type { Sort, Until } from '../route.js';
import { words } from '../words/words.js';

export type Day = readonly [title: string, tanks: readonly TankStatus[]];

/** The last moment of the last day. */
export function endOfPlan(until: Until): number {
  return typeof until === 'number' ? midnight(now(), until + 1) - 1 : endOf(until);
}

/** When a tank may be empty, or likely reaches its alert; never: not in sight. */
function instantOf({ low, forecast }: TankStatus, by: Sort): number {
  if (by !== 'alert_at') return Date.parse(forecast?.empty.p10 ?? '') || Infinity;
  return low ? 0 : Date.parse(forecast?.alert?.p50 ?? '') || Infinity;
}

/** By the day they may be empty, or that of their alert; "Later" is after the end of the plan, or nobody knows. */
export function daysOf(tanks: readonly TankStatus[], by: Sort, end: number, moment: number): Day[] {
  const timed = tanks.map((tank) => ({ tank, at: instantOf(tank, by) })).toSorted((a, b) => a.at - b.at);
  const days = new Map<string, TankStatus[]>();
  const isOfAlert = by === 'alert_at';
  /** Thousands of tanks are of a few hundred hours. */
  const titles = new Map<number, string>();
  const titleOn = (at: number) => {
    const title = titles.get(at) ?? titleOf(at, isOfAlert, moment);
    titles.set(at, title);
    return title;
  };
  for (const { tank, at } of timed) {
    const hasReached = tank.low && (isOfAlert || at === Infinity);
    const isLater = at === Infinity || (isOfAlert && at > end);
    const title = hasReached ? words.plan.reached : isLater ? words.plan.later : titleOn(at);
    const day = days.get(title);
    if (day === undefined) days.set(title, [tank]);
    else day.push(tank);
  }
  return [...days];
}

function titleOf(at: number, isOfAlert: boolean, moment: number): string {
  const days = daysUntil(at, moment);
  const day = days <= 0 ? words.outlook.today : days === 1 ? words.outlook.tomorrow : dayName(at);
  return isOfAlert ? words.plan.alertOn(day) : words.plan.mayBeEmptyOn(day);
}

/** To a fill of so many percent; nothing when it is above that, or not known. */
export function roomIn({ capacity, fill_percentage: level }: TankStatus, fillTo: number): number {
  return Math.max(0, (capacity * (fillTo - (level ?? fillTo))) / 100);
}

/** "4,200 L and 500 gal": what is measured in different units is not added up. */
export function roomInWords(tanks: readonly TankStatus[], fillTo: number): string {
  const sums = new Map<Unit, number>();
  for (const tank of tanks) {
    sums.set(tank.capacity_unit, (sums.get(tank.capacity_unit) ?? 0) + roomIn(tank, fillTo));
  }
  return [...sums].map(([unit, sum]) => volume(sum, unit)).join(words.and);
}

const LITERS = { liters: 1, gallons: 3.785411784 };

export const inUnit = (amount: number, from: Unit, to: Unit): number => (amount * LITERS[from]) / LITERS[to];

/** All of it on one truck, which holds so much: in gallons if all tanks are, else in liters. */
export function loadOn(truck: number, tanks: readonly TankStatus[], fillTo: number) {
  const isOther = tanks.some(({ capacity_unit }) => capacity_unit === 'liters') || tanks.length === 0;
  const unit: Unit = isOther ? 'liters' : 'gallons';
  const sum = tanks.reduce(
    (all, tank) => all + (roomIn(tank, fillTo) * LITERS[tank.capacity_unit]) / LITERS[unit],
    0,
  );
  const over = sum - truck;
  const load = words.list.volumeOf(volume(sum, unit), volume(truck, unit));
  return {
    share: sum / truck,
    isOver: over > 0,
    text: over > 0 ? words.plan.over(load, volume(over, unit)) : load,
  };
}
