// Makes the answer of a list: before the handler, which format is wanted; after it, the list envelope with its Link header, or rows in
// that format with the totals in headers.
import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { negotiate } from '../formats/media-types.js';
import { Rows, sendableRows } from '../formats/rows.js';
import { linksOf } from './links.js';
import { Page } from './page.js';
import { addFormParameters, addParameters } from './parameters.js';

@Injectable()
export class PaginationInterceptor implements NestInterceptor {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    response.vary('Accept'); // of errors, too
    addParameters(request, { format: negotiate(request.headers.accept) });
    await addFormParameters(request, this.config.limits.maxBodyBytes);
    return next.handle().pipe(
      map((value: unknown) => {
        if (value instanceof Page) return pageFor(request, response, value);
        return value instanceof Rows ? sendableRows(response, value) : value;
      }),
    );
  }
}

function pageFor(request: Request, response: Response, page: Page<object>): object | string {
  const { query, rowType, data, totalItems, totalPages } = page;
  const link = linksOf(request, query.page, totalPages);
  if (query.rowFormat !== undefined) {
    const headers = {
      ...(link !== undefined && { Link: link }),
      'X-Total-Items': String(totalItems),
      'X-Total-Pages': String(totalPages),
    };
    return sendableRows(response, new Rows(query.rowFormat, rowType, data, headers));
  }
  if (link !== undefined) response.setHeader('Link', link);
  return {
    object: 'list',
    data,
    page: query.page,
    size: query.size,
    total_pages: totalPages,
    total_items: totalItems,
  };
}
