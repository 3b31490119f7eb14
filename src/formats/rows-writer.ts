// Writes rows in the format that was asked for, with what the JSON around them would say in headers.
import type { Type } from '@nestjs/common';
import type { Response } from 'express';
import { etagOf } from '../http/etag.js';
import { columnsOf } from './columns.js';
import { writeCsv } from './csv.js';
import { writeNdjson } from './ndjson.js';
import type { Rows } from './rows.js';

export function writeRows({ format, items, headers }: Rows, rowType: Type, response: Response): string {
  const text = format === 'text/csv' ? writeCsv(columnsOf(rowType), items) : writeNdjson(items);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Content-Type', `${format}; charset=utf-8`);
  // The body alone would not show a new total, nor one empty format from another.
  response.setHeader('ETag', etagOf(`${format}\n${JSON.stringify(headers)}\n${text}`));
  return text;
}
