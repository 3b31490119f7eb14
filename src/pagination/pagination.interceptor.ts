// The one place the list envelope is built: a Page<T> becomes the envelope and a Link header, or rows in another format with the
// totals in headers. Bound to the routes that answer in rows, so that no other one pays for it.
import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { writeRows } from '../formats/rows-writer.js';
import { ROW_TYPE, Rows } from '../formats/rows.js';
import { linksOf } from './links.js';
import { Page } from './page.js';

@Injectable()
export class PaginationInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return next.handle().pipe(
      map((value) => {
        const answer = value instanceof Page ? answerOf(value, context) : value;
        if (!(answer instanceof Rows)) return answer;
        const rowType = this.reflector.get<Type>(ROW_TYPE, context.getHandler());
        return writeRows(answer, rowType, context.switchToHttp().getResponse<Response>());
      }),
    );
  }
}

function answerOf(page: Page<object>, context: ExecutionContext): unknown {
  const http = context.switchToHttp();
  const link = linksOf(page, http.getRequest<Request>().originalUrl);
  const { rowFormat } = page.query;
  if (rowFormat !== undefined)
    return new Rows(rowFormat, page.data, {
      ...(link !== undefined && { Link: link }),
      'X-Total-Items': String(page.totalItems),
      'X-Total-Pages': String(page.totalPages),
    });
  const response = http.getResponse<Response>();
  if (link !== undefined) response.setHeader('Link', link);
  return envelope(page, response);
}

function envelope(page: Page<object>, response: Response): unknown {
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
