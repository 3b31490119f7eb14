// Sends JSON that no cache may keep, and that has no ETag: Express's own send() would name it by one and compare that.
import type { Response } from 'express';

export function sendUnstored(response: Response, json: Buffer): void {
  if (response.closed || response.writableEnded) return; // the client has left, or its time was over
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', json.length);
  response.end(json);
}
