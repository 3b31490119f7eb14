// Whether a request's key lets its caller in: a valid key, with the scope that is needed.
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { insufficientScope } from '../problems/problem.js';
import { networkOf } from '../rate-limit/network.js';
import { ApiKeysService } from './api-keys.service.js';
import type { Caller } from './caller.js';
import { ANY_KEY, type NeededScope } from './needs-scope.decorator.js';
import { RejectedKeys } from './rejected-keys.js';

@Injectable()
export class CallerCheck {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly rejected: RejectedKeys,
  ) {}

  recognize(request: Request, response: Response): Promise<Caller> {
    return this.check(request, response, true);
  }

  /** After a wait: whatever was known before, the key may have ended. */
  recognizeAnew(request: Request, response: Response): Promise<Caller> {
    return this.check(request, response, false);
  }

  private async check(request: Request, response: Response, mayBeCached: boolean): Promise<Caller> {
    const key = request.headers['x-api-key'];
    if (typeof key !== 'string' || key === '') throw await this.rejected.count('missing', request, response);
    const caller = await this.keys.callerOf(key, networkOf(request.ip), mayBeCached);
    if (caller === null) throw await this.rejected.count('invalid', request, response);
    return caller;
  }

  /** `need` is undefined where a route forgot to say. */
  requireScope(caller: Caller, need: NeededScope | undefined): void {
    if (need !== ANY_KEY && (need === undefined || !caller.scopes.includes(need)))
      throw insufficientScope(need, caller.scopes);
  }
}
