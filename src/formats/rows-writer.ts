// Writes rows in the format that was asked for, with what the JSON around them would tell in headers.
import { Injectable, type ExecutionContext, type Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { etagOf } from '../http/etag.js';
import { columnsOf } from './columns.js';
import { writeCsv } from './csv.js';
import { writeNdjson } from './ndjson.js';
import { ROW_TYPE, type Rows } from './rows.js';

@Injectable()
export class RowsWriter {
  constructor(private readonly reflector: Reflector) {}

  write({ format, items, headers }: Rows, context: ExecutionContext): string {
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
