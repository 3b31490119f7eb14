// The one global guard: no route runs without a valid X-API-Key that has the scope the route needs, nor more often than its
// limit, unless it is marked @Public(). It fails closed: a route that does not say what it needs lets nobody in.
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { Metrics } from '../metrics/metrics.js';
import { insufficientScope, unauthorized, type Problem } from '../problems/problem.js';
import { RateLimits } from '../rate-limit/rate-limits.js';
import { ApiKeysService } from './api-keys.service.js';
import type { Caller } from './caller.js';
import { IS_PUBLIC } from './public.decorator.js';
import { ANY_KEY, NEEDED_SCOPE, type NeededScope } from './needs-scope.decorator.js';

@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly needs = new Map<unknown, Need>();

  constructor(
    private readonly reflector: Reflector,
    private readonly keys: ApiKeysService,
    private readonly limits: RateLimits,
    private readonly metrics: Metrics,
  ) {}

  /** Without a promise where none is needed: nearly every request has a key that is remembered. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const need = this.needOf(context);
    if (need === PUBLIC) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const key = request.headers['x-api-key'];
    if (typeof key !== 'string' || key === '') {
      this.metrics.countRefusedKey('missing');
      return this.refuse(request, response, MISSING);
    }
    const caller = this.keys.identify(key);
    return caller instanceof Promise
      ? caller.then((found) => this.admit(found, need, request, response))
      : this.admit(caller, need, request, response);
  }

  private admit(
    caller: Caller | undefined,
    need: NeededScope | undefined,
    request: Request,
    response: Response,
  ): boolean | Promise<boolean> {
    if (caller === undefined) {
      this.metrics.countRefusedKey('invalid');
      return this.refuse(request, response, INVALID);
    }
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

  /** Guessing keys is limited too, by address. */
  private async refuse(request: Request, response: Response, reason: () => Problem): Promise<never> {
    if (this.limits.isOn) await this.limits.spend(`address:${request.ip}`, response);
    throw reason();
  }
}

const PUBLIC = 'public';
/** Undefined: the route does not say. */
type Need = NeededScope | typeof PUBLIC | undefined;

const MISSING = () => unauthorized('missing_api_key', 'Send your API key in the X-API-Key header.');
const INVALID = () =>
  unauthorized(
    'invalid_api_key',
    'This API key is unknown, expired or revoked. Ask your operator for a new one.',
  );
