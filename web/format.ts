// Numbers, times and places as text. Numbers and dates are written as the visitor's browser writes them; times are those of its zone.
import type { TankLocation, TankStatus } from 'tank-monitoring-client';

/** Of numbers and dates. */
export const LOCALE = navigator.language;

const LANGUAGES = ['en', 'de'] as const;
type Language = (typeof LANGUAGES)[number];
const known = (tag: string): Language | undefined => LANGUAGES.find((one) => one === tag.split('-')[0]);

/** Of sentences: the first of the browser's languages that the page has. */
export function languageOf(tags: readonly string[]): Language {
  return tags.map(known).find((one) => one !== undefined) ?? 'en';
}
export const LANGUAGE = languageOf(navigator.languages);
/** Of numbers within sentences, such as "2.5 days". */
const SPOKEN = known(LOCALE) === LANGUAGE ? LOCALE : LANGUAGE;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

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
export const dayWithYear = timeFormat({ ...WEEKDAY, ...DATE, year: 'numeric' });
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

export function counted(n: number, one: string, many: string): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

const UNITS = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const;

const relative = new Intl.RelativeTimeFormat(SPOKEN, { numeric: 'always' });

/** Undefined: it is now. */
export function timeAgo(age: number): string | undefined {
  // A little ahead of us is a clock that is not quite right.
  if (age >= -MINUTE && age < MINUTE) return undefined;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(age) >= size) ?? UNITS[4];
  return relative.format(-Math.trunc(age / length), unit);
}

/** A format is dear to make. */
const unitFormats = new Map<string, Intl.NumberFormat>();

function inUnits(n: number, unit: (typeof UNITS)[number][0]): string {
  const style = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 } as const;
  const format = unitFormats.get(unit) ?? new Intl.NumberFormat(SPOKEN, style);
  unitFormats.set(unit, format);
  return format.format(n);
}

/** How long something lasts: "3 days", "5 hours". */
export function lasting(milliseconds: number): string {
  const [unit, length] = UNITS.find(([, size]) => milliseconds >= 2 * size) ?? UNITS[4];
  return inUnits(Math.round(milliseconds / length), unit);
}

/** Days with one decimal, as the API gives them; the last two in hours. */
export function daysOrHours(days: number): string {
  if (days < 2) return inUnits(Math.round(days * 24), 'hour');
  return inUnits(days < 10 ? days : Math.round(days), 'day');
}

export const percent = (value: number): string => `${tenths(value)} %`;

export type Unit = TankStatus['capacity_unit'];
const SIGNS: Record<Unit, string> = { liters: 'L', gallons: 'gal' };

export function volume(amount: number, unit: Unit): string {
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
    given([place.region === place.city ? null : place.region, place.country]).join(', '),
  ].filter((line) => line !== '');
}

function given(parts: readonly (string | null)[]): string[] {
  return parts.filter((part) => part !== null);
}

/** As much of a text as can be searched for: five words. A device or a phone is one, in however many groups it is written. */
export function searchable(text: string): string {
  const parts = text.trim().split(/\s+/u);
  const isOne = parts.length > 5 && /\d/.test(text) && /^[\d\sa-f().:+/-]+$/i.test(text);
  return (isOne ? parts.join('') : parts.slice(0, 5).join(' ')).slice(0, 100);
}
