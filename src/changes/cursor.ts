// A place in the feed, as callers keep it. The time distinguishes a row from another one that got the same position after a restore or
// failover; the check finds a cursor that was cut off or mistyped.
import { crc32 } from 'node:zlib';

export interface Cursor {
  readonly position: number;
  /** When its row was placed, in milliseconds since 1970. */
  readonly placedMs: number;
}

const CURSOR = /^([0-9a-z]{1,11})-([0-9a-z]{1,11})-[0-9a-z]{4}$/;

export function writeCursor({ position, placedMs }: Cursor): string {
  const place = `${position.toString(36)}-${placedMs.toString(36)}`;
  return `${place}-${(crc32(place) % 36 ** 4).toString(36).padStart(4, '0')}`;
}

/** Undefined for anything that `writeCursor` does not write. */
export function readCursor(text: string): Cursor | undefined {
  const [, position = '', placed = ''] = CURSOR.exec(text) ?? [];
  const cursor = { position: parseInt(position, 36), placedMs: parseInt(placed, 36) };
  const isExact = Number.isSafeInteger(cursor.position) && Number.isSafeInteger(cursor.placedMs);
  return isExact && writeCursor(cursor) === text ? cursor : undefined;
}
