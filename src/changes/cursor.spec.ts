import { describe, expect, it } from '@jest/globals';
import { readCursor, writeCursor } from './cursor.js';

describe('a cursor', () => {
  it.each([
    { position: 1, placedMs: 1_794_846_677_445 },
    { position: Number.MAX_SAFE_INTEGER, placedMs: Number.MAX_SAFE_INTEGER },
  ])('is read as it was written: %j', (cursor) => {
    expect(readCursor(writeCursor(cursor))).toEqual(cursor);
  });

  it.each([
    '',
    '-',
    '1',
    '1-',
    '-1',
    '01-1',
    '1-1-1',
    '1_1',
    ' 1-1',
    '1-1\n',
    'A-1',
    'latest',
    'zzzzzzzzzzz-1',
    '1-zzzzzzzzzzz',
  ])('is never %j', (text) => {
    expect(readCursor(text)).toBeUndefined();
  });
});
