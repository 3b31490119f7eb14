// For what has parameters and is no list: they may come in a form body as well.
import { applyDecorators, Inject, Injectable, UseInterceptors } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { finalize, type Observable } from 'rxjs';
import { Admission, SeatedLater } from '../admission/admission.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { addFormParameters } from './parameters.js';

@Injectable()
export class FormParametersInterceptor implements NestInterceptor {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly admission: Admission,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    await addFormParameters(request, this.config.limits.maxBodyBytes);
    const isDone = await this.admission.seat(context, { parameters: request.query });
    return next.handle().pipe(finalize(isDone));
  }
}

export const FormParameters = (): MethodDecorator =>
  applyDecorators(UseInterceptors(FormParametersInterceptor), SeatedLater());
