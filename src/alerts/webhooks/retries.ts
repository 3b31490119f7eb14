// When a delivery that failed is tried again: soon at first, then more and more rarely, for about three days.

const HOUR = 3_600_000;

/** 5 seconds, 5 minutes, half an hour, and then hours. */
const DELAYS = [5_000, 300_000, 0.5 * HOUR, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

/** So that a receiver that comes back does not get all deliveries at once. */
const JITTER = 0.1;
const LONGEST_WAIT = 24 * HOUR;

/** Milliseconds to wait after this many tries; undefined when there is no further one. */
export function delayAfter(tries: number, retryAfterMs: number, random = Math.random()): number | undefined {
  const step = DELAYS[tries - 1];
  if (step === undefined) return undefined;
  return Math.max(step * (1 + JITTER * random), Math.min(retryAfterMs, LONGEST_WAIT));
}

/** The first try and all that follow it. */
export const MAX_TRIES = DELAYS.length + 1;

/** `120`, or an HTTP date; anything else asks for nothing. */
export function parseRetryAfter(text: string | undefined, now = Date.now()): number {
  if (text === undefined) return 0;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? 0 : Math.max(date - now, 0);
}
