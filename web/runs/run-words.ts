// How a run and its stops are called.
import type { Run, Stop } from 'tank-monitoring-client';
import { dayName, percent, volume } from '../format.js';
import { words } from '../words/words.js';

/** A date has no zone: it is the same day everywhere. */
export function dayOf(date: string): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return dayName(new Date(year, month - 1, day));
}

export const titleOf = ({ name, date }: Pick<Run, 'name' | 'date'>): string =>
  name === null ? dayOf(date) : `${name}, ${dayOf(date)}`;

/** What was entered, and what the sensor saw of it. */
export function outcomeOf({ status, delivered, measured }: Stop, unit: Run['capacity_unit']): string {
  if (status !== 'delivered' || delivered === null) return words.runs.stopStatus[status];
  const entered = words.runs.wasDelivered(volume(delivered, unit));
  if (measured === null) return entered;
  const difference = measured.difference_percent === null ? '' : ` (${percent(measured.difference_percent)})`;
  return `${entered}, ${words.runs.arrived(volume(measured.volume, unit))}${difference}`;
}
