// A place in something that is read on and on, as callers keep it: two numbers, and a check that finds one that was cut off, mistyped or is
// a place in something else.
import { crc32 } from 'node:zlib';

export type Bookmark = readonly [number, number];

const BOOKMARK = /^([0-9a-z]{1,11})-([0-9a-z]{1,11})-[0-9a-z]{4}$/;

/** `of`: what it is a place in. */
export function writeBookmark(of: string, place: Bookmark): string {
  const text = place.map((number) => number.toString(36)).join('-');
  return `${text}-${(crc32(of + text) % 36 ** 4).toString(36).padStart(4, '0')}`;
}

/** Undefined for anything that `writeBookmark` does not write. */
export function readBookmark(of: string, text: string): Bookmark | undefined {
  const [, first = '', second = ''] = BOOKMARK.exec(text) ?? [];
  const place: Bookmark = [parseInt(first, 36), parseInt(second, 36)];
  return place.every(Number.isSafeInteger) && writeBookmark(of, place) === text ? place : undefined;
}
