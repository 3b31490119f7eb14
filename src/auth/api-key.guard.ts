// The one global guard: no route runs without a valid X-API-Key that has the scope the route needs, nor more often than its
// limit, unless it is marked @Public(). It fails closed: a route that does not say what it needs lets nobody in.
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { insufficientScope } from '../problems/problem.js';
import { networkOf } from '../rate-limit/network.js';
import { RateLimits } from '../rate-limit/rate-limits.js';
import { ApiKeysService } from './api-keys.service.js';
import { RejectedKeys } from './rejected-keys.js';
import { IS_PUBLIC } from './public.decorator.js';
import { ANY_KEY, NEEDED_SCOPE, type NeededScope } from './needs-scope.decorator.js';

@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: ApiKeysService,
    private readonly limits: RateLimits,
    private readonly rejected: RejectedKeys,
  ) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const declared = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(IS_PUBLIC, declared)) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const key = request.headers['x-api-key'];
    if (typeof key !== 'string' || key === '') throw await this.rejected.count('missing', request, response);
    const caller = await this.keys.callerOf(key, networkOf(request.ip));
    if (caller === null) throw await this.rejected.count('invalid', request, response);
    request.caller = caller;
    if (this.limits.isOn) await this.limits.spend(`key:${caller.keyPrefix}`, response);
    const need = this.reflector.getAllAndOverride<NeededScope | undefined>(NEEDED_SCOPE, declared);
    if (need === ANY_KEY || (need !== undefined && caller.scopes.includes(need))) return true;
    throw insufficientScope(need, caller.scopes);
  }
}
