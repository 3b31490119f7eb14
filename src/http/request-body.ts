// Whether a request says that it has a body, and how long it is.
import type { IncomingMessage } from 'node:http';

export function expectsBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || lengthOf({ headers }) > 0;
}

/** A POST has bounds of its own, which whoever reads it knows. */
export function isBodyTooLarge({ method, headers }: IncomingMessage, maxBodyBytes: number): boolean {
  return method !== 'POST' && lengthOf({ headers }) > maxBodyBytes;
}

const lengthOf = ({ headers }: Pick<IncomingMessage, 'headers'>) => Number(headers['content-length'] ?? 0);
