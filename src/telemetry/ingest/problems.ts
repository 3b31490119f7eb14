// The problems of a body of readings that is refused, or some of whose readings are.
import { Problem } from '../../common/problems/problem.js';
import type { IngestResultResponse } from './dto/ingest-result.response.js';

export function tooManyBytes(maxBytes: number): Problem {
  return tooLarge(`A body may have at most ${maxBytes} bytes after decompression`);
}

export function tooManyReadings(maxReadings: number): Problem {
  return tooLarge(`A request may have at most ${maxReadings} readings`);
}

export function tooManyLines(maxLines: number): Problem {
  return tooLarge(`A request may have at most ${maxLines} lines`);
}

export function lineTooLong(maxBytes: number): Problem {
  const detail = `A line may have at most ${maxBytes} bytes; send one reading a line. Nothing was stored.`;
  return new Problem({ status: 413, code: 'body_too_large', detail });
}

function tooLarge(rule: string): Problem {
  const detail = `${rule}; send them in several requests. Nothing was stored.`;
  return new Problem({ status: 413, code: 'body_too_large', detail });
}

export function readingsRefused(result: IngestResultResponse): Problem {
  const { object: _, errors, ...counts } = result;
  const stored = readings(counts.created + counts.updated + counts.unchanged);
  const detail = `${stored} stored, ${readings(counts.refused)} refused: errors says why. Fix those and send them again.`;
  return new Problem({ status: 400, code: 'readings_refused', detail, errors, members: counts });
}

function readings(count: number): string {
  return `${count} ${count === 1 ? 'reading was' : 'readings were'}`;
}
