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

/** Finds refills in readings as they come, sorted by time, however many: readings in a row, each at least 1 point above the one before, and together enough. */
export class RefillFinder {
  private before: Reading | undefined;
  private first: Reading | undefined;
  private last: Reading | undefined;

  /** The refill that is over with this reading. */
  add(next: Reading): Refill | undefined {
    if (rise(this.last, next) >= NUMBERS.REFILL_STEP) {
      this.last = next;
      return undefined;
    }
    const found = this.found(next);
    this.before = this.last;
    this.first = this.last = next;
    return found;
  }

  /** The refill that waits, after the last reading. */
  end(): Refill | undefined {
    return this.found(undefined);
  }

  private found(next: Reading | undefined): Refill | undefined {
    const { before, first, last } = this;
    const isRefill =
      rise(first, last) >= NUMBERS.REFILL_RISE &&
      rise(before, last) >= NUMBERS.REFILL_RISE &&
      !(rise(next, last) > NUMBERS.LARGEST_CREDIBLE_FALL);
    return isRefill && first !== undefined && last !== undefined
      ? { first, last, isWaiting: next === undefined }
      : undefined;
  }
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

/** Measures a delivery by readings that are added one after the other, sorted by time. `all`: every delivery to the tank, this one too. */
export class Measurement {
  private readonly finder = new RefillFinder();
  private readonly from: number;
  private readonly to: number;
  private isTouched = false;
  private points = 0;
  private first: Reading | undefined;
  private last: Reading | undefined;
  /** The level at both ends of the time, where it is known. */
  private atStart: Reading | undefined;
  private atEnd: Reading | undefined;

  constructor(
    private readonly delivery: Delivery,
    private readonly all: readonly Delivery[],
  ) {
    [this.from, this.to] = spanOf(delivery);
  }

  add(reading: Reading): void {
    if (reading.at <= this.from) this.atStart = reading;
    if (reading.at >= this.to) this.atEnd ??= reading;
    this.take(this.finder.add(reading));
  }

  /** After the last reading. Null while nobody can say. */
  result(): MeasuredResponse | null {
    this.take(this.finder.end());
    if (!this.isTouched) return this.nothingCame();
    if (this.first === undefined || this.last === undefined) return null;
    const volume = roundTo((this.points * this.delivery.capacity) / 100, 2);
    return compared(this.delivery, volume, this.first, this.last);
  }

  private take(refill: Refill | undefined): void {
    if (refill === undefined || !touches(refill, this.delivery)) return;
    this.isTouched = true;
    if (refill.isWaiting || findDelivery(refill, this.all) !== this.delivery) return;
    this.first ??= refill.first;
    this.last = refill.last;
    this.points += rise(refill.first, refill.last);
  }

  /** Of a delivery that must have been seen: the level at both ends of its time is known, and there was no refill. */
  private nothingCame(): MeasuredResponse | null {
    const { delivered, capacity } = this.delivery;
    const isEnough = roundTo(delivered - (NUMBERS.DELIVERY_SEEN * capacity) / 100, 6) >= 0;
    if (this.atStart === undefined || this.atEnd === undefined || !isEnough) return null;
    return compared(this.delivery, 0, this.atStart, this.atEnd);
  }
}

/** Of those that it touches, the one nearest to its last reading, then the earlier. */
function findDelivery(refill: Refill, all: readonly Delivery[]): Delivery | undefined {
  let nearest: Delivery | undefined;
  for (const one of all)
    if (touches(refill, one) && (nearest === undefined || isNearer(one, nearest, refill.last.at)))
      nearest = one;
  return nearest;
}

function isNearer(one: Delivery, other: Delivery, at: number): boolean {
  const further = Math.abs(one.at - at) - Math.abs(other.at - at) || one.at - other.at;
  return further < 0 || (further === 0 && one.run_id < other.run_id);
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
