// Datetimes as the service reads and writes them: RFC 3339 in, UTC with milliseconds out.

export interface ParsedDatetime {
  /** Milliseconds since 1970, rounded down. */
  readonly milliseconds: number;
  /** The text was finer than a millisecond: the instant lies after `milliseconds` and before the next one. */
  readonly hasRemainder: boolean;
  /** The text was a date alone, which stands for its whole UTC day. */
  readonly isDate: boolean;
}

const DATETIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:[Zz]|([+-])(\d\d):(\d\d))?)?$/;

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/**
 * `2026-01-31`, `2026-01-31T08:15:30Z`, `…30.123+02:00`; without an offset it is UTC. Without seconds, as a browser's input
 * sends it, it is the minute's first instant. Undefined when there is no such time.
 */
export function parseDatetime(text: string): ParsedDatetime | undefined {
  const match = DATETIME.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second = '0', fraction = '', sign, offsetHour, offsetMinute] =
    match;
  const midnight = utcMidnight(Number(year), Number(month), Number(day));
  if (midnight === undefined) return undefined;
  if (hour === undefined) return { milliseconds: midnight, hasRemainder: false, isDate: true };
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  if (Number(offsetHour ?? 0) > 23 || Number(offsetMinute ?? 0) > 59) return undefined;

  const clock = (Number(hour) * 60 + Number(minute)) * 60 + Number(second);
  const offset = (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)) * 60 * (sign === '-' ? -1 : 1);
  return {
    milliseconds: midnight + (clock - offset) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0')),
    hasRemainder: /[1-9]/.test(fraction.slice(3)),
    isDate: false,
  };
}

function utcMidnight(year: number, month: number, day: number): number | undefined {
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

/** PostgreSQL's text of a timestamptz(3) in UTC, `2026-01-31 08:15:30.12+00`, as `2026-01-31T08:15:30.120Z`. */
export function isoFromPostgres(text: string): string {
  const fraction = text.slice(20, -3).padEnd(3, '0'); // the zeros at its end are not sent
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`;
}

/** Of a row, whose times are texts, or of an entity, whose times are dates. */
export function isoFrom(time: string | Date): string {
  return typeof time === 'string' ? isoFromPostgres(time) : time.toISOString();
}

export function isoOrNull(time: string | Date | null): string | null {
  return time === null ? null : isoFrom(time);
}

export const FIRST_INSTANT = new Date(0).setUTCFullYear(1, 0, 1);
const END_OF_TIME = Date.UTC(10_000, 0, 1);
export const LAST_INSTANT = END_OF_TIME - 1;

/** As the API writes it. Node reads that in half the time, and takes a day or an hour too many for the next day. */
const WRITTEN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;

/** Milliseconds since 1970; finer parts are cut off. Undefined for anything but an instant of the years 1 to 9999. */
export function parseInstant(text: string): number | undefined {
  const milliseconds = WRITTEN.test(text) ? writtenInstant(new Date(text), text) : otherInstant(text);
  if (milliseconds === undefined || milliseconds < FIRST_INSTANT) return undefined;
  return milliseconds < END_OF_TIME ? milliseconds : undefined;
}

function writtenInstant(date: Date, text: string): number | undefined {
  return date.getUTCDate() === Number(text.slice(8, 10)) ? date.getTime() : undefined;
}

function otherInstant(text: string): number | undefined {
  const parsed = parseDatetime(text);
  return parsed?.isDate === false ? parsed.milliseconds : undefined;
}

/** A bound of a range for PostgreSQL. Nothing is stored outside the years 1 to 9999, so beyond them is infinity. */
export function postgresBound(milliseconds: number): string {
  if (milliseconds < FIRST_INSTANT) return '-infinity';
  if (milliseconds >= END_OF_TIME) return 'infinity';
  return new Date(milliseconds).toISOString();
}
