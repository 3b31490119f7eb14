// Files of readings, from their bytes to the rows that are staged.
import { afterAll, describe, expect, it } from '@jest/globals';
import { fc } from '../../../test/support/cases.js';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listCsvColumns } from '../../common/pagination/columns.js';
import { writeCsv } from '../../common/pagination/csv.js';
import { parseBody } from '../../telemetry/ingest/parse-body.js';
import { TelemetryRowResponse } from '../../telemetry/dto/telemetry.response.js';
import { CsvReader, NdjsonReader } from './line-reader.js';
import { LineSplitter } from './line-splitter.js';
import { RefusalLog } from './refusal-log.js';
import { RejectsFile } from './rejects-file.js';
import { StagedRows } from './staged-rows.js';

interface StagedReading {
  readonly line: number;
  readonly tank_id: string;
  readonly created_at: string;
  readonly fill_percentage: number;
}

interface Outcome {
  readonly lines: number;
  readonly readings: StagedReading[];
  readonly messages: string[];
  readonly rejects: string;
}

/** Empty again when they were taken. */
const rowsOf = (table: string) => new StagedRows(table, []);
const rows = { customers: rowsOf('customers'), tanks: rowsOf('tanks'), readings: rowsOf('readings') };
const folder = mkdtempSync(join(tmpdir(), 'line-reader-'));
afterAll(() => rmSync(folder, { recursive: true }));

function read(format: 'csv' | 'ndjson', pieces: readonly Buffer[]): Outcome {
  const rejects = new RejectsFile(join(folder, 'rejects'));
  const messages: string[] = [];
  const refusals = new RefusalLog('f', (message) => messages.push(message), rejects);
  const reader = new (format === 'csv' ? CsvReader : NdjsonReader)(rows, refusals);
  const splitter = new LineSplitter(reader);
  for (const piece of pieces) splitter.feed(piece);
  splitter.finish();
  rejects.close();
  const readings = readingsIn(rows.readings.take());
  return { lines: reader.lines, readings, messages, rejects: readFileSync(rejects.path, 'latin1') };
}

/** Reads back PostgreSQL's text format of COPY. */
function readingsIn(copy: string): StagedReading[] {
  return copy
    .split('\n')
    .slice(0, -1)
    .map((row) => {
      const [line, tankId, createdAt, fill] = row.split('\t').map(unescaped);
      return {
        line: Number(line),
        tank_id: tankId ?? '',
        created_at: createdAt ?? '',
        fill_percentage: Number(fill),
      };
    });
}

const UNESCAPED: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' };

function unescaped(cell: string): string {
  return cell.replaceAll(/\\(.)/g, (_, char: string) => UNESCAPED[char] ?? char);
}

const ODD = [
  '"',
  '""',
  ',',
  '\r',
  '\n',
  '\r\n',
  '\n\n',
  ' ',
  "'",
  'a',
  'b',
  'é',
  '🛢',
  '=1',
  '\\',
  '\t',
  '\uFEFF',
];
const id = fc.array(fc.constantFrom(...ODD), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
const aReading = fc.record({
  tank_id: id,
  created_at: fc
    .integer({ min: Date.UTC(1, 0), max: Date.UTC(2026, 0) })
    .map((milliseconds) => new Date(milliseconds).toISOString()),
  fill_percentage: fc.oneof(
    fc.constantFrom(0, 1e-7, 100 / 3, 100),
    fc.double({ min: 0, max: 100, noNaN: true }),
  ),
});
const someReadings = fc.array(aReading, { minLength: 1, maxLength: 12 });

const asCsv = (readings: readonly object[]) => writeCsv(listCsvColumns(TelemetryRowResponse), readings);

/** Cut anywhere, in the middle of characters too. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b);
  return [...ends, bytes.length].map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
}

describe('readings that were written as CSV', () => {
  it('come back exactly, by the import and by a request, whatever the ids are made of', () => {
    fc.assert(
      fc.property(someReadings, fc.array(fc.nat(), { maxLength: 8 }), (readings, places) => {
        const text = asCsv(readings);
        const positive = readings.map((reading) => ({
          ...reading,
          fill_percentage: reading.fill_percentage + 0,
        }));

        const { readings: staged, messages } = read('csv', cut(Buffer.from(text), places));
        expect(messages).toEqual([]);
        expect(staged).toEqual(positive.map((reading, i) => ({ line: staged[i]?.line, ...reading })));

        const batch = parseBody(text, 'csv', Date.now());
        expect(batch.errors()).toEqual([]);
        const received = batch.indexes.map((_, i) => ({
          tank_id: batch.targets[batch.targetOf[i] ?? -1]?.tankId,
          created_at: new Date(batch.instants[i] ?? NaN).toISOString(),
          fill_percentage: batch.fills[i],
        }));
        expect(received).toEqual(positive);
      }),
    );
  });

  it('have the number of their first line, also behind refused ones', () => {
    const file = [
      'tank_id,created_at,fill_percentage',
      '"two\r\nlines",2026-01-01T00:00:00Z,1',
      '"stray,2026-01-01T00:00:00Z,2',
      '',
      'plain,2026-01-01T00:00:00Z,3',
      '"three',
      '',
      'lines",2026-01-01T00:00:00Z,refused',
      '"last",2026-01-01T00:00:00Z,4',
    ].join('\r\n');

    const { lines, readings, messages, rejects } = read('csv', [Buffer.from(file)]);

    expect(readings.map(({ line, tank_id }) => [line, tank_id])).toEqual([
      [2, 'two\r\nlines'],
      [6, 'plain'],
      [10, 'last'],
    ]);
    expect(lines).toBe(5);
    expect(messages).toEqual([
      'f:4: bad CSV: quotes must stand around a whole column, and a quote within them is doubled',
      'f:7: fill_percentage must be a number: "refused"',
    ]);
    expect(rejects).toBe(
      'tank_id,created_at,fill_percentage\n"stray,2026-01-01T00:00:00Z,2\n"three\r\n\r\nlines",2026-01-01T00:00:00Z,refused\n',
    );
  });

  it('are not lost to an open quote before a line that is not UTF-8, or too long', () => {
    const open = '"open,2026-01-01T00:00:00Z,1\n';
    const good = 'good,2026-01-01T00:00:00Z,1\n';
    const bytes = Buffer.concat([
      Buffer.from(`tank_id,created_at,fill_percentage\n${open}${good}`),
      Buffer.from('\xff"\n', 'latin1'),
      Buffer.from(`${open}${good}`),
      Buffer.alloc((1 << 20) + 1, 'x'),
      Buffer.from(`\n${good}`),
    ]);

    const { readings, messages } = read('csv', slices(bytes));

    expect(readings.map(({ line }) => line)).toEqual([3, 6, 8]);
    expect(messages.map((message) => message.slice(0, 13))).toEqual([
      'f:2: bad CSV:',
      'f:4: not UTF-',
      'f:5: bad CSV:',
      'f:7: longer t',
    ]);
  });
});

/** As large as the import feeds them. */
function slices(bytes: Buffer): Buffer[] {
  const size = 1 << 18;
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  );
}

describe('any bytes', () => {
  const piece = fc.constantFrom(
    ...['"', '""', ',', '\n', '\r\n', '\r', 'é', '\xff', 'a', '"a', 'b"', '"c",2026-01-01T00:00:00Z,1\n'].map(
      (text) => Buffer.from(text, text === '\xff' ? 'latin1' : 'utf8'),
    ),
    Buffer.from('d,2026-01-01T00:00:00Z,1\n'),
    Buffer.from(
      '{"object":"telemetry","tank_id":"e","created_at":"2026-01-01T00:00:00Z","fill_percentage":1}\r\n',
    ),
  );

  it.each([
    ['csv' as const, 'tank_id,created_at,fill_percentage\n'],
    ['ndjson' as const, ''],
  ])('of %s mean the same however they are cut', (format, header) => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        (pieces, places) => {
          const bytes = Buffer.concat([Buffer.from(header), ...pieces]);
          expect(read(format, cut(bytes, places))).toEqual(read(format, [bytes]));
        },
      ),
    );
  });
});
