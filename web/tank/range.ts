// From when until when a tank's history is shown.
import { now } from '../api/clock.js';
import { dateOf, endOf, isDate, startOf } from '../calendar.js';
import { DAY } from '../format.js';

const MINUTE = 60_000;

/** How long each is, and how often its end moves on: an unchanged address may be answered with 304. */
export const SPANS = {
  '24h': { length: DAY, step: 5 * MINUTE },
  '7d': { length: 7 * DAY, step: 15 * MINUTE },
  '30d': { length: 30 * DAY, step: 60 * MINUTE },
  '1y': { length: 365 * DAY, step: DAY },
};
type Span = keyof typeof SPANS;
export const SPAN_NAMES = Object.keys(SPANS) as Span[];

/** Up to now, or own dates, both included. */
export type Range = { readonly span: Span } | { readonly from: string; readonly to: string };

const FIRST_SHOWN = { span: '30d' } as const;

export function rangeIn(from = '', to = '', given: string | undefined): Range {
  if (isDate(from) && isDate(to) && from <= to) return { from, to };
  const span = SPAN_NAMES.find((one) => one === given);
  return span === undefined || span === FIRST_SHOWN.span ? FIRST_SHOWN : { span };
}

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

function instantsOf(range: Range): [from: number, to: number] {
  if ('from' in range) return [startOf(range.from), endOf(range.to)];
  const { length, step } = SPANS[range.span];
  const end = Math.ceil(now() / step) * step;
  return [end - length, end];
}
