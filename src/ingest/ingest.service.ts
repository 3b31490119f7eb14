// Handles one request: reads its body, checks its readings, writes them and reports the result.
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Caller } from '../auth/caller.js';
import { Bodies } from '../bodies/bodies.js';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Metrics } from '../metrics/metrics.js';
import type { Problem } from '../problems/problem.js';
import { bodyTypeOf } from './body-type.js';
import type { IngestResultResponse } from './dto/ingest-result.response.js';
import { parseBody } from './parse-body.js';
import { bodyTooLarge, readingsRefused } from './problems.js';
import type { ReadingBatch } from './reading-batch.js';
import { ReadingWriter } from './reading-writer.js';
import { NOTHING_WRITTEN, type Written } from './write-readings.js';

@Injectable()
export class IngestService {
  private readonly bounds: { readonly maxBytes: number; readonly tooLarge: Problem };

  constructor(
    private readonly bodies: Bodies,
    private readonly writer: ReadingWriter,
    private readonly metrics: Metrics,
    @Inject(CONFIG) { ingest: { maxBodyBytes: maxBytes } }: Config,
  ) {
    this.bounds = { maxBytes, tooLarge: bodyTooLarge(maxBytes) };
  }

  async receive(
    request: Request,
    response: Response,
    isAtomic: boolean,
    { keyPrefix, customerId: boundTo }: Caller,
  ): Promise<IngestResultResponse> {
    const { format, isGzip } = bodyTypeOf(request.headers);
    const bounds = { ...this.bounds, isGzip };
    return this.bodies.withText(request, response, keyPrefix, bounds, async (text) => {
      const batch = parseBody(text, format, Date.now());
      const written =
        batch.fills.length === 0 ? NOTHING_WRITTEN : await this.writer.write({ batch, boundTo, isAtomic });
      return this.conclude(batch, written);
    });
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
