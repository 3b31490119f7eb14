// Whatever a request waits for, its caller hears something in time. What it waited for ends by its own bounds.
import type { RequestHandler } from 'express';
import type { Config } from '../config/config.js';
import { overloaded } from '../problems/problem.js';
import { sendProblem } from '../problems/problem.filter.js';

export function answerInTime({ limits }: Config): RequestHandler {
  return (request, response, next) => {
    const deadline = setTimeout(() => {
      if (!response.headersSent) sendProblem(overloaded(), request, response);
    }, limits.answerTimeoutMs);
    response.once('close', () => clearTimeout(deadline));
    next();
  };
}
