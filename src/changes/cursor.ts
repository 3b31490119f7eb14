// A place in the feed, as callers keep it. The time distinguishes a row from another one that got the same position after a restore or
// failover.
import { readBookmark, writeBookmark } from '../common/pagination/bookmark.js';

export interface Cursor {
  readonly position: number;
  /** When its row was placed, in milliseconds since 1970. */
  readonly placedMs: number;
}

const FEED = '';

export function writeCursor({ position, placedMs }: Cursor): string {
  return writeBookmark(FEED, [position, placedMs]);
}

/** Undefined for anything that `writeCursor` does not write. */
export function readCursor(text: string): Cursor | undefined {
  const place = readBookmark(FEED, text);
  return place === undefined ? undefined : { position: place[0], placedMs: place[1] };
}
