// The one global guard: no route runs without a valid X-API-Key, nor more often than its limit, unless it is marked
// @Public(). It fails closed.
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { Metrics } from '../metrics/metrics.js';
import { unauthorized, type Problem } from '../problems/problem.js';
import { RateLimits } from '../rate-limit/rate-limits.js';
import { ApiKeysService } from './api-keys.service.js';
import { rememberCaller } from './caller.js';
import { IS_PUBLIC } from './public.decorator.js';

@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: ApiKeysService,
    private readonly limits: RateLimits,
    private readonly metrics: Metrics,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.getAllAndOverride<boolean>(IS_PUBLIC, [context.getHandler(), context.getClass()]))
      return true;
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const key = request.headers['x-api-key'];
    if (typeof key !== 'string' || key === '') {
      this.metrics.countRefusedKey('missing');
      return this.refuse(request, response, MISSING);
    }
    const caller = await this.keys.identify(key);
    if (caller === undefined) {
      this.metrics.countRefusedKey('invalid');
      return this.refuse(request, response, INVALID);
    }
    rememberCaller(request, caller);
    if (this.limits.isOn) await this.limits.spend(`key:${caller.keyPrefix}`, response);
    return true;
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
