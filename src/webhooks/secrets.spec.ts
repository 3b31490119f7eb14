// Secrets at rest, and when a failed delivery is tried again.
import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
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
