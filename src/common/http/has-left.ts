// @HasLeft(): whether the caller is gone, for work that takes long.
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';

/** True also when the request was answered because its time was over, and when the client closed its half of the connection. */
export const HasLeft = createParamDecorator((_: unknown, context: ExecutionContext): (() => boolean) => {
  const response = context.switchToHttp().getResponse<Response>();
  return () => response.closed || response.writableEnded || response.req.socket.readableEnded;
});
