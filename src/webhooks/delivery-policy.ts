// What becomes of deliveries: when one that failed is tried again, which of a line is next, and when an endpoint is disabled.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Soon at first, then more and more rarely, for about three days. */
const DELAYS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** So that a receiver that comes back does not get all deliveries at once. */
const JITTER = 0.1;
export const LONGEST_WAIT = 24 * HOUR;

/** With so many tries, its first retry included, a delivery no longer holds up those behind it. Indexes are made for this number. */
export const TRIES_IN_ORDER = 2;

const MAX_FAILING = 5 * 24 * HOUR;

/** Milliseconds to wait after this many tries; undefined when there is no further one. */
export function delayAfter(tries: number, retryAfterMs: number, random = Math.random()): number | undefined {
  const step = DELAYS[tries - 1];
  if (step === undefined) return undefined;
  return Math.max(step * (1 + JITTER * random), Math.min(retryAfterMs, LONGEST_WAIT));
}

export interface Waiting {
  readonly id: number;
  readonly nextTryAt: Date;
}

/** Of the oldest that others wait behind and the first due of those that nobody waits behind: the one that can be tried first. */
export function nextInLine<T extends Waiting>(waiting: readonly T[]): T | undefined {
  return waiting.toSorted((a, b) => a.nextTryAt.getTime() - b.nextTryAt.getTime() || a.id - b.id)[0];
}

/** Undefined when the endpoint stays enabled. `failingMs`: since its first failure after a success. */
export function reasonToDisable(isGone: boolean, failingMs: number): string | undefined {
  if (isGone) return 'it answered 410 Gone';
  return failingMs >= MAX_FAILING ? 'every delivery failed for five days' : undefined;
}

/** `120`, or an HTTP date; anything else asks for nothing. */
export function parseRetryAfter(text: string | undefined, now = Date.now()): number {
  if (text === undefined) return 0;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? 0 : Math.max(date - now, 0);
}
