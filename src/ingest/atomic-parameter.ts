// @Atomic(): the one parameter of POST /v1/telemetry.
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { parseQueryString, queryStringOf } from '../pagination/raw-parameters.js';
import { didYouMean } from '../problems/did-you-mean.js';
import { invalidParameters, type ParameterError } from '../problems/problem.js';
import { quote } from '../problems/quote.js';

const NAME = 'atomic';

export const Atomic = createParamDecorator((_: unknown, context: ExecutionContext): boolean =>
  readAtomic(queryStringOf(context.switchToHttp().getRequest<Request>())),
);

/** False unless it is said to be true. */
function readAtomic(query: string): boolean {
  const parameters = parseQueryString(query);
  const errors: ParameterError[] = [];
  let atomic: string | undefined;
  for (const { name, value } of parameters) {
    if (name !== NAME) {
      errors.push({
        parameter: name,
        detail: `is not a parameter of this operation; ${didYouMean(name, [NAME])}`,
      });
    } else if (atomic !== undefined) {
      errors.push({ parameter: NAME, detail: 'was sent more than once; send it once' });
    } else {
      atomic = value;
      if (value !== 'true' && value !== 'false') {
        errors.push({ parameter: NAME, detail: `must be true or false, not ${quote(value)}` });
      }
    }
  }
  if (errors.length > 0) throw invalidParameters(errors);
  return atomic === 'true';
}
