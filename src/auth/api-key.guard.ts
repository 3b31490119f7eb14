// The one global guard: no route runs without a valid X-API-Key that has the scope the route needs, nor more often than its
// limit, unless it is marked @Public(). It fails closed: a route that does not say what it needs lets nobody in.
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { insufficientScope } from '../problems/problem.js';
import { networkOf } from '../rate-limit/network.js';
import { RateLimits } from '../rate-limit/rate-limits.js';
import { ApiKeysService } from './api-keys.service.js';
import type { Caller } from './caller.js';
import { KeyRefusals } from './key-refusals.js';
import { IS_PUBLIC } from './public.decorator.js';
import { ANY_KEY, NEEDED_SCOPE, type NeededScope } from './needs-scope.decorator.js';

@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly needs = new Map<unknown, Need>();

  constructor(
    private readonly reflector: Reflector,
    private readonly keys: ApiKeysService,
    private readonly limits: RateLimits,
    private readonly refusals: KeyRefusals,
  ) {}

  /** Without a promise where none is needed: nearly every request has a key that is remembered. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const need = this.needOf(context);
    if (need === PUBLIC) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const key = request.headers['x-api-key'];
    if (typeof key !== 'string' || key === '') return this.refuse('missing', request, response);
    const remembered = this.keys.recall(key);
    if (remembered !== undefined) return this.admit(remembered, need, request, response);
    const lookUp = this.keys.lookUp(key, networkOf(request.ip));
    return lookUp.then((found) => this.admit(found, need, request, response));
  }

  private admit(
    caller: Caller | null,
    need: NeededScope | undefined,
    request: Request,
    response: Response,
  ): boolean | Promise<boolean> {
    if (caller === null) return this.refuse('invalid', request, response);
    request.caller = caller;
    if (!this.limits.isOn) return this.allow(caller, need);
    return this.limits.spend(`key:${caller.keyPrefix}`, response).then(() => this.allow(caller, need));
  }

  private allow({ scopes }: Caller, need: NeededScope | undefined): true {
    if (need === ANY_KEY || (need !== undefined && scopes.includes(need))) return true;
    throw insufficientScope(need, scopes);
  }

  private needOf(context: ExecutionContext): Need {
    const handler = context.getHandler();
    if (this.needs.has(handler)) return this.needs.get(handler);
    const declared = [handler, context.getClass()];
    const need = this.reflector.getAllAndOverride<boolean | undefined>(IS_PUBLIC, declared)
      ? PUBLIC
      : this.reflector.getAllAndOverride<NeededScope | undefined>(NEEDED_SCOPE, declared);
    this.needs.set(handler, need);
    return need;
  }

  private async refuse(reason: 'missing' | 'invalid', request: Request, response: Response): Promise<never> {
    throw await this.refusals.count(reason, request, response);
  }
}

const PUBLIC = 'public';
/** Undefined: the route does not say. */
type Need = NeededScope | typeof PUBLIC | undefined;
