// The one global guard: no route runs without a valid API key that has the scope the route needs, nor more often than its
// limit, unless it is marked @Public(). It fails closed: a route that does not say what it needs lets nobody in. Then it has its turn, also a public one.
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { Admission } from '../admission/admission.js';
import { oncePerHandler } from '../once-per-handler.js';
import { RateLimits } from './rate-limits.js';
import { CallerCheck } from './caller-check.js';
import { IS_PUBLIC, limitOf, NEEDED_SCOPE, NEEDS_INGEST, type NeededScope } from './caller.js';

@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly declarations = oncePerHandler((context) => {
    const declared = [context.getHandler(), context.getClass()];
    const isSet = (name: string) =>
      this.reflector.getAllAndOverride<true | undefined>(name, declared) === true;
    return {
      isPublic: isSet(IS_PUBLIC),
      needsIngest: isSet(NEEDS_INGEST),
      needed: this.reflector.getAllAndOverride<NeededScope[] | undefined>(NEEDED_SCOPE, declared),
    };
  });

  constructor(
    private readonly reflector: Reflector,
    private readonly check: CallerCheck,
    private readonly limits: RateLimits,
    private readonly admission: Admission,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const { isPublic, needsIngest, needed } = this.declarations(context);
    const isLeftOut = needsIngest && !this.config.ingest.isOn; // the next guard says that there is nothing
    if (!isPublic || isLeftOut) {
      const http = context.switchToHttp();
      const request = http.getRequest<Request>();
      const response = http.getResponse<Response>();
      const caller = await this.check.authenticate(request, response);
      request.caller = caller;
      if (this.limits.isOn) await this.limits.spend(limitOf(caller), response);
      if (!isLeftOut) this.check.requireScopes(caller, needed);
    }
    if (!this.admission.isSeatedLater(context)) (await this.admission.seat(context))();
    return true;
  }
}
