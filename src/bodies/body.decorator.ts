// @JsonBody() and its like: which body a handler takes. BodyInterceptor reads it, so that the handler has a plain @Body().
import { applyDecorators, SetMetadata, UseInterceptors, type Type } from '@nestjs/common';
import type { Problem } from '../problems/problem.js';
import { BodyInterceptor } from './body.interceptor.js';

export interface BodyRules {
  /** What may be sent, in the order in which it is offered. */
  readonly types: readonly string[];
  /** Which header lists them, when another type was sent. */
  readonly acceptedIn: 'Accept-Post' | 'Accept' | 'Accept-Patch';
  readonly maxBytes: number;
  readonly tooLarge: Problem;
  /** The class of the parameters, which are checked before the body is read. */
  readonly parameters?: Type;
}

export const BODY_RULES = 'body rules';

export function ReadsBody(rules: BodyRules): MethodDecorator {
  return applyDecorators(SetMetadata(BODY_RULES, rules), UseInterceptors(BodyInterceptor));
}
