// A place in the feed, as callers keep it. The time tells a row from another one that got the same position after a restore or failover.

export interface Cursor {
  readonly position: number;
  /** When its row was placed, in milliseconds since 1970. */
  readonly placedMs: number;
}

const CURSOR = /^([0-9a-z]{1,11})-([0-9a-z]{1,11})$/;

export function writeCursor({ position, placedMs }: Cursor): string {
  return `${position.toString(36)}-${placedMs.toString(36)}`;
}

/** Undefined for anything that `writeCursor` does not write. */
export function readCursor(text: string): Cursor | undefined {
  const [, position = '', placed = ''] = CURSOR.exec(text) ?? [];
  const cursor = { position: parseInt(position, 36), placedMs: parseInt(placed, 36) };
  const isExact = Number.isSafeInteger(cursor.position) && Number.isSafeInteger(cursor.placedMs);
  return isExact && writeCursor(cursor) === text ? cursor : undefined;
}
