// Whether a request says that it has a body, and how long it is.
import type { IncomingMessage } from 'node:http';

export function expectsBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || saidLength({ headers }) > 0;
}

/** A POST has bounds of its own, which whoever reads it knows. */
export function isBodyTooLarge({ method, headers }: IncomingMessage, maxBodyBytes: number): boolean {
  return method !== 'POST' && saidLength({ headers }) > maxBodyBytes;
}

function saidLength({ headers }: Pick<IncomingMessage, 'headers'>): number {
  return Number(headers['content-length'] ?? 0);
}
