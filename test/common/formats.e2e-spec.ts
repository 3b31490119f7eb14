// The lists as CSV and NDJSON: the same page as in JSON, told apart by Accept alone.
import { describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { Test } from 'supertest';
import { startService, textOf } from '../support/app.js';
import {
  aTank,
  insertCustomer,
  insertCustomers,
  insertReadings,
  insertTank,
  insertTanks,
} from '../support/builders.js';
import { operationsOf } from '../support/operations.js';
import { problem } from '../support/problems.js';

const service = await startService();
const { api, sql } = service;

const CSV = 'text/csv';
const NDJSON = 'application/x-ndjson';
const JSONL = 'application/jsonl';
const FORMATS = [CSV, NDJSON, JSONL];
const LISTS = ['/v1/customers', '/v1/tanks', '/v1/tanks/tank/telemetry', '/v1/events'];
const LISTS_IN_FORMATS = LISTS.flatMap((list) => FORMATS.map((format) => [list, format] as const));

/** What a spreadsheet, a parser and an import are most easily led astray by. */
const NASTY = ['', ' ', 'a,b', 'say "hi"', 'two\r\nlines', '=1+1', 'é漢😀', '"', ',', '\n', 'null', '0'];

await insertCustomer(sql, { id: 'owner', phone: '+1 206 555 0142', is_verified: true });
const customers = NASTY.map((name) => ({ name, phone: name }));
await insertCustomers(sql, customers);
await insertTank(sql, 'owner', { id: 'tank', latitude: 51.9, longitude: -0, use_case: 'commercial' });
const nasty = NASTY.map((text) => aTank('owner', { name: text, custom_id: text, city: text }));
await insertTanks(sql, nasty);
// Each of them is low at once, which is an event that names it.
for (const { id } of nasty) {
  await insertReadings(sql, id, [{ created_at: new Date().toISOString(), fill_percentage: 1.5 }]);
}
await insertReadings(sql, 'tank', [
  { created_at: '2026-01-01T00:00:00.000Z', fill_percentage: 0 },
  { created_at: '2026-01-02T00:00:00.010Z', fill_percentage: 63.25 },
  { created_at: '2026-01-03T00:00:00.100Z', fill_percentage: 1e-7 },
]);

type Item = Record<string, string | number | boolean | null | object>;

const inFormat = (path: string, format: string): Test => api.get(path).set('Accept', format);

async function jsonOf(path: string): Promise<Item[]> {
  return ((await api.get(path).expect(200)).body as { data: Item[] }).data;
}

function countRows(text: string, format: string): number {
  return format === CSV ? (parse(text, { from_line: 2 }) as unknown[]).length : text.split('\n').length - 1;
}

/** An item of JSON as the cells of CSV, written out a second time on purpose. */
function cellsOf(item: Item): (string | null)[] {
  return Object.entries(item).flatMap(([name, value]) => {
    if (name === 'object') return [];
    if (name === 'data') return [JSON.stringify(value)]; // of an event
    if (typeof value === 'object' && value !== null) return cellsOf(value as Item);
    return [value === null ? null : String(value)];
  });
}

const TABLES = operationsOf(service.document, 'tank').filter(
  ({ template, documented: { responses } }) =>
    /^[^{]+$|^.v1.tanks/.test(template) && responses['200']?.['x-other-formats']?.[CSV] !== undefined,
);

describe('a list as CSV', () => {
  it.each(TABLES)(
    'has the documented header, which every answer is held against: $template',
    async ({ path }) => {
      const { headers } = await service.raw({ path, headers: [['Accept', CSV]] });

      expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    },
  );

  it.each([
    ['/v1/customers', NASTY.length + 1],
    ['/v1/tanks', NASTY.length + 1],
    ['/v1/events', NASTY.length],
  ])('has the cells of JSON, texts exact: %s', async (path, total) => {
    const { text } = await inFormat(`${path}?size=50`, CSV).expect(200);

    const rows: string[][] = parse(text, { record_delimiter: '\r\n', from_line: 2 });
    const items = await jsonOf(`${path}?size=50`);
    expect(rows).toHaveLength(total);
    expect(rows).toEqual(items.map((item) => cellsOf(item).map((cell) => cell ?? '')));
  });
});

describe('a list as NDJSON', () => {
  it.each([NDJSON, JSONL])('has an object of JSON a line: %s', async (format) => {
    for (const path of ['/v1/customers?size=50', '/v1/tanks?size=50', '/v1/events?size=50&type=tank.low']) {
      const response = await inFormat(path, format).expect(200);

      const lines = textOf(response).split('\n');
      expect(lines.pop()).toBe('');
      expect(lines.map((line) => JSON.parse(line) as Item)).toStrictEqual(await jsonOf(path));
    }
  });

  it('is empty when the page is', async () => {
    const response = await inFormat('/v1/tanks?page=99', NDJSON).expect(200);

    expect(textOf(response)).toBe('');
  });
});

describe('every list in every format', () => {
  it.each(LISTS_IN_FORMATS)(
    "is JSON's page as what was asked for, with its links and totals in headers, for GET and HEAD: %s as %s",
    async (path, format) => {
      const question = `${path}?size=2&page=2&created_at_gte=2020-01-01`;
      const inJson = await api.get(question).expect(200);

      const accepted = `${format};charset=latin1`;
      const got = await inFormat(question, accepted).set('Accept-Encoding', 'identity').expect(200);
      const head = await api.head(question).set('Accept', format).expect(200);

      const { total_items, total_pages, data } = inJson.body as Record<string, number> & { data: unknown };
      expect(got.headers).toMatchObject({
        'content-type': `${format}; charset=utf-8`,
        vary: 'Accept-Encoding, Accept',
        'cache-control': 'private, no-cache',
        link: inJson.headers['link'],
        'x-total-items': String(total_items),
        'x-total-pages': String(total_pages),
      });
      expect(countRows(textOf(got), format)).toBe((data as Item[]).length);
      for (const name of ['content-type', 'content-length', 'etag', 'link', 'x-total-items', 'vary']) {
        expect(head.headers[name]).toBe(got.headers[name]);
      }
    },
  );

  it.each(LISTS_IN_FORMATS)(
    'has pages of up to 10,000, JSON of up to 100: %s as %s',
    async (path, format) => {
      await inFormat(`${path}?size=10000`, format).expect(200);
      for (const [type, size, detail] of [
        [format, 10_001, 'from 1 to 10000'],
        ['application/json', 101, 'from 1 to 100,'],
      ] as const) {
        const { body } = await inFormat(`${path}?size=${size}`, type).expect(400);
        expect(body).toMatchObject({
          errors: [{ parameter: 'size', detail: expect.stringContaining(detail) }],
        });
      }
    },
  );
});

describe('the ETag of a format', () => {
  it.each(LISTS_IN_FORMATS)('gives 304 for that format alone: %s as %s', async (path, format) => {
    const { headers } = await inFormat(path, format).expect(200);
    const etag = headers['etag'] ?? '';

    const unchanged = await inFormat(path, format).set('If-None-Match', etag).expect(304);
    for (const other of ['application/json', ...FORMATS].filter((one) => one !== format)) {
      await inFormat(path, other).set('If-None-Match', etag).expect(200);
    }

    expect(unchanged.headers).toMatchObject({ etag, vary: 'Accept-Encoding, Accept' });
  });

  it.each(FORMATS)('tells new totals though the rows are the same: %s', async (format) => {
    const newest = '/v1/tanks/tank/telemetry?size=1';
    const { headers } = await inFormat(newest, format).expect(200);

    const created_at = `2025-01-01T00:00:00.00${FORMATS.indexOf(format)}Z`;
    await insertReadings(sql, 'tank', [{ created_at, fill_percentage: 9 }]);

    const etag = headers['etag'] ?? '';
    const again = await inFormat(newest, format).set('If-None-Match', etag).expect(200);
    expect(again.headers['x-total-items']).toBe(String(Number(headers['x-total-items']) + 1));
  });
});

describe('a format there is not', () => {
  const detail =
    'None of the types in Accept is offered here. Ask for one of these: ' +
    'application/json, text/csv, application/x-ndjson, application/jsonl.';

  it.each(LISTS)('is refused with all there are: %s', async (path) => {
    const { body, headers } = await inFormat(path, 'text/html').expect(406);

    expect(body).toEqual(problem(406, 'not_acceptable', detail));
    expect(headers).toMatchObject({ vary: 'Accept-Encoding, Accept', 'cache-control': 'no-store' });
  });
});
