// Instants of readings and import lines. Most are in the form that the API writes, which is parsed faster.
import { DAY_MS, FIRST_INSTANT, LAST_INSTANT, parseDatetime } from './datetime.js';

/** Milliseconds since 1970; finer parts are cut off. Undefined for anything but an instant of the years 1 to 9999. */
export function parseInstant(text: string): number | undefined {
  const short = parseCanonical(text);
  if (short !== undefined) return short;
  const parsed = parseDatetime(text);
  if (parsed === undefined || parsed.isDate) return undefined;
  const { milliseconds } = parsed;
  return milliseconds >= FIRST_INSTANT && milliseconds <= LAST_INSTANT ? milliseconds : undefined;
}

const DASH = '-'.charCodeAt(0);
const COLON = ':'.charCodeAt(0);
const DOT = '.'.charCodeAt(0);
const TEE = 'T'.charCodeAt(0);
const ZED = 'Z'.charCodeAt(0);

/** `2026-01-31T08:15:30.123Z`, with or without the milliseconds; undefined for any other form, valid or not. */
function parseCanonical(text: string): number | undefined {
  if (!hasCanonicalShape(text)) return undefined;
  const year = digits(text, 0, 4);
  const day = daysSince1970(year, digits(text, 5, 7), digits(text, 8, 10));
  const hour = digits(text, 11, 13);
  const minute = digits(text, 14, 16);
  const second = digits(text, 17, 19);
  const thousandths = text.length === 24 ? digits(text, 20, 23) : 0;
  const isTime =
    hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59 && second >= 0 && second <= 59 && thousandths >= 0;
  if (day === undefined || !isTime) return undefined;
  return day * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + thousandths;
}

function hasCanonicalShape(text: string): boolean {
  return (
    ((text.length === 24 && text.charCodeAt(19) === DOT) || text.length === 20) &&
    text.charCodeAt(text.length - 1) === ZED &&
    text.charCodeAt(4) === DASH &&
    text.charCodeAt(7) === DASH &&
    text.charCodeAt(10) === TEE &&
    text.charCodeAt(13) === COLON &&
    text.charCodeAt(16) === COLON
  );
}

/** -1 unless all of them are digits. */
function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];

/** Of the Gregorian calendar; undefined for a day that does not exist. */
function daysSince1970(year: number, month: number, day: number): number | undefined {
  if (year < 1 || month < 1 || month > 12 || day < 1) return undefined;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const before = (DAYS_BEFORE_MONTH[month - 1] ?? 0) + (isLeap && month > 2 ? 1 : 0);
  const end = (DAYS_BEFORE_MONTH[month] ?? 0) + (isLeap && month >= 2 ? 1 : 0);
  if (day > end - before) return undefined;
  const past = year - 1;
  const leapDays = Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
  return past * 365 + leapDays + before + day - 1 - 719_162;
}
