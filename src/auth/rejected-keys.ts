// The answer to a caller whose key is missing or not valid. Each one is counted: guessing is limited too, by network.
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Metrics } from '../metrics/metrics.js';
import { Problem, unauthorized } from '../problems/problem.js';
import { networkOf } from '../rate-limit/network.js';
import { RateLimits } from '../rate-limit/rate-limits.js';

/** Made once: an Error that is made for each of a flood of requests costs more than all the rest. */
export const KEY_PROBLEMS = {
  missing: unauthorized('missing_api_key', 'Send your API key in the X-API-Key header.'),
  invalid: unauthorized(
    'invalid_api_key',
    'This API key is unknown, expired or revoked. Ask your operator for a new one.',
  ),
};

@Injectable()
export class RejectedKeys {
  constructor(
    private readonly limits: RateLimits,
    private readonly metrics: Metrics,
  ) {}

  /** The problem to answer with; a 429 for those who were refused too often. */
  count(reason: keyof typeof KEY_PROBLEMS, request: Request, response: Response): Problem | Promise<Problem> {
    this.metrics.countRefusedKey(reason);
    if (!this.limits.isOn) return KEY_PROBLEMS[reason];
    return this.limits.spend(`address:${networkOf(request.ip)}`, response).then(
      () => KEY_PROBLEMS[reason],
      // Limits that cannot be asked are no reason to let anybody in, nor to fail.
      (error: unknown) => (error instanceof Problem ? error : KEY_PROBLEMS[reason]),
    );
  }
}
