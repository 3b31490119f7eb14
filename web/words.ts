// Numbers, times and places in words. Numbers and dates are written as the visitor's browser writes them; times are those of its zone.
import type { TankLocation, TankStatus } from 'tank-monitoring-client';

/** Of numbers and dates; sentences are English. */
export const LOCALE = navigator.language;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
function timeFormat(options: Intl.DateTimeFormatOptions) {
  const made = new Intl.DateTimeFormat(LOCALE, options);
  return (instant: number | Date): string => made.format(instant);
}

function numberFormat(maximumFractionDigits: number) {
  const made = new Intl.NumberFormat(LOCALE, { maximumFractionDigits });
  return (n: number): string => made.format(n);
}

const DATE = { day: 'numeric', month: 'short' } as const;
const TIME = { hour: '2-digit', minute: '2-digit' } as const;
const WEEKDAY = { weekday: 'short' } as const;

export const exactTime = timeFormat({ ...WEEKDAY, ...DATE, year: 'numeric', ...TIME, timeZoneName: 'short' });
export const shortTime = timeFormat({ ...DATE, ...TIME });
export const dayName = timeFormat({ ...WEEKDAY, ...DATE });
export const weekday = timeFormat(WEEKDAY);
export const clockTime = timeFormat({ ...TIME, second: '2-digit' });
export const dateOnly = timeFormat(DATE);
export const timeOnly = timeFormat(TIME);
export const monthName = timeFormat({ month: 'short', year: 'numeric' });
export const tenths = numberFormat(1);
export const count = numberFormat(0);

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function counted(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

const UNITS = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const;

export function ago(instant: number, now: number): string {
  const age = now - instant;
  // A little ahead of us is a clock that is not quite right.
  if (age >= -MINUTE && age < MINUTE) return 'just now';
  const [unit, length] = UNITS.find(([, size]) => Math.abs(age) >= size) ?? UNITS[4];
  return relative.format(-Math.trunc(age / length), unit);
}

/** How long something lasts: "3 days", "5 hours". */
export function lasting(milliseconds: number): string {
  const [unit, length] = UNITS.find(([, size]) => milliseconds >= 2 * size) ?? UNITS[4];
  return counted(Math.round(milliseconds / length), unit);
}

/** Days with one decimal, as the API gives them; the last two in hours. */
export function daysOrHours(days: number): string {
  if (days < 2) return counted(Math.round(days * 24), 'hour');
  return days < 10 ? `${tenths(days)} days` : counted(Math.round(days), 'day');
}

export const percent = (value: number): string => `${tenths(value)} %`;

const SIGNS = { liters: 'L', gallons: 'gal' } as const;

export function volume(amount: number, unit: TankStatus['capacity_unit']): string {
  return `${amount < 100 ? tenths(amount) : count(amount)} ${SIGNS[unit]}`;
}

/** Where it is, short enough for a line: "Lyon, France". */
export function placeOf({ city, region, country }: TankLocation): string | undefined {
  const parts = given([city ?? region, country]);
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** As on an envelope. */
export function addressLines(place: TankLocation): string[] {
  return [
    given([place.street, place.street_number]).join(' '),
    given([place.district]).join(''),
    given([place.postal_code, place.city]).join(' '),
    given([place.region, place.country]).join(', '),
  ].filter((line) => line !== '');
}

function given(parts: readonly (string | null)[]): string[] {
  return parts.filter((part) => part !== null);
}

/** As much of a text as can be searched for: five words. */
export function searchable(text: string): string {
  return text.trim().split(/\s+/u, 5).join(' ').slice(0, 100);
}
