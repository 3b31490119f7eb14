import { describe, expect, it } from '@jest/globals';
import { areMet } from './preconditions.js';

const LIVE = { etag: 'W/"a,b"', isDeleted: false };
const DELETED = { etag: 'W/"gone"', isDeleted: true };

describe('preconditions', () => {
  it.each([
    ['*', LIVE, true],
    ['*', DELETED, false],
    ['*', undefined, false],
    ['"a,b"', LIVE, true],
    ['"x", W/"a,b"', LIVE, true],
    ['"a"', LIVE, false],
    ['', LIVE, false],
    ['W/"gone"', DELETED, true],
    ['"x"', undefined, false],
  ])('If-Match: %s of %j is met: %s; If-None-Match is the other way round', (header, current, isMet) => {
    expect(areMet({ ifMatch: header, ifNoneMatch: undefined }, current)).toBe(isMet);
    expect(areMet({ ifMatch: undefined, ifNoneMatch: header }, current)).toBe(!isMet);
  });

  it('are met when there are none', () => {
    expect(areMet({ ifMatch: undefined, ifNoneMatch: undefined }, undefined)).toBe(true);
  });
});
