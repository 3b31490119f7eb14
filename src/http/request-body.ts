// Whether a request says that it has a body, and how long it is.
import type { IncomingMessage } from 'node:http';

export function expectsBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || lengthOf({ headers }) > 0;
}

/** Their bodies have bounds of their own, which whoever reads them knows. */
const WRITING: ReadonlySet<string | undefined> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export function isBodyTooLarge({ method, headers }: IncomingMessage, maxBodyBytes: number): boolean {
  return !WRITING.has(method) && lengthOf({ headers }) > maxBodyBytes;
}

const lengthOf = ({ headers }: Pick<IncomingMessage, 'headers'>) => Number(headers['content-length'] ?? 0);
