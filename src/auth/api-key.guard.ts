// The one global guard: no route runs without a valid X-API-Key unless it is marked @Public(). It fails closed.
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { unauthorized } from '../problems/problem.js';
import { ApiKeysService } from './api-keys.service.js';
import { rememberCaller } from './caller.js';
import { IS_PUBLIC } from './public.decorator.js';

@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: ApiKeysService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.getAllAndOverride<boolean>(IS_PUBLIC, [context.getHandler(), context.getClass()]))
      return true;
    const request = context.switchToHttp().getRequest<Request>();
    const key = request.headers['x-api-key'];
    if (typeof key !== 'string' || key === '') {
      throw unauthorized('missing_api_key', 'Send your API key in the X-API-Key header.');
    }
    const caller = await this.keys.identify(key);
    if (caller === undefined) {
      throw unauthorized(
        'invalid_api_key',
        'This API key is unknown, expired or revoked. Ask your operator for a new one.',
      );
    }
    rememberCaller(request, caller);
    return true;
  }
}
