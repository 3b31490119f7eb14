// @Atomic(): the one parameter of POST /v1/telemetry.
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { isFlag, readParameters } from '../pagination/few-parameters.js';

/** False unless it is sent as true. */
export const Atomic = createParamDecorator((_: unknown, context: ExecutionContext): boolean => {
  const request = context.switchToHttp().getRequest<Request>();
  return readParameters(request, { atomic: isFlag }).atomic === 'true';
});
