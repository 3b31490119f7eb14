// New ids for requests that bring none.
import { randomBytes } from 'node:crypto';

/** Unique across instances and restarts, and cheaper than a random number each. */
const INSTANCE = randomBytes(9).toString('base64url');
let requests = 0;

export function newRequestId(): string {
  requests += 1;
  return `${INSTANCE}-${requests}`;
}
