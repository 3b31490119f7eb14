// Days of the visitor's calendar.
import { DAY } from './format.js';

export function midnight(instant: number, daysLater = 0): number {
  const date = new Date(instant);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + daysLater).getTime();
}

/** How many midnights lie between. */
export function daysUntil(instant: number, now: number): number {
  return Math.round((midnight(instant) - midnight(now)) / DAY);
}

/** As date fields and addresses have it: 2026-07-31. */
export function dateOf(instant: number): string {
  const offset = new Date(instant).getTimezoneOffset() * 60_000;
  return new Date(instant - offset).toISOString().slice(0, 10);
}

export function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && Number.isFinite(Date.parse(text));
}

/** A date with a time and no zone is one of the visitor's own. */
export function startOf(date: string): number {
  return midnight(Date.parse(`${date}T00:00`));
}

/** Its last moment. */
export function endOf(date: string): number {
  return midnight(startOf(date), 1) - 1;
}
