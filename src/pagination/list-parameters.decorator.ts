// @ListParameters(): the parameters of a list, as the query object of the type the handler declares.
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { ListQueryPipe } from './list-query.pipe.js';

const TheRequest = createParamDecorator((_: unknown, context: ExecutionContext): Request =>
  context.switchToHttp().getRequest<Request>(),
);

/** The pipe stands here rather than before every parameter of every route: it costs only the lists. */
export const ListParameters = (): ParameterDecorator => TheRequest(ListQueryPipe);
