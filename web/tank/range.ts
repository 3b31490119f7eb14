// From when until when a tank's history is shown.
import { now } from '../api/clock.js';
import type { Range, Span } from '../route.js';
import { DAY } from '../words.js';

const MINUTE = 60_000;

/** How long each is, and how often its end moves on: an unchanged address may be answered with 304. */
const SPANS: Record<Span, { readonly length: number; readonly step: number }> = {
  '24h': { length: DAY, step: 5 * MINUTE },
  '7d': { length: 7 * DAY, step: 15 * MINUTE },
  '30d': { length: 30 * DAY, step: 60 * MINUTE },
  '1y': { length: 365 * DAY, step: DAY },
};

/** As many buckets as the plot has room for. */
const POINTS = 800;
/** Days are those of the visitor's calendar. */
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function seriesParameters(range: Range) {
  return { ...boundsOf(range), points: POINTS, time_zone: ZONE };
}

export function boundsOf(range: Range) {
  const [from, to] = instantsOf(range);
  return { created_at_gte: new Date(from).toISOString(), created_at_lte: new Date(to).toISOString() };
}

/** The days it begins and ends on, as date fields have them. */
export function datesOf(range: Range): { readonly from: string; readonly to: string } {
  if ('from' in range) return range;
  const [from, to] = instantsOf(range);
  return { from: dateOf(from), to: dateOf(Math.min(to, now())) };
}

/** In the visitor's calendar. */
export function dateOf(instant: number): string {
  const date = new Date(instant);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

function twoDigits(n: number): string {
  return String(n).padStart(2, '0');
}

function instantsOf(range: Range): [from: number, to: number] {
  if ('from' in range) return [midnight(range.from), midnight(range.to, 1) - 1];
  const { length, step } = SPANS[range.span];
  const end = Math.ceil(now() / step) * step;
  return [end - length, end];
}

/** Dates are those of the visitor's calendar. */
function midnight(date: string, daysLater = 0): number {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return new Date(year, month - 1, day + daysLater).getTime();
}
