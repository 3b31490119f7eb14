// The last step before an answer leaves: rows are written in the format that was asked for. JSON passes.
import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { etagOf } from '../http/etag.js';
import { columnsOf } from './columns.js';
import { writeCsv } from './csv.js';
import { writeNdjson } from './ndjson.js';
import { ROW_TYPE, Rows } from './rows.js';

@Injectable()
export class FormatsInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return next.handle().pipe(map((value) => (value instanceof Rows ? this.write(value, context) : value)));
  }

  private write({ format, items, headers }: Rows, context: ExecutionContext): string {
    const text = format === 'text/csv' ? this.csv(items, context) : writeNdjson(items);
    const response = context.switchToHttp().getResponse<Response>();
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.setHeader('Content-Type', `${format}; charset=utf-8`);
    // The body alone would not tell a new total, nor one empty format from another.
    response.setHeader('ETag', etagOf(`${format}\n${JSON.stringify(headers)}\n${text}`));
    return text;
  }

  private csv(items: readonly object[], context: ExecutionContext): string {
    const rowType = this.reflector.get<Type | undefined>(ROW_TYPE, context.getHandler());
    if (rowType === undefined) throw new Error('A route that answers in rows needs @RowsOf().');
    return writeCsv(columnsOf(rowType), items);
  }
}
