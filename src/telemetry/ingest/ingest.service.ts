// Checks the readings of one request, writes them and reports the result.
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/auth/caller.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import type { BodyFormat } from './body-type.js';
import type { IngestResultResponse } from './dto/ingest-result.response.js';
import { parseBody } from './parse-body.js';
import { readingsRefused } from './problems.js';
import { ReadingWriter } from './reading-writer.js';
import { NOTHING_WRITTEN } from './write-readings.js';

const READING_OUTCOMES = ['created', 'updated', 'unchanged', 'superseded', 'refused'] as const;

@Injectable()
export class IngestService {
  constructor(
    private readonly writer: ReadingWriter,
    private readonly metrics: Metrics,
  ) {}

  /** Any refused reading makes it a problem, whatever became of the others. */
  async store(
    readings: string,
    format: BodyFormat,
    isAtomic: boolean,
    { customerId: boundTo }: Caller,
  ): Promise<IngestResultResponse> {
    const batch = parseBody(readings, format, Date.now());
    const written =
      batch.fills.length === 0 ? NOTHING_WRITTEN : await this.writer.write({ batch, boundTo, isAtomic });
    const { refused } = batch;
    const counts = { ...written, refused };
    for (const outcome of READING_OUTCOMES)
      this.metrics.count('ingested_readings_total', { outcome }, counts[outcome]);
    for (const [reason, n] of batch.refusals) this.metrics.count('readings_refused_total', { reason }, n);
    const result = { object: 'ingest_result' as const, ...counts, errors: batch.errors() };
    if (refused > 0) throw readingsRefused(result);
    return result;
  }
}
