// The answer in another format than JSON: rows, and headers for what the JSON around them would hold.
import type { Type } from '@nestjs/common';
import type { Response } from 'express';
import { setImmediate } from 'node:timers/promises';
import { etagOf } from '../http/etag.js';
import { columnsOf } from './columns.js';
import { csvHeader, csvRows } from './csv.js';
import { MEDIA_TYPES, type MediaType } from './media-types.js';

export type RowFormat = Exclude<MediaType, 'application/json'>;
export const ROW_FORMATS = MEDIA_TYPES.filter((type): type is RowFormat => type !== 'application/json');

export class Rows<T extends object> {
  constructor(
    readonly format: RowFormat,
    /** Its fields are the columns. */
    readonly rowType: Type<T>,
    readonly items: readonly T[],
    /** Totals and links: in JSON they stand beside the data. */
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}

/** The body, after the headers are set. */
export async function sendableRows(
  response: Response,
  { format, rowType, items, headers }: Rows<object>,
): Promise<string> {
  const columns = columnsOf(rowType);
  const write = format === 'text/csv' ? (rows: readonly object[]) => csvRows(columns, rows) : writeNdjson;
  let text = format === 'text/csv' ? csvHeader(columns) : '';
  for (let start = 0; start < items.length; start += ROWS_AT_A_TIME) {
    if (start > 0) await setImmediate();
    text += write(items.slice(start, start + ROWS_AT_A_TIME));
  }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Content-Type', `${format}; charset=utf-8`);
  // The body alone would not show a new total, nor one empty format from another.
  response.setHeader('ETag', etagOf(`${format}\n${JSON.stringify(headers)}\n${text}`));
  return text;
}

/** Others come in between. */
const ROWS_AT_A_TIME = 500;

/** Each object as JSON shows it, on a line of its own. */
export function writeNdjson(items: readonly object[]): string {
  let text = '';
  for (const item of items) text += `${JSON.stringify(item)}\n`;
  return text;
}
