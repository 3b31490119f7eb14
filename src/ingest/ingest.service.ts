// Handles one request: reads its body, checks its readings, writes them and reports the result.
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Caller } from '../auth/caller.js';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { allowTime } from '../http/connections.js';
import { Metrics } from '../metrics/metrics.js';
import { BodyBudget, type BodyShare } from './body-budget.js';
import { bodyTypeOf, type BodyType } from './body-type.js';
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
    const type = bodyTypeOf(request.headers);
    const share = this.budget.share(keyPrefix);
    try {
      const batch = await this.readBatch(request, response, type, share);
      const written =
        batch.fills.length === 0 ? NOTHING_WRITTEN : await this.writer.write({ batch, boundTo, isAtomic });
      return this.conclude(batch, written);
    } finally {
      share.release();
    }
  }

  private async readBatch(
    request: Request,
    response: Response,
    { format, isGzip }: BodyType,
    share: BodyShare,
  ): Promise<ReadingBatch> {
    const { maxBodyBytes, bodyTimeoutMs, answerTimeoutMs } = this.bounds;
    allowTime(response, bodyTimeoutMs + answerTimeoutMs);
    const text = await readText(request, isGzip, { maxBytes: maxBodyBytes, timeoutMs: bodyTimeoutMs }, share);
    allowTime(response, answerTimeoutMs);
    return parseBody(text, format, Date.now());
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
