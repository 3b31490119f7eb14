// Writes rows in the format that was asked for, with headers for what the JSON around them would hold.
import type { Type } from '@nestjs/common';
import type { Response } from 'express';
import { etagOf } from '../http/etag.js';
import { writeCsv } from './csv.js';
import { columnsOf } from './described-fields.js';
import type { Rows } from './rows.js';

export function writeRows({ format, items, headers }: Rows, rowType: Type, response: Response): string {
  const text = format === 'text/csv' ? writeCsv(columnsOf(rowType), items) : writeNdjson(items);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Content-Type', `${format}; charset=utf-8`);
  // The body alone would not show a new total, nor one empty format from another.
  response.setHeader('ETag', etagOf(`${format}\n${JSON.stringify(headers)}\n${text}`));
  return text;
}

/** Each object as JSON shows it, on a line of its own. */
export function writeNdjson(items: readonly object[]): string {
  let text = '';
  for (const item of items) text += `${JSON.stringify(item)}\n`;
  return text;
}
