// Makes the answer of every list: before the handler, which format is wanted, and the parameters of a form; after it, the list envelope
// with its Link header, or rows in that format with the totals in headers. Whether a handler lists is told by the class of its parameters.
import { Inject, Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { finalize, map, mergeMap, type Observable } from 'rxjs';
import { Admission, PRICES } from '../admission/admission.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { negotiate, type MediaType } from './media-types.js';
import { Rows, sendableParts, sendableRows } from './rows.js';
import { FormattedQuery, findQueryClass, type PageQuery } from './dto/page.query.js';
import { writeLinks, linkToNext } from './links.js';
import { PageInParts, WalkPage, WholePage } from './page.js';
import { addFormParameters, addParameters } from './parameters.js';

@Injectable()
export class PaginationInterceptor implements NestInterceptor {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly admission: Admission,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const queryClass = findQueryClass(context);
    if (queryClass === undefined) return next.handle();
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const hasFormats = queryClass.prototype instanceof FormattedQuery;
    let format: MediaType = 'application/json';
    if (hasFormats) {
      response.vary('Accept'); // of errors, too
      format = negotiate(request.headers.accept);
      addParameters(request, { format });
    }
    await addFormParameters(request, this.config.limits.maxBodyBytes);
    const asked = { parameters: request.query, usual: hasFormats ? PRICES.list : 1 };
    const isDone = await this.admission.seat(context, asked);
    const answer = (value: unknown): unknown => {
      if (value instanceof WholePage) return pageFor(request, response, value);
      if (value instanceof PageInParts) return partsFor(request, response, value);
      if (value instanceof WalkPage) return walkPageFor(request, response, value);
      return value instanceof Rows ? sendableRows(response, value) : value;
    };
    // An envelope is made at once; rows are written for long.
    const answered = format === 'application/json' ? map(answer) : mergeMap(async (value) => answer(value));
    return next.handle().pipe(answered, finalize(isDone));
  }
}

function walkPageFor(
  request: Request,
  response: Response,
  { object, rowType, items, next, query: { rowFormat } }: WalkPage<object>,
): object | string | Promise<string> {
  if (next !== null) response.setHeader('Link', linkToNext(request, next));
  if (rowFormat === undefined) return { object, data: items.objects, next };
  if (rowFormat === 'text/csv')
    return sendableRows(response, new Rows(rowFormat, rowType, items.objects, {}));
  response.setHeader('Content-Type', `${rowFormat}; charset=utf-8`);
  return items.lines;
}

function pageFor(
  request: Request,
  response: Response,
  { query, rowType, data, totalItems }: WholePage<object>,
): object | Promise<string> {
  if (query.rowFormat !== undefined) {
    const headers = countHeaders(request, query, totalItems);
    return sendableRows(response, new Rows(query.rowFormat, rowType, data, headers));
  }
  const totalPages = totalPagesOf(query, totalItems);
  const link = writeLinks(request, query.page, totalPages);
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

function partsFor(request: Request, response: Response, page: PageInParts<object>): Promise<unknown> {
  const { query } = page;
  if (query.rowFormat === undefined) throw new Error('A page of JSON is never read in parts.');
  return sendableParts(response, query.rowFormat, page, (total) => countHeaders(request, query, total));
}

const totalPagesOf = ({ size }: PageQuery, totalItems: number): number => Math.ceil(totalItems / size);

/** What the envelope of JSON says beside the data. */
function countHeaders(request: Request, query: PageQuery, totalItems: number): Record<string, string> {
  const totalPages = totalPagesOf(query, totalItems);
  const link = writeLinks(request, query.page, totalPages);
  return {
    ...(link !== undefined && { Link: link }),
    'X-Total-Items': String(totalItems),
    'X-Total-Pages': String(totalPages),
  };
}
