// Times on the command line: a datetime, or a span such as 90d, after or before now.
import { InvalidArgumentError } from 'commander';
import { DAY_MS, parseDatetime, postgresBound } from '../../common/datetime/datetime.js';

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS } as const;
const MAX_SPAN_MS = 100 * 366 * DAY_MS;

export function parseSpan(text: string): number {
  const span = readSpan(text);
  if (span !== undefined) return span;
  throw new InvalidArgumentError('Give a span such as 90d, 24h, 30m or 45s.');
}

/** When something ends: a date alone lasts to its end, in UTC. */
export function parseExpiry(text: string): Date {
  const datetime = parseDatetime(text);
  const end = datetime === undefined ? Date.now() + (readSpan(text) ?? NaN) : datetime.milliseconds;
  if (Number.isNaN(end))
    throw new InvalidArgumentError('Give a datetime such as 2027-01-31T00:00:00Z or a span such as 90d.');
  const when = datetime?.isDate === true ? end + DAY_MS : end;
  if (when <= Date.now()) throw new InvalidArgumentError('That time has passed already.');
  return new Date(when);
}

/** From when on, as PostgreSQL reads it: a date alone is its first instant, a span goes back from now. */
export function parseSince(text: string): string {
  const span = readSpan(text);
  if (span !== undefined) return postgresBound(Date.now() - span);
  const datetime = parseDatetime(text);
  if (datetime === undefined) {
    throw new InvalidArgumentError(
      'Give a datetime such as 2026-01-31T00:00:00Z, a date, or a span such as 24h.',
    );
  }
  // Stored times are whole milliseconds: at or after a part of one means from the next one on.
  return postgresBound(datetime.milliseconds + (datetime.hasRemainder ? 1 : 0));
}

function readSpan(text: string): number | undefined {
  const match = /^(\d{1,9})([smhdw])$/.exec(text);
  const unit = match?.[2] as keyof typeof UNITS | undefined;
  const span = unit === undefined ? NaN : Number(match?.[1]) * UNITS[unit];
  return span <= MAX_SPAN_MS ? span : undefined;
}
