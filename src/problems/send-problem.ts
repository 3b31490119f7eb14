// Writes a problem as an RFC 9457 response.
import type { Request, Response } from 'express';
import { STATUS_CODES } from 'node:http';
import type { Problem } from './problem.js';

export function sendProblem(problem: Problem, request: Request, response: Response): void {
  response.set({ 'Cache-Control': 'no-store', ...problem.headers });
  response.status(problem.status).type('application/problem+json');
  response.send(JSON.stringify(problemBody(problem, request.requestId)));
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
