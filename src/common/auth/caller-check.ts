// Whether a request's key lets its caller in: a valid key, with the scope that is needed. Each one that is missing or not valid is
// counted: guessing is limited too, by network.
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { onTrail } from '../../platform/tracing/trail.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { insufficientScope, Problem, unauthorized } from '../problems/problem.js';
import { ApiKeysService } from './api-keys.service.js';
import type { Caller } from './caller.js';
import { ANY_KEY, type NeededScope } from './needs-scope.decorator.js';
import { networkOf } from './network.js';
import { RateLimits } from './rate-limits.js';

/** Made once: an Error that is made for each of a flood of requests costs more than all the rest. */
export const KEY_PROBLEMS = {
  missing: unauthorized('missing_api_key', 'Send your API key in the X-API-Key header.'),
  invalid: unauthorized(
    'invalid_api_key',
    'This API key is unknown, expired or revoked. Ask your operator for a new one.',
  ),
};

@Injectable()
export class CallerCheck {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly limits: RateLimits,
    private readonly metrics: Metrics,
  ) {}

  /** `mayBeCached` is false after a wait: whatever was known before, the key may have ended. */
  async recognize(request: Request, response: Response, mayBeCached = true): Promise<Caller> {
    const key = request.headers['x-api-key'];
    if (typeof key !== 'string' || key === '') throw await this.problemFor('missing', request, response);
    const caller = await onTrail(request.trail, () => this.keys.callerOf(key, mayBeCached));
    if (caller === null) throw await this.problemFor('invalid', request, response);
    return caller;
  }

  /** `need` is undefined where a route forgot to say. */
  requireScope(caller: Caller, need: NeededScope | undefined): void {
    if (need !== ANY_KEY && (need === undefined || !caller.scopes.includes(need)))
      throw insufficientScope(need, caller.scopes);
  }

  /** A 429 for those who were refused too often. */
  private async problemFor(
    reason: keyof typeof KEY_PROBLEMS,
    request: Request,
    response: Response,
  ): Promise<Problem> {
    this.metrics.countRefusedKey(reason);
    try {
      if (this.limits.isOn) await this.limits.spend(`address:${networkOf(request.ip)}`, response);
    } catch (error) {
      if (error instanceof Problem) return error;
      // Limits that cannot be asked are no reason to let anybody in, nor to fail.
    }
    return KEY_PROBLEMS[reason];
  }
}
