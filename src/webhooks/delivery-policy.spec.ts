// When deliveries are tried again, which is next, and when an endpoint is disabled.
import { describe, expect, it } from '@jest/globals';
import { delayAfter, nextInLine, parseRetryAfter, reasonToDisable } from './delivery-policy.js';

describe('a failed delivery', () => {
  it('is tried again after 5 s, 30 s, 2 min, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and then no more', () => {
    const hour = 3_600_000;
    const steps = [
      5_000,
      30_000,
      120_000,
      300_000,
      1_800_000,
      2 * hour,
      5 * hour,
      10 * hour,
      14 * hour,
      20 * hour,
      24 * hour,
    ];
    expect(steps.map((_, failed) => delayAfter(failed + 1, 0, 0))).toEqual(steps);
    expect(delayAfter(12, 0, 0)).toBeUndefined();
  });

  it('is spread in time, never earlier than its step', () => {
    expect(delayAfter(1, 0, 1)).toBe(5_500);
  });

  it('waits as long as the receiver asks, at most a day', () => {
    expect(delayAfter(1, 60_000, 0)).toBe(60_000);
    expect(delayAfter(5, 60_000, 0)).toBe(1_800_000);
    expect(delayAfter(1, 1e12, 0)).toBe(86_400_000);
  });

  it('understands seconds and dates, and ignores the rest', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    expect(parseRetryAfter('30', now)).toBe(30_000);
    expect(parseRetryAfter('Thu, 01 Jan 2026 00:01:00 GMT', now)).toBe(60_000);
    expect(parseRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0);
    expect(parseRetryAfter('soon', now)).toBe(0);
    expect(parseRetryAfter(undefined, now)).toBe(0);
  });
});

describe('in a line', () => {
  it('the one that can be tried first is next, and of equals the older one', () => {
    const [at, later] = [new Date(1), new Date(2)];
    expect(nextInLine([])).toBeUndefined();
    expect(
      nextInLine([
        { id: 1, nextTryAt: later },
        { id: 3, nextTryAt: at },
        { id: 2, nextTryAt: at },
      ])?.id,
    ).toBe(2);
  });
});

describe('an endpoint', () => {
  it('is disabled when it says that it is gone, or has only failed for five days', () => {
    const day = 86_400_000;
    expect(reasonToDisable(true, 0)).toBe('it answered 410 Gone');
    expect(reasonToDisable(false, 5 * day)).toBe('every delivery failed for five days');
    expect(reasonToDisable(false, 5 * day - 1)).toBeUndefined();
  });
});
