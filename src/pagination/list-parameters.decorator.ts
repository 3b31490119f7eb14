// @ListParameters(): asks for the parameters of a list. The pipe reads them from the request and returns the query object
// of the type the handler declares.
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

export const ListParameters = createParamDecorator((_: unknown, context: ExecutionContext): Request =>
  context.switchToHttp().getRequest<Request>(),
);
