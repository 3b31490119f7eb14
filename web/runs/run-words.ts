// How a run and its stops are called.
import type { Run, Stop } from 'tank-monitoring-client';
import { now } from '../api/clock.js';
import { dayName, dayWithYear, percent, volume } from '../format.js';
import { words } from '../words/words.js';

type LoadedRun = Pick<Run, 'planned' | 'capacity' | 'capacity_unit'>;

/** A date has no zone: it is the same day everywhere. */
export function dayOf(date: string, isOnPaper = false): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const isThisYear = year === new Date(now()).getFullYear() && !isOnPaper;
  return (isThisYear ? dayName : dayWithYear)(new Date(year, month - 1, day));
}

export function titleOf({ name, date }: Pick<Run, 'name' | 'date'>, isOnPaper = false): string {
  const day = dayOf(date, isOnPaper);
  return name === null ? day : `${name}, ${day}`;
}

/** What was entered, and what the sensor saw of it. */
export function outcomeOf({ status, delivered, measured }: Stop, unit: Run['capacity_unit']): string {
  if (status !== 'delivered' || delivered === null) return words.runs.stopStatus[status];
  const entered = words.runs.wasDelivered(volume(delivered, unit));
  if (measured === null) return entered;
  const difference = measured.difference_percent === null ? '' : ` (${percent(measured.difference_percent)})`;
  return `${entered}, ${words.runs.arrived(volume(measured.volume, unit))}${difference}`;
}

/** What is loaded, of how much the truck holds, and how much of that is too much. */
export function loadOf({
  planned,
  capacity,
  capacity_unit: unit,
}: LoadedRun): readonly [string, string | false] {
  const load = volume(planned, unit);
  if (capacity === null) return [load, false];
  return [
    words.list.volumeOf(load, volume(capacity, unit)),
    planned > capacity && words.runs.tooMuch(volume(planned - capacity, unit)),
  ];
}
