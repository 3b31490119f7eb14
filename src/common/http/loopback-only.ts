// The demo gives its key to whoever can open its pages, which should be this machine's user. Another web site could point a name
// of its own to this machine (DNS rebinding), and its pages could then read the demo's. So the demo answers to local names only.
import type { NextFunction, Request, Response } from 'express';
import { Problem } from '../problems/problem.js';
import { sendProblem } from '../problems/send-problem.js';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

const MISDIRECTED = new Problem({
  status: 421,
  code: 'misdirected_request',
  detail: 'This demo answers to this machine only: ask for it as localhost or 127.0.0.1, with its port.',
});

export function loopbackOnly(request: Request, response: Response, next: NextFunction): void {
  if (LOOPBACK.test(request.headers.host ?? '')) next();
  else sendProblem(MISDIRECTED, request, response);
}
