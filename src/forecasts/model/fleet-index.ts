// The season, without weather: how much the fleet used on each day, relative to its mean. Each tank counts the same, so that one large
// user does not lead, and nothing of a single tank shows. Of five customers or more, none counts for more than a fifth.
import { DAY_MS } from '../../common/datetime/datetime.js';
import { SURE, useOfDay, type TankCurve } from './curve.js';

const DAYS_OF_YEAR = 365;
/** With few tanks, the days next to a day count towards its index as well, which makes it less noisy. */
const ENOUGH_TANKS = 30;
const MOST_NEIGHBOURS = 3;
/** From so many customers on, none decides more than its share of the season. */
const ENOUGH_CUSTOMERS = 5;
/** A tank counts once so many of its days are sure. */
const LEAST_DAYS = 14;
/** How many days on either side of a day of the year count towards its season. */
const REACH = 40;
const KERNEL = Array.from({ length: 2 * REACH + 1 }, (_, i) => Math.exp(-0.5 * ((i - REACH) / 16) ** 2));

/** The index that is expected of the days after a night. */
export interface Outlook {
  /** The index of a day that is over; NaN where it is unknown. */
  indexOf(day: number): number;
  /** The index expected `ahead` days after the night: the season, and what is left of the weather of late. */
  expect(day: number, ahead: number): number;
  /** Whether this time of the year was seen before. */
  knows(day: number): boolean;
  /** The index of the last 28 days. */
  readonly recent: number;
  /** The index of the last day that has one. */
  readonly last: number;
  /** The usual use of a tank on a day with an index of 1; undefined while nobody knows. */
  readonly usual: number | undefined;
}

/** What is stored of it: null where a day is unknown. */
export interface FleetState {
  readonly firstDay: number;
  readonly index: readonly (number | null)[];
  readonly usual?: number | undefined;
}

export interface SeasonTank {
  readonly owner_id: string;
  readonly tank: { readonly curve: TankCurve };
}

/** What a customer's tanks say: by day, the sum of use ÷ usual use and of how many tanks; and each tank's usual use. */
interface Contribution {
  readonly sums: number[];
  readonly tanks: number[];
  readonly factors: number[];
}

export class FleetIndex {
  private firstDay: number;
  /** NaN where unknown. */
  private index: number[];
  private usual: number | undefined;
  private readonly season = new Float64Array(DAYS_OF_YEAR).fill(1);
  /** How many observed days each day of the year has. */
  private readonly seen = new Float64Array(DAYS_OF_YEAR);

  constructor({ firstDay, index, usual }: FleetState = { firstDay: 0, index: [] }) {
    this.firstDay = index.length > 0 ? firstDay : Infinity;
    this.index = index.map((s) => s ?? NaN);
    this.usual = usual;
    if (index.length > 0) this.learnSeason();
  }

  /** Nothing was learned yet. */
  get isEmpty(): boolean {
    return this.index.length === 0;
  }

  get state(): FleetState {
    const { firstDay, index, usual } = this;
    return { firstDay, usual, index: index.map((s) => (Number.isNaN(s) ? null : Number(s.toFixed(5)))) };
  }

  /** One step, from what is known at a night: each tank's usual use by the index so far, then that of each day as the mean of use ÷ usual use. */
  learn(tanks: readonly SeasonTank[], night: number): void {
    const first = Math.min(this.firstDay, ...tanks.map(({ tank }) => tank.curve.firstDay));
    if (this.index.length > 0) this.index.unshift(...Array<number>(this.firstDay - first).fill(NaN));
    this.firstDay = first;
    const customers = new Map<string, Contribution>();
    for (const { owner_id: owner, tank } of tanks) {
      const k = this.usualUse(tank.curve, night);
      if (k === undefined) continue;
      const customer = customers.get(owner) ?? { sums: [], tanks: [], factors: [] };
      customers.set(owner, customer);
      customer.factors.push(k);
      forSureDays(tank.curve, night, (day, use) => {
        const i = day - first;
        const s = this.index[i] ?? NaN;
        const most = Number.isNaN(s) ? Infinity : 5 * k * (s + 0.3);
        customer.sums[i] = (customer.sums[i] ?? 0) + Math.min(most, use) / k;
        customer.tanks[i] = (customer.tanks[i] ?? 0) + 1;
      });
    }
    if (customers.size === 0) return;
    this.takeIndex([...customers.values()]);
    this.usual = medianUse([...customers.values()]);
    this.learnSeason();
  }

  asOf(night: number): Outlook {
    // A day is known when the one after it is over.
    const end = Math.min(this.index.length - 1, night - 2 - this.firstDay);
    const anomaly = this.meanOf(end, 10, 0.7, (s, i) => s - this.seasonOf(this.firstDay + i)) ?? 0;
    return {
      recent: this.recentAt(end),
      usual: this.usual,
      last: this.index[end] ?? NaN,
      // Without any index, every day is like another.
      indexOf: (day) => (this.isEmpty ? 1 : (this.index[day - this.firstDay] ?? NaN)),
      expect: (day, ahead) => Math.max(0, this.seasonOf(day) + anomaly * 0.85 ** (ahead + 2)),
      knows: (day) => (this.seen[dayOfYear(day)] ?? 0) >= 6,
    };
  }

  private seasonOf(day: number): number {
    return this.season[dayOfYear(day)] ?? 1;
  }

  private usualUse(curve: TankCurve, night: number): number | undefined {
    let used = 0;
    let index = 0;
    let days = 0;
    forSureDays(curve, night, (day, use) => {
      const s = this.index[day - this.firstDay] ?? NaN;
      used += use;
      index += Number.isNaN(s) ? this.seasonOf(day) : s; // no other tank has this day yet: it is as usual
      days += 1;
    });
    return days < LEAST_DAYS || used <= 0 ? undefined : used / index;
  }

  /** A day that too few customers have is left as it was known: nobody brings a past of his own along. */
  private takeIndex(customers: readonly Contribution[]): void {
    const length = Math.max(this.index.length, ...customers.map(({ sums }) => sums.length));
    const days = Array.from({ length }, (_, i) => weigh(customers, i));
    const index = days.map(({ tanks }, i) =>
      tanks > 0 ? Math.max(0.01, meanAround(i, days)) : (this.index[i] ?? NaN),
    );
    const known = index.filter((s) => !Number.isNaN(s));
    const mean = known.reduce((sum, s) => sum + s, 0) / known.length;
    this.index = index.map((s) => s / mean);
  }

  private recentAt(end: number): number {
    return this.meanOf(end, 28, Math.exp(-1 / 14), (s) => s) ?? 1;
  }

  /** Of the last days, each counting less than the one after it. */
  private meanOf(
    end: number,
    days: number,
    fading: number,
    valueOf: (s: number, i: number) => number,
  ): number | undefined {
    let sum = 0;
    let weight = 0;
    for (let i = end, w = 1; i > end - days && i >= 0; i -= 1, w *= fading) {
      const s = this.index[i] ?? NaN;
      if (Number.isNaN(s)) continue;
      sum += w * valueOf(s, i);
      weight += w;
    }
    return weight > 0 ? sum / weight : undefined;
  }

  private learnSeason(): void {
    const sum = new Float64Array(DAYS_OF_YEAR);
    const count = new Float64Array(DAYS_OF_YEAR);
    this.index.forEach((s, i) => {
      if (Number.isNaN(s)) return;
      const day = dayOfYear(this.firstDay + i);
      sum[day] = (sum[day] ?? 0) + s;
      count[day] = (count[day] ?? 0) + 1;
    });
    const recent = this.recentAt(this.index.length - 1);
    for (let day = 0; day < DAYS_OF_YEAR; day += 1) {
      let s = 0;
      let w = 0;
      for (let z = -REACH; z <= REACH; z += 1) {
        const near = (day + z + DAYS_OF_YEAR) % DAYS_OF_YEAR;
        const weight = KERNEL[z + REACH] ?? 0;
        s += weight * (sum[near] ?? 0);
        w += weight * (count[near] ?? 0);
      }
      this.season[day] = (s + 5 * recent) / (w + 5); // what was never seen is as of late
      this.seen[day] = w;
    }
  }
}

const daysOfYear = new Map<number, number>();

function dayOfYear(day: number): number {
  let found = daysOfYear.get(day);
  if (found === undefined) {
    const at = new Date(day * DAY_MS);
    found = Math.min(DAYS_OF_YEAR - 1, Math.floor(day - Date.UTC(at.getUTCFullYear(), 0, 1) / DAY_MS));
    daysOfYear.set(day, found);
  }
  return found;
}

/** Days whose use was measured, and not guessed over a gap, as far as it was known at a night. */
function forSureDays(curve: TankCurve, night: number, visit: (day: number, use: number) => void): void {
  const midnights = curve.midnightsAt(night);
  for (let i = 0; i < midnights - 1; i += 1) {
    const use = useOfDay(curve, i);
    if (((curve.flags[i + 1] ?? 0) & SURE) !== 0 && !Number.isNaN(use)) visit(curve.firstDay + i, use);
  }
}

function weigh(customers: readonly Contribution[], day: number): { sum: number; tanks: number } {
  const counts = customers.map(({ tanks }) => tanks[day] ?? 0);
  const isOfFew = counts.filter((n) => n > 0).length < ENOUGH_CUSTOMERS;
  if (isOfFew && customers.length >= ENOUGH_CUSTOMERS) return NOTHING;
  const most = limitShare(counts);
  const weighed = { sum: 0, tanks: 0 };
  customers.forEach(({ sums }, i) => {
    const n = counts[i] ?? 0;
    if (n === 0) return;
    weighed.sum += ((sums[day] ?? 0) * Math.min(n, most)) / n;
    weighed.tanks += Math.min(n, most);
  });
  return weighed;
}

/** As how many tanks a customer counts at most, so that none has more than its share of all. */
function limitShare(counts: readonly number[]): number {
  if (counts.length < ENOUGH_CUSTOMERS) return Infinity;
  let rest = counts.reduce((sum, n) => sum + n, 0);
  const largest = counts.toSorted((a, b) => b - a);
  for (let i = 0; ; i += 1) {
    const [next = 0, most] = [largest[i], rest / (ENOUGH_CUSTOMERS - i)];
    if (next <= most) return most;
    rest -= next;
  }
}

function medianUse(customers: readonly Contribution[]): number | undefined {
  const most = limitShare(customers.map(({ factors }) => factors.length));
  const uses = customers
    .flatMap(({ factors }) => factors.map((use) => ({ use, weight: Math.min(1, most / factors.length) })))
    .toSorted((a, b) => a.use - b.use);
  let left = uses.reduce((sum, { weight }) => sum + weight, 0) / 2;
  return uses.find(({ weight }) => (left -= weight) < 0)?.use;
}

function meanAround(day: number, days: readonly { sum: number; tanks: number }[]): number {
  let { sum, tanks } = days[day] ?? NOTHING;
  for (let away = 1; away <= MOST_NEIGHBOURS && tanks < ENOUGH_TANKS; away += 1) {
    for (const near of [days[day - away], days[day + away]]) {
      sum += near?.sum ?? 0;
      tanks += near?.tanks ?? 0;
    }
  }
  return sum / tanks;
}

const NOTHING = { sum: 0, tanks: 0 };
