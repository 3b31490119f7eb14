// Reads the body that a handler takes: after the guard, so that nobody without a key makes us read one, and before the pipes, so that the
// handler has a plain @Body().
import {
  applyDecorators,
  Inject,
  Injectable,
  SetMetadata,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { finalize, type Observable } from 'rxjs';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { expectsBody } from '../http/request-body.js';
import type { Problem } from '../problems/problem.js';
import { NoParameters } from '../validation/no-parameters.js';
import { InputValidationPipe } from '../validation/validation.pipe.js';
import { Bodies } from './bodies.js';
import { requireType, type AcceptedBody } from './content-type.js';

export interface BodyRules extends AcceptedBody {
  readonly maxBytes: (config: Config) => number;
  readonly tooLarge: (maxBytes: number) => Problem;
  /** What the handler gets of the text. */
  readonly parse: (text: string, request: Request) => unknown;
  /** What it gets without any body; where this is left out, a body is required. */
  readonly without?: object;
  /** From the end of the body, where that is not the usual time. */
  readonly answerWithinMs?: number;
  /** The class of the parameters, which are refused before the body is read. */
  readonly parameters?: Type;
}

const BODY_RULES = 'body rules';

@Injectable()
export class BodyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly bodies: Bodies,
    private readonly validation: InputValidationPipe,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    const rules = this.reflector.get<BodyRules>(BODY_RULES, context.getHandler());
    const metatype = rules.parameters ?? NoParameters;
    await this.validation.transform(request.query, { type: 'query', metatype });
    if (rules.without !== undefined && !expectsBody(request)) {
      request.body = rules.without;
      return next.handle();
    }
    const { isGzip } = requireType(request.headers, rules);
    const response = context.switchToHttp().getResponse<Response>();
    const maxBytes = rules.maxBytes(this.config);
    const bounds = {
      isGzip,
      maxBytes,
      tooLarge: rules.tooLarge(maxBytes),
      answerWithinMs: rules.answerWithinMs,
    };
    const { text, release } = await this.bodies.read(
      request,
      response,
      request.caller?.keyPrefix ?? '',
      bounds,
    );
    try {
      request.body = rules.parse(text, request);
    } catch (error) {
      release();
      throw error;
    }
    return next.handle().pipe(finalize(release));
  }
}

export function ReadsBody(rules: BodyRules): MethodDecorator {
  return applyDecorators(SetMetadata(BODY_RULES, rules), UseInterceptors(BodyInterceptor));
}
