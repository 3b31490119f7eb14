// The demo hands its key to whoever can open its pages, which is meant to be this machine's user. A web page elsewhere can make
// a browser take the demo for a part of it, by a name that it lets point to this machine. So the demo answers to names of this
// machine only.
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
