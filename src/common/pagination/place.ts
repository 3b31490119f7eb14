// A place in something that is read on and on, as callers keep it: two numbers, and a check that finds one that was cut off, mistyped or is
// a place in something else.
import { crc32 } from 'node:zlib';

export type Place = readonly [number, number];

const PLACE = /^([0-9a-z]{1,11})-([0-9a-z]{1,11})-[0-9a-z]{4}$/;

/** `of`: what it is a place in. */
export function writePlace(of: string, place: Place): string {
  const text = place.map((number) => number.toString(36)).join('-');
  return `${text}-${(crc32(of + text) % 36 ** 4).toString(36).padStart(4, '0')}`;
}

/** Undefined for anything that `writePlace` does not write. */
export function readPlace(of: string, text: string): Place | undefined {
  const [, first = '', second = ''] = PLACE.exec(text) ?? [];
  const place: Place = [parseInt(first, 36), parseInt(second, 36)];
  return place.every(Number.isSafeInteger) && writePlace(of, place) === text ? place : undefined;
}
