// New ids for requests that bring none: 120 random bits each, drawn from the system many at a time.
import { randomFillSync } from 'node:crypto';

const BYTES = 15;
const pool = Buffer.alloc(BYTES * 256);
let used = pool.length;

export function newRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += BYTES;
  return pool.toString('base64url', used - BYTES, used);
}
