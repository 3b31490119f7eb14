// The answer in another format than JSON: rows, and headers for what the JSON around them would hold.
import { StreamableFile, type Type } from '@nestjs/common';
import type { Response } from 'express';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { createEtag, PartsTag } from '../http/etag.js';
import { listCsvColumns } from './columns.js';
import { csvHeader, csvRows } from './csv.js';
import { MEDIA_TYPES, type MediaType, type RowFormat } from './media-types.js';
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
  const { start, write } = chooseWriter(format, rowType);
  let text = start;
  for (let at = 0; at < items.length; at += ROWS_AT_A_TIME) {
    if (at > 0) await setImmediate();
    text += write(items.slice(at, at + ROWS_AT_A_TIME), at === 0);
  }
  setHeaders(response, format, headers);
  // The body alone would not show a new total, nor one empty format from another.
  response.setHeader('ETag', createEtag(`${format}\n${JSON.stringify(headers)}\n${text}`));
  return text;
}

/** The parts of an answer that depend on how many items there are in all. */
export interface Totals {
  readonly headers: Headers;
  /** In JSON: what the envelope says beside the data. */
  readonly envelope?: object;
}

/**
 * The body of a page in parts, after the headers are set: the page is read for its ETag first, and again while the client takes it. What
 * fails then ends the connection.
 */
export function sendableParts(
  response: Response,
  format: MediaType,
  { rowType, read }: PageInParts<object>,
  totalsOf: (totalItems: number) => Totals,
): Promise<StreamableFile | string> {
  const writer = format === 'application/json' ? JSON_LIST : chooseWriter(format, rowType);
  return new Promise((answer, fail) => {
    read(async (parts) => {
      const tag = new PartsTag();
      let totals: Totals = { headers: {} };
      const texts = (): AsyncGenerator<string> =>
        textOf(writer, parts, (total) => (totals = totalsOf(total)));
      for await (const text of texts()) tag.add(text);
      setHeaders(response, format, totals.headers);
      // The envelope of JSON shows them.
      const facts = format === 'application/json' ? '' : `${format}\n${JSON.stringify(totals.headers)}`;
      response.setHeader('ETag', tag.etag(facts));
      if (response.req.fresh) return answer('');
      response.setHeader('Content-Length', tag.length).flushHeaders();
      const body = Readable.from(texts());
      answer(new StreamableFile(body));
      await finished(body);
    }).catch(fail);
  });
}

async function* textOf(
  { start, write, end }: Writer,
  parts: Parts<PartOfPage<object>>,
  totalsOf: (totalItems: number) => Totals,
): AsyncGenerator<string> {
  if (start !== '') yield start;
  let totals: Totals | undefined;
  for await (const { data, totalItems } of parts()) {
    yield write(data, totals === undefined);
    totals ??= totalsOf(totalItems);
  }
  if (end !== undefined && totals?.envelope !== undefined) yield end(totals.envelope);
}

interface Writer {
  readonly start: string;
  readonly write: (items: readonly object[], areFirst: boolean) => string;
  readonly end?: (envelope: object) => string;
}

/** As JSON.stringify() writes it. */
const JSON_LIST: Writer = {
  start: '{"object":"list","data":[',
  write: (items, areFirst) => (areFirst ? '' : ',') + items.map((item) => JSON.stringify(item)).join(','),
  end: (envelope) => `],${JSON.stringify(envelope).slice(1)}`,
};

function chooseWriter(format: RowFormat, rowType: Type<object>): Writer {
  if (format !== 'text/csv') return { start: '', write: writeNdjson };
  const columns = listCsvColumns(rowType);
  return { start: csvHeader(columns), write: (items) => csvRows(columns, items) };
}

function setHeaders(response: Response, format: MediaType, headers: Headers): void {
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
