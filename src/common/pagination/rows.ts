// The answer in another format than JSON: rows, and headers for what the JSON around them would hold.
import { StreamableFile, type Type } from '@nestjs/common';
import type { Response } from 'express';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { createEtag, PartsTag } from '../http/etag.js';
import { listCsvColumns } from './columns.js';
import { csvHeader, csvRows } from './csv.js';
import { MEDIA_TYPES, type RowFormat } from './media-types.js';
import type { Parts } from '../../platform/database/rows-in-parts.js';
import type { PageInParts, PartOfPage } from './page.js';

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

type Headers = Readonly<Record<string, string>>;

/** The body, after the headers are set. */
export async function sendableRows(
  response: Response,
  { format, rowType, items, headers }: Rows<object>,
): Promise<string> {
  const { start: head, write } = chooseWriter(format, rowType);
  let text = head;
  for (let start = 0; start < items.length; start += ROWS_AT_A_TIME) {
    if (start > 0) await setImmediate();
    text += write(items.slice(start, start + ROWS_AT_A_TIME));
  }
  setHeaders(response, format, headers);
  // The body alone would not show a new total, nor one empty format from another.
  response.setHeader('ETag', createEtag(`${format}\n${JSON.stringify(headers)}\n${text}`));
  return text;
}

/**
 * The body of a page in parts, after the headers are set: the page is read for its ETag first, and again while the client takes it. What
 * fails then ends the connection.
 */
export function sendableParts(
  response: Response,
  format: RowFormat,
  { rowType, read }: PageInParts<object>,
  headersOf: (totalItems: number) => Headers,
): Promise<StreamableFile | string> {
  const { start, write } = chooseWriter(format, rowType);
  return new Promise((answer, fail) => {
    read(async (parts) => {
      const tag = new PartsTag();
      let headers: Headers = {};
      tag.add(start);
      for await (const { data, totalItems } of parts()) {
        headers = headersOf(totalItems);
        tag.add(write(data));
      }
      setHeaders(response, format, headers);
      response.setHeader('ETag', tag.etag(`${format}\n${JSON.stringify(headers)}`));
      if (response.req.fresh) return answer('');
      response.setHeader('Content-Length', tag.length).flushHeaders();
      const body = Readable.from(textOf(start, write, parts));
      answer(new StreamableFile(body));
      await finished(body);
    }).catch(fail);
  });
}

async function* textOf(
  start: string,
  write: Write,
  parts: Parts<PartOfPage<object>>,
): AsyncGenerator<string> {
  if (start !== '') yield start;
  for await (const { data } of parts()) yield write(data);
}

type Write = (items: readonly object[]) => string;

function chooseWriter(format: RowFormat, rowType: Type<object>): { start: string; write: Write } {
  if (format !== 'text/csv') return { start: '', write: writeNdjson };
  const columns = listCsvColumns(rowType);
  return { start: csvHeader(columns), write: (items) => csvRows(columns, items) };
}

function setHeaders(response: Response, format: RowFormat, headers: Headers): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Content-Type', `${format}; charset=utf-8`);
}

/** Others come in between. */
const ROWS_AT_A_TIME = 500;

/** Each object as JSON shows it, on a line of its own. */
export function writeNdjson(items: readonly object[]): string {
  let text = '';
  for (const item of items) text += `${JSON.stringify(item)}\n`;
  return text;
}
