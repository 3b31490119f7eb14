// @Atomic(): the one parameter of POST /v1/telemetry.
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { parseQueryString, queryStringOf } from '../pagination/raw-parameters.js';
import { didYouMean } from '../problems/did-you-mean.js';
import { invalidParameters, type ParameterError } from '../problems/problem.js';
import { quote } from '../problems/quote.js';

const NAME = 'atomic';

/** False unless it is sent as true. */
export const Atomic = createParamDecorator((_: unknown, context: ExecutionContext): boolean => {
  const errors: ParameterError[] = [];
  let atomic: string | undefined;
  for (const { name, value } of parseQueryString(
    queryStringOf(context.switchToHttp().getRequest<Request>()),
  )) {
    let detail: string | undefined;
    if (name !== NAME) detail = `is not a parameter of this operation; ${didYouMean(name, [NAME])}`;
    else if (atomic !== undefined) detail = 'was sent more than once; send it once';
    else if (value !== 'true' && value !== 'false') detail = `must be true or false, not ${quote(value)}`;
    if (detail !== undefined) errors.push({ parameter: name, detail });
    if (name === NAME) atomic ??= value;
  }
  if (errors.length > 0) throw invalidParameters(errors);
  return atomic === 'true';
});
