// The one global guard: no route runs without a valid X-API-Key, nor more often than its limit, unless it is marked
// @Public(). It fails closed.
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { Metrics } from '../metrics/metrics.js';
import { unauthorized, type Problem } from '../problems/problem.js';
import { RateLimits } from '../rate-limit/rate-limits.js';
import { ApiKeysService } from './api-keys.service.js';
import type { Caller } from './caller.js';
import { IS_PUBLIC } from './public.decorator.js';

@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly publicHandlers = new Map<unknown, boolean>();

  constructor(
    private readonly reflector: Reflector,
    private readonly keys: ApiKeysService,
    private readonly limits: RateLimits,
    private readonly metrics: Metrics,
  ) {}

  /** Without a promise where none is needed: nearly every request has a key that is remembered. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (this.isPublic(context)) return true;
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
      ? caller.then((found) => this.admit(found, request, response))
      : this.admit(caller, request, response);
  }

  private admit(
    caller: Caller | undefined,
    request: Request,
    response: Response,
  ): boolean | Promise<boolean> {
    if (caller === undefined) {
      this.metrics.countRefusedKey('invalid');
      return this.refuse(request, response, INVALID);
    }
    request.caller = caller;
    if (!this.limits.isOn) return true;
    return this.limits.spend(`key:${caller.keyPrefix}`, response).then(() => true);
  }

  private isPublic(context: ExecutionContext): boolean {
    const handler = context.getHandler();
    let isPublic = this.publicHandlers.get(handler);
    if (isPublic === undefined) {
      isPublic = this.reflector.getAllAndOverride<boolean>(IS_PUBLIC, [handler, context.getClass()]) ?? false;
      this.publicHandlers.set(handler, isPublic);
    }
    return isPublic;
  }

  /** Guessing keys is limited too, by address. */
  private async refuse(request: Request, response: Response, reason: () => Problem): Promise<never> {
    if (this.limits.isOn) await this.limits.spend(`address:${request.ip}`, response);
    throw reason();
  }
}

const MISSING = () => unauthorized('missing_api_key', 'Send your API key in the X-API-Key header.');
const INVALID = () =>
  unauthorized(
    'invalid_api_key',
    'This API key is unknown, expired or revoked. Ask your operator for a new one.',
  );
