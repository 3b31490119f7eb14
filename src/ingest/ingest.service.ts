// Handles one request: reads its body, checks its readings, writes them and reports the result.
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Caller } from '../auth/caller.js';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { allowTime } from '../http/connections.js';
import { Metrics } from '../metrics/metrics.js';
import { BodyBudget } from './body-budget.js';
import { bodyTypeOf } from './body-type.js';
import type { IngestResultResponse } from './dto/ingest-result.response.js';
import { parseBody } from './parse-body.js';
import { readingsRefused } from './problems.js';
import { readText } from './read-body.js';
import type { ReadingBatch } from './reading-batch.js';
import { ReadingWriter } from './reading-writer.js';
import { NOTHING_WRITTEN, type Written } from './write-readings.js';

@Injectable()
export class IngestService {
  private readonly bounds: Config['ingest'];
  private readonly budget: BodyBudget;

  constructor(
    private readonly writer: ReadingWriter,
    private readonly metrics: Metrics,
    @Inject(CONFIG) { ingest }: Config,
  ) {
    this.bounds = ingest;
    this.budget = new BodyBudget(ingest.maxWaitingBytes, ingest.maxBodyBytes);
  }

  async receive(
    request: Request,
    response: Response,
    isAtomic: boolean,
    { keyPrefix, customerId: boundTo }: Caller,
  ): Promise<IngestResultResponse> {
    const { format, isGzip } = bodyTypeOf(request.headers);
    const { maxBodyBytes: maxBytes, bodyTimeoutMs: timeoutMs, answerTimeoutMs } = this.bounds;
    const share = this.budget.share(keyPrefix);
    try {
      allowTime(response, timeoutMs + answerTimeoutMs);
      const batch = parseBody(
        await readText(request, isGzip, { maxBytes, timeoutMs }, share),
        format,
        Date.now(),
      );
      allowTime(response, answerTimeoutMs);
      const written =
        batch.fills.length === 0 ? NOTHING_WRITTEN : await this.writer.write({ batch, boundTo, isAtomic });
      return this.conclude(batch, written);
    } finally {
      share.release();
    }
  }

  /** Any refused reading makes it a problem, whatever became of the others. */
  private conclude(batch: ReadingBatch, written: Written): IngestResultResponse {
    const { refused } = batch;
    const counts = { ...written, refused };
    this.metrics.countReadings(counts);
    const result = { object: 'ingest_result' as const, ...counts, errors: batch.errors() };
    if (refused > 0) throw readingsRefused(result);
    return result;
  }
}
