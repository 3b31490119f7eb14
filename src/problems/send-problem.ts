// Writes a problem as an RFC 9457 response.
import type { Request, Response } from 'express';
import { STATUS_CODES } from 'node:http';
import type { Problem } from './problem.js';

export function sendProblem(problem: Problem, request: Request, response: Response): void {
  const body = JSON.stringify(problemBody(problem, request.requestId));
  response.statusCode = problem.status;
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value);
  // Not send(), which would name the problem by an ETag. Where more of the request may come, the connection is not kept.
  if (request.complete || response.shouldKeepAlive) response.end(body);
  else endOnceReceived(request, response, body);
}

/** How long a client may go on sending after its last answer. */
export const LINGER_MS = 2_000;

/** Node closes the connection after this answer. If the client were still sending then, the system would drop the answer. */
function endOnceReceived(request: Request, response: Response, body: string): void {
  response.flushHeaders();
  response.write(body);
  request.resume();
  const timer = setTimeout(() => response.end(), LINGER_MS);
  request.once('close', () => {
    clearTimeout(timer);
    response.end();
  });
}

export function problemBody(problem: Problem, requestId: string): object {
  return {
    type: 'about:blank',
    title: STATUS_CODES[problem.status] ?? 'Error',
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    request_id: requestId,
    ...problem.members,
    ...(problem.errors === undefined ? {} : { errors: problem.errors }),
  };
}
