// Reads the bodies of requests that write: each bounded in size and time, and all of them in what they hold together.
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { allowTime } from '../http/connections.js';
import { BodyBudget } from './body-budget.js';
import { readText, type BodyBounds } from './read-body.js';

interface Bounds extends Pick<BodyBounds, 'maxBytes' | 'tooLarge'> {
  readonly isGzip: boolean;
  /** Where that is not the usual time. */
  readonly answerWithinMs: number | undefined;
}

/** A body that counts as held until it is released. */
export interface HeldBody {
  readonly text: string;
  readonly release: () => void;
}

@Injectable()
export class Bodies {
  private readonly times: Config['ingest'];
  private readonly budget: BodyBudget;

  constructor(@Inject(CONFIG) { ingest }: Config) {
    this.times = ingest;
    this.budget = new BodyBudget(ingest.maxWaitingBytes, ingest.maxBodyBytes);
  }

  /** The answer has its time from the end of the body. */
  async read(
    request: Request,
    response: Response,
    keyPrefix: string,
    { isGzip, answerWithinMs, ...bounds }: Bounds,
  ): Promise<HeldBody> {
    const { bodyTimeoutMs: timeoutMs, answerTimeoutMs } = this.times;
    const share = this.budget.share(keyPrefix);
    try {
      allowTime(response, timeoutMs + answerTimeoutMs);
      const text = await readText(request, isGzip, { ...bounds, timeoutMs }, share);
      allowTime(response, answerWithinMs ?? answerTimeoutMs);
      return { text, release: () => share.release() };
    } catch (error) {
      share.release();
      throw error;
    }
  }
}
