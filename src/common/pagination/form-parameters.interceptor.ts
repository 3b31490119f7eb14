// For what has parameters and is no list: they may come in a form body as well.
import { Inject, Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { CONFIG } from '../../platform/config/config.module.js';
import type { Config } from '../../platform/config/config.js';
import { addFormParameters } from './parameters.js';

@Injectable()
export class FormParametersInterceptor implements NestInterceptor {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    await addFormParameters(request, this.config.limits.maxBodyBytes);
    return next.handle();
  }
}
