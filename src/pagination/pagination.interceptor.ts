// The one place the list envelope is built: a Page<T> becomes it, with its Link header; everything else passes.
import { Injectable, type CallHandler, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import type { TransformingInterceptor } from '../http/lean-interceptors.js';
import { linksOf } from './links.js';
import { Page } from './page.js';

@Injectable()
export class PaginationInterceptor implements TransformingInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return next.handle().pipe(map((value) => this.transform(value, context)));
  }

  transform(value: unknown, context: ExecutionContext): unknown {
    return value instanceof Page ? envelope(value, context) : value;
  }
}

function envelope(page: Page<unknown>, context: ExecutionContext): unknown {
  const http = context.switchToHttp();
  const response = http.getResponse<Response>();
  response.setHeader('Link', linksOf(page, http.getRequest<Request>().originalUrl));
  const number = page.query.pageNumber;
  const body = {
    object: 'list',
    data: page.data,
    page: typeof number === 'bigint' ? 0 : number,
    size: page.query.pageSize,
    total_pages: page.totalPages,
    total_items: page.totalItems,
  };
  if (typeof number !== 'bigint') return body;
  // JSON.stringify cannot write a bigint; such a page is past any end, so its data is [] and "page" stands once.
  response.type('application/json');
  return JSON.stringify(body).replace('"page":0', `"page":${number}`);
}
