import { describe, expect, it } from '@jest/globals';
import { readCursor, writeCursor } from './cursor.js';

const GOOD = writeCursor({ position: 4711, placedMs: 1_794_846_677_445 });

describe('a cursor', () => {
  it.each(GOOD.split('').map((_, place) => place))('is none with another character at %i', (place) => {
    const other = GOOD[place] === '7' ? '8' : '7';
    expect(readCursor(GOOD.slice(0, place) + other + GOOD.slice(place + 1))).toBeUndefined();
    expect(readCursor(GOOD.slice(0, place))).toBeUndefined();
  });

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
    '1-1',
    '1-1-0000',
  ])('is never %j', (text) => {
    expect(readCursor(text)).toBeUndefined();
  });
});
