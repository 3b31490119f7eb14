// Makes the answer of every list: before the handler, which format is wanted, and the parameters of a form; after it, the list envelope
// with its Link header, or rows in that format with the totals in headers. Whether a handler lists is told by the class of its parameters.
import { Inject, Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { finalize, from, mergeMap, of, type Observable } from 'rxjs';
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
    const answerLater = async (value: unknown): Promise<unknown> => answer(value);
    // An envelope is made at once; rows, and a page of too many bytes, are written for long.
    const isLong = (value: unknown): boolean => format !== 'application/json' || value instanceof PageInParts;
    const answered = mergeMap((value) => (isLong(value) ? from(answerLater(value)) : of(answer(value))));
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
  const { headers, envelope } = totalsOfJson(request, query, totalItems);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  return { object: 'list', data, ...envelope };
}

function partsFor(request: Request, response: Response, page: PageInParts<object>): Promise<unknown> {
  const { query } = page;
  return sendableParts(response, query.format, page, (total) =>
    query.rowFormat === undefined
      ? totalsOfJson(request, query, total)
      : { headers: countHeaders(request, query, total) },
  );
}

function totalsOfJson(request: Request, query: PageQuery, totalItems: number) {
  const totalPages = totalPagesOf(query, totalItems);
  const link = writeLinks(request, query.page, totalPages);
  return {
    headers: link === undefined ? {} : { Link: link },
    envelope: { page: query.page, size: query.size, total_pages: totalPages, total_items: totalItems },
  };
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
