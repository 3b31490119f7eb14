// Whether a request's key lets its caller in: a valid key, with the scope that is needed. Each one that is missing or not valid is
// counted: guessing is limited too, by network.
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { onTrail } from '../../platform/tracing/trail.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { insufficientScope, Problem, unauthorized } from '../problems/problem.js';
import { keyIn } from './api-key.js';
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

/** An address over its limit has five keys a second looked up: a good one that is new must be told from guesses. */
const TRIES_A_SECOND = 5;

@Injectable()
export class CallerCheck {
  private readonly triedLately = new LRUCache<string, number>({ max: 10_000, ttl: 1_000 });

  constructor(
    private readonly keys: ApiKeysService,
    private readonly limits: RateLimits,
    private readonly metrics: Metrics,
  ) {}

  /** `mayBeCached` is false after a wait: whatever was known before, the key may have ended. */
  async recognize(request: Request, response: Response, mayBeCached = true): Promise<Caller> {
    const key = keyIn(request.headers);
    if (key === undefined) throw this.refusal('missing', await this.countRefused(request, response));
    // One that was never used here is counted first, and given back if it is good: guesses over the limit do not reach the database.
    const isNew = this.limits.isOn && this.keys.isNew(key);
    const limit = isNew ? await this.countRefused(request, response) : undefined;
    if (limit !== undefined && !this.mayStillTry(subjectOf(request))) throw this.refusal('invalid', limit);
    const caller = await onTrail(request.trail, () => this.keys.callerOf(key, mayBeCached));
    if (caller === null)
      throw this.refusal('invalid', isNew ? limit : await this.countRefused(request, response));
    if (isNew) this.limits.giveBack(subjectOf(request));
    return caller;
  }

  /** `need` is undefined where a route forgot to say. */
  requireScope(caller: Caller, need: NeededScope | undefined): void {
    if (need !== ANY_KEY && (need === undefined || !caller.scopes.includes(need)))
      throw insufficientScope(need, caller.scopes);
  }

  private refusal(reason: keyof typeof KEY_PROBLEMS, limit: Problem | undefined): Problem {
    this.metrics.countRefusedKey(reason);
    return limit ?? KEY_PROBLEMS[reason];
  }

  /** Resolves with a 429 for those who were refused too often. */
  private async countRefused(request: Request, response: Response): Promise<Problem | undefined> {
    if (!this.limits.isOn) return undefined;
    try {
      await this.limits.spend(subjectOf(request), response);
    } catch (error) {
      if (error instanceof Problem) return error;
      // Limits that cannot be asked are no reason to let anybody in, nor to fail.
    }
    return undefined;
  }

  private mayStillTry(subject: string): boolean {
    const tries = this.triedLately.get(subject) ?? 0;
    if (tries < TRIES_A_SECOND) this.triedLately.set(subject, tries + 1);
    return tries < TRIES_A_SECOND;
  }
}

function subjectOf({ ip }: Request): string {
  return `address:${networkOf(ip)}`;
}
