// What follows from what is stored of a recipient: its state, and when its next daily mail goes. Apart from the entity, so that the worker's
// process needs nothing of TypeORM.
import { DAY_MS } from '../common/datetime/datetime.js';
import { dayAt, firstInstantAt } from '../common/datetime/time-zone.js';

export const RECIPIENT_STATUSES = ['unconfirmed', 'active', 'paused', 'unsubscribed', 'failing'] as const;
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

interface StatusFacts {
  readonly unsubscribed_at: unknown;
  readonly failing_reason: unknown;
  readonly confirmed_at: unknown;
  readonly paused: boolean;
}

/** The first that holds; STATUS says the same in SQL. */
export function findRecipientStatus(facts: StatusFacts): RecipientStatus {
  if (facts.unsubscribed_at !== null) return 'unsubscribed';
  if (facts.failing_reason !== null) return 'failing';
  if (facts.confirmed_at === null) return 'unconfirmed';
  return facts.paused ? 'paused' : 'active';
}

export const STATUS = `
  case when unsubscribed_at is not null then 'unsubscribed' when failing_reason is not null then 'failing'
       when confirmed_at is null then 'unconfirmed' when paused then 'paused' else 'active' end`;

export interface DailyFacts {
  readonly daily_at: string | null;
  readonly time_zone: string;
  readonly daily_day: number | null;
}

/** The next time of its daily mail after `now`, on a local day that has had none; null without one. */
export function nextDaily(
  { daily_at: at, time_zone: zone, daily_day: last }: DailyFacts,
  now: Date,
): Date | null {
  if (at === null) return null;
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  const today = dayAt(zone, now.getTime());
  for (let day = Math.max(today, (last ?? 0) + 1); ; day += 1) {
    const instant = firstInstantAt(zone, day * DAY_MS + (hours * 60 + minutes) * 60_000);
    if (instant > now.getTime()) return new Date(instant);
  }
}
