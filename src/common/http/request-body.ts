// Whether a request says that it has a body.
import type { IncomingMessage } from 'node:http';

export function expectsBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
