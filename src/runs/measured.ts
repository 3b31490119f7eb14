// What the sensor saw of a delivery: the refills near the time that was entered, or that nothing came. A function of readings and entries.
import { HOUR_MS } from '../common/datetime/datetime.js';
import { roundTo } from '../common/rounding.js';
import { NUMBERS, type Reading } from '../rules.js';
import type { MeasuredResponse } from './dto/run.response.js';

export interface Delivery {
  readonly run_id: string;
  /** When it was delivered, in milliseconds since 1970. */
  readonly at: number;
  /** In the run's unit, as is the tank's capacity. */
  readonly delivered: number;
  readonly capacity: number;
}

export interface Refill {
  readonly first: Reading;
  readonly last: Reading;
  /** For the next reading, which may show that it was none. */
  readonly isWaiting: boolean;
}

/** A refill has no more readings than a level has points, so none that touches a time begins or ends further from it. */
export const READINGS_AROUND = 102;

/** Readings in a row, each at least 1 point above the one before, and together enough. They are sorted by time. */
export function refillsIn(readings: readonly Reading[]): Refill[] {
  const refills: Refill[] = [];
  for (let from = 0, to = 0; from < readings.length; from = Math.max(to, from + 1)) {
    to = from;
    while (rise(readings[to], readings[to + 1]) >= NUMBERS.REFILL_STEP) to += 1;
    const [before, first, last, next] = [readings[from - 1], readings[from], readings[to], readings[to + 1]];
    const isRefill =
      rise(first, last) >= NUMBERS.REFILL_RISE &&
      rise(before, last) >= NUMBERS.REFILL_RISE &&
      !(rise(next, last) > NUMBERS.LARGEST_CREDIBLE_FALL);
    if (isRefill && first !== undefined && last !== undefined)
      refills.push({ first, last, isWaiting: next === undefined });
  }
  return refills;
}

/** Differences of levels are compared after rounding. NaN, which is neither above nor below anything, where one is missing. */
function rise(from: Reading | undefined, to: Reading | undefined): number {
  return from === undefined || to === undefined ? NaN : roundTo(to.fill - from.fill, 6);
}

const startOf = ({ at }: Pick<Delivery, 'at'>): number => at - NUMBERS.DELIVERY_HOURS_BEFORE * HOUR_MS;
const endOf = ({ at }: Pick<Delivery, 'at'>): number => at + NUMBERS.DELIVERY_HOURS_AFTER * HOUR_MS;

/** The time in which a delivery's refills are looked for. */
export const spanOf = (delivery: Pick<Delivery, 'at'>): readonly [from: number, to: number] => [
  startOf(delivery),
  endOf(delivery),
];

const touches = ({ first, last }: Refill, delivery: Delivery): boolean =>
  first.at <= endOf(delivery) && last.at >= startOf(delivery);

/** `all`: every delivery to the tank, this one too. Null while nobody can say. */
export function measure(
  delivery: Delivery,
  all: readonly Delivery[],
  readings: readonly Reading[],
): MeasuredResponse | null {
  const near = refillsIn(readings).filter((refill) => touches(refill, delivery));
  if (near.length === 0) return nothingCame(delivery, readings);
  const own = near.filter((refill) => !refill.isWaiting && findDelivery(refill, all) === delivery);
  const [first, last] = [own[0]?.first, own.at(-1)?.last];
  if (first === undefined || last === undefined) return null;
  const points = own.reduce((sum, refill) => sum + rise(refill.first, refill.last), 0);
  return compared(delivery, roundTo((points * delivery.capacity) / 100, 2), first, last);
}

/** Of those that it touches, the one nearest to its last reading, then the earlier. */
function findDelivery(refill: Refill, all: readonly Delivery[]): Delivery | undefined {
  const distance = ({ at }: Delivery): number => Math.abs(at - refill.last.at);
  return all
    .filter((delivery) => touches(refill, delivery))
    .toSorted((a, b) => distance(a) - distance(b) || a.at - b.at || (a.run_id < b.run_id ? -1 : 1))[0];
}

/** Of a delivery that must have been seen: the level at both ends of its time is known, and there was no refill. */
function nothingCame(delivery: Delivery, readings: readonly Reading[]): MeasuredResponse | null {
  const before = readings.findLast(({ at }) => at <= startOf(delivery));
  const after = readings.find(({ at }) => at >= endOf(delivery));
  const isEnough = roundTo(delivery.delivered - (NUMBERS.DELIVERY_SEEN * delivery.capacity) / 100, 6) >= 0;
  if (before === undefined || after === undefined || !isEnough) return null;
  return compared(delivery, 0, before, after);
}

function compared(
  { delivered, capacity }: Delivery,
  volume: number,
  before: Reading,
  after: Reading,
): MeasuredResponse {
  const difference = roundTo(volume - delivered, 2);
  const isAbove = (limit: number): boolean => roundTo(Math.abs(difference) - limit, 6) > 0;
  return {
    volume,
    before: shown(before),
    after: shown(after),
    difference_percent: delivered === 0 ? null : roundTo((difference / delivered) * 100, 1),
    discrepancy:
      isAbove((NUMBERS.DISCREPANCY_PERCENT * delivered) / 100) &&
      isAbove((NUMBERS.DISCREPANCY_POINTS * capacity) / 100),
  };
}

const shown = ({ at, fill }: Reading): MeasuredResponse['before'] => ({
  created_at: new Date(at).toISOString(),
  fill_percentage: fill,
});
