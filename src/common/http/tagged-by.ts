// @TaggedBy(): the ETags of a controller whose objects also show what changes by itself, or what one answer only has.
import { UseInterceptors, type CallHandler, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { tap } from 'rxjs';
import { createEtag } from './etag.js';

/** `tagged`: what the tag of an answer names. */
export function TaggedBy(tagged: (answer: object) => object): ClassDecorator {
  const setTag = (response: Response, answer: object | undefined): void => {
    const isObject = answer !== undefined && 'object' in answer; // no page of a list
    if (isObject && !response.hasHeader('ETag'))
      response.setHeader('ETag', createEtag(JSON.stringify(tagged(answer))));
  };
  return UseInterceptors({
    intercept: (context: ExecutionContext, next: CallHandler<object | undefined>) =>
      next.handle().pipe(tap((answer) => setTag(context.switchToHttp().getResponse<Response>(), answer))),
  });
}
