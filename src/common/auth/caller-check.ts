// Whether a request's key or session lets its caller in: a valid one, with the scope that is needed. Each one that is missing or not valid
// is counted: guessing is limited too, by network. A request with a key is that key's, whatever cookie it has.
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { insufficientScope, Problem, unauthorized } from '../problems/problem.js';
import { keyIn } from './api-key.js';
import { ApiKeysService } from './api-keys.service.js';
import { ANY_KEY, type Caller, type NeededScope } from './caller.js';
import type { Scope } from './scope.js';
import { requireOwnPage, sessionCookie, type Cookie } from './cookies.js';
import { findNetwork } from './network.js';
import { RateLimits } from './rate-limits.js';
import { Sessions } from './sessions.js';
import { SourceTokens, sourceTokenIn } from './source-tokens.js';

/** Made once: an Error that is made for each of a flood of requests costs more than all the rest. */
export const KEY_PROBLEMS = {
  missing: unauthorized('missing_api_key', 'Send your API key in the X-API-Key header.'),
  invalid: unauthorized(
    'invalid_api_key',
    'This API key is unknown, expired or revoked. Ask your operator for a new one.',
  ),
  ended: unauthorized('session_ended', 'Your session has ended. Sign in again.'),
};

/** A session may do the others for this service's own page only. */
const HARMLESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** An address over its limit has five keys a second looked up: a good one that is new must be told from guesses. */
const TRIES_A_SECOND = 5;

@Injectable()
export class CallerCheck {
  private readonly cookie: Cookie;
  private readonly triedLately = new LRUCache<string, number>({ max: 10_000, ttl: 1_000 });

  constructor(
    private readonly keys: ApiKeysService,
    private readonly sessions: Sessions,
    private readonly tokens: SourceTokens,
    private readonly limits: RateLimits,
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.cookie = sessionCookie(config.publicUrl);
  }

  /** `mayBeCached` is false after a wait: whatever was known before, the key may have ended. */
  async authenticate(request: Request, response: Response, mayBeCached = true): Promise<Caller> {
    const token = sourceTokenIn(request);
    if (token !== undefined) return this.admit(this.tokens, token, 'invalid', request, response, mayBeCached);
    const key = keyIn(request.headers);
    if (key !== undefined) return this.authenticateKey(key, request, response, mayBeCached);
    const session = this.cookie.in(request);
    if (session === undefined) throw this.refusal('missing', await this.countRefused(request, response));
    if (!HARMLESS.has(request.method)) requireOwnPage(request, this.config.publicUrl);
    return this.admit(this.sessions, session, 'ended', request, response, mayBeCached);
  }

  authenticateKey(key: string, request: Request, response: Response, mayBeCached = true): Promise<Caller> {
    return this.admit(this.keys, key, 'invalid', request, response, mayBeCached);
  }

  private async admit(
    known: Pick<ApiKeysService, 'isNew' | 'callerOf'>,
    credential: string,
    reason: 'invalid' | 'ended',
    request: Request,
    response: Response,
    mayBeCached: boolean,
  ): Promise<Caller> {
    // One that was never used here is counted first, and given back if it is good: guesses over the limit do not reach the database.
    const isNew = this.limits.isOn && known.isNew(credential);
    const limit = isNew ? await this.countRefused(request, response) : undefined;
    if (limit !== undefined && !this.mayStillTry(nameNetwork(request))) throw this.refusal(reason, limit);
    const caller = await known.callerOf(credential, mayBeCached);
    if (caller === null)
      throw this.refusal(reason, isNew ? limit : await this.countRefused(request, response));
    if (isNew) this.giveBack(request);
    return caller;
  }

  /** Before what costs something without a key, such as asking the identity provider: refused to those who were refused too often. */
  async countTry(request: Request, response: Response): Promise<void> {
    const limit = await this.countRefused(request, response);
    if (limit !== undefined && !this.mayStillTry(nameNetwork(request))) throw limit;
  }

  /** For a try that was good. */
  giveBack(request: Request): void {
    if (this.limits.isOn) this.limits.giveBack(nameNetwork(request));
  }

  /** `needed` is undefined where a route forgot to say. */
  requireScopes(caller: Caller, needed: readonly NeededScope[] | undefined): void {
    if (needed === undefined) throw insufficientScope(undefined, caller);
    const lacks = needed.find((need): need is Scope => need !== ANY_KEY && !caller.scopes.includes(need));
    if (lacks !== undefined) throw insufficientScope(lacks, caller);
  }

  private refusal(reason: keyof typeof KEY_PROBLEMS, limit: Problem | undefined): Problem {
    this.metrics.count('api_key_refusals_total', { reason: reason === 'missing' ? 'missing' : 'invalid' });
    return limit ?? KEY_PROBLEMS[reason];
  }

  /** Resolves with a 429 for those who were refused too often. */
  private async countRefused(request: Request, response: Response): Promise<Problem | undefined> {
    if (!this.limits.isOn) return undefined;
    try {
      await this.limits.spend(nameNetwork(request), response);
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

function nameNetwork({ ip }: Request): string {
  return `address:${findNetwork(ip)}`;
}
