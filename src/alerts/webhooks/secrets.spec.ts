// Secrets at rest, and when a failed delivery is tried again.
import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { delayAfter, MAX_TRIES, parseRetryAfter } from './retries.js';
import { newSecret, secretBytes, SecretBox } from './secrets.js';

const newKey = (): string => randomBytes(32).toString('base64');

describe('a secret', () => {
  const box = new SecretBox([newKey()]);

  it('has 32 random bytes behind whsec_', () => {
    const secret = newSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(secretBytes(secret)).toHaveLength(32);
    expect(newSecret()).not.toBe(secret);
  });

  it('is opened by the key and for the endpoint it was sealed with, and by nothing else', () => {
    const secret = newSecret();
    const sealed = box.seal(secret, 'endpoint-1');
    expect(sealed.includes(secret)).toBe(false);
    expect(box.open(sealed, 'endpoint-1')).toBe(secret);
    expect(box.open(sealed, 'endpoint-2')).toBeUndefined();
    expect(new SecretBox([newKey()]).open(sealed, 'endpoint-1')).toBeUndefined();
    expect(box.open(sealed.subarray(0, 20), 'endpoint-1')).toBeUndefined();
  });

  it('is sealed with the first of several keys, and opened by any of them', () => {
    const [next, old] = [newKey(), newKey()];
    const both = new SecretBox([next, old]);
    expect(both.open(new SecretBox([old]).seal('whsec_old', 'endpoint-1'), 'endpoint-1')).toBe('whsec_old');
    const sealed = both.seal('whsec_new', 'endpoint-1');
    expect(new SecretBox([next]).open(sealed, 'endpoint-1')).toBe('whsec_new');
    expect(new SecretBox([old]).open(sealed, 'endpoint-1')).toBeUndefined();
  });
});

describe('a failed delivery', () => {
  it('is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and then no more', () => {
    const hour = 3_600_000;
    const steps = [5_000, 300_000, 1_800_000, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];
    expect(steps.map((_, failed) => delayAfter(failed + 1, 0, 0))).toEqual(steps);
    expect(delayAfter(MAX_TRIES, 0, 0)).toBeUndefined();
    expect(MAX_TRIES).toBe(10);
  });

  it('is spread in time, never earlier than its step', () => {
    expect(delayAfter(1, 0, 1)).toBe(5_500);
  });

  it('waits as long as the receiver asks, at most a day', () => {
    expect(delayAfter(1, 60_000, 0)).toBe(60_000);
    expect(delayAfter(3, 60_000, 0)).toBe(1_800_000);
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
