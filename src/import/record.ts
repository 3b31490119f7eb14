// One line of NDJSON as a record.
import { isRecord, type JsonRecord } from '../fields/resource.js';
import { quote } from '../problems/quote.js';
import { RefusedLine } from './refused-line.js';

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
