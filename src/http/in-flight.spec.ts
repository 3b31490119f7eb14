// Whatever becomes of a request, it is let go: one that stayed would be a leak that any client can make.
import { describe, expect, it } from '@jest/globals';
import type { Response } from 'express';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { pino } from 'pino';
import { loadConfig } from '../config/config.js';
import { InFlight } from './in-flight.js';

const config = loadConfig({});
const logger = pino({ level: 'silent' });
const { answerTimeoutMs } = config.limits;

/** One whose head has been sent. */
function answered(): Response {
  const response = new ServerResponse(new IncomingMessage(new Socket())).writeHead(200);
  return response as unknown as Response;
}

describe('a request in flight', () => {
  it('is let go when it is answered, and the others are not', () => {
    const inFlight = new InFlight(config, logger);
    const responses = [answered(), answered(), answered()];
    for (const response of responses) inFlight.add(response, 0);
    const [first, second, third] = responses as [Response, Response, Response];

    inFlight.remove(first);
    inFlight.remove(first);
    expect(inFlight.size).toBe(2);
    inFlight.remove(third);
    inFlight.remove(second);
    expect(inFlight.size).toBe(0);
  });

  it('is let go when its time is over, even if it is never closed', () => {
    const inFlight = new InFlight(config, logger);
    const [early, late] = [answered(), answered()];
    inFlight.add(early, 0);
    inFlight.add(late, 1);

    inFlight.answerOverdue(answerTimeoutMs - 1);
    expect(inFlight.size).toBe(2);
    inFlight.answerOverdue(answerTimeoutMs);
    expect(inFlight.size).toBe(1);
    inFlight.remove(early);
    expect(inFlight.size).toBe(1);
    inFlight.answerOverdue(answerTimeoutMs + 1);
    expect(inFlight.size).toBe(0);
  });
});
