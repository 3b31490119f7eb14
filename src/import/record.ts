// One line of NDJSON as a record, and the check that it has no field that would be silently lost.
import { didYouMean } from '../problems/did-you-mean.js';
import { quote } from '../problems/quote.js';
import { FaultyLine, RefusedLine } from './refused-line.js';

export type JsonRecord = Readonly<Record<string, unknown>>;

export function parseRecord(line: string): JsonRecord {
  const value = parseJson(line);
  if (!isRecord(value)) throw new RefusedLine('the line must be a JSON object', quote(value));
  return value;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new RefusedLine('bad JSON', error instanceof Error ? error.message : '');
  }
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How many unknown fields of a line are named: a line may have a hundred thousand. */
const MAX_NAMED = 20;

/** A typo in a nullable field would otherwise empty that field. */
export function checkFields(record: JsonRecord, known: ReadonlySet<string>, prefix = ''): void {
  let unknown: RefusedLine[] | undefined;
  for (const name in record) {
    if (known.has(name)) continue;
    (unknown ??= []).push(unknownField(name, known, prefix));
    if (unknown.length === MAX_NAMED) break;
  }
  if (unknown !== undefined) throw new FaultyLine(unknown);
}

function unknownField(name: string, known: ReadonlySet<string>, prefix: string): RefusedLine {
  const fields = [...known].map((field) => prefix + field);
  return new RefusedLine('unknown field', `${quote(prefix + name)}; ${didYouMean(prefix + name, fields)}`);
}
