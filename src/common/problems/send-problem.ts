// Writes a problem as an RFC 9457 response.
import type { Request, Response } from 'express';
import { STATUS_CODES } from 'node:http';
import type { Problem } from './problem.js';

export function sendProblem(problem: Problem, request: Request, response: Response): void {
  request.problemCode = problem.code;
  const body = JSON.stringify(problemBody(problem, request.requestId));
  response.statusCode = problem.status;
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value);
  // Node keeps the connection: the client sends the rest of its request, reads this, and may go on.
  if (!request.complete) request.resume();
  response.end(body); // not send(), which would name the problem by an ETag
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
