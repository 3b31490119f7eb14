// Writes readings, the requests that wait together in one transaction. Whoever comes while a connection is free is written at
// once; those who come while all are busy travel together in the next write. Each is answered for itself, after the commit.
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { DatabaseOverloaded, DatabaseUnavailable, isDeadlock, waitedTooLong } from '../database/failures.js';
import { Writes } from '../database/writes.js';
import { Metrics } from '../metrics/metrics.js';
import {
  readAnswer,
  valuesOf,
  WRITE_READINGS,
  type WriteRequest,
  type Written,
  type WriteRow,
} from './write-readings.js';

/** Of one write together: enough to pay for its commit, not so much that the next ones wait long for it. */
const MAX_REQUESTS = 500;
const MAX_READINGS = 10_000;

/** How long requests that are written together wait for a lock that perhaps only one of them needs. */
const PATIENCE_TOGETHER_MS = 2_000;

const MAX_ATTEMPTS = 3;

interface Waiting extends WriteRequest {
  /** It was in a write that failed, perhaps by its fault: it is written by itself. */
  isAlone: boolean;
  readonly resolve: (written: Written) => void;
  readonly reject: (error: unknown) => void;
}

@Injectable()
export class ReadingWriter implements BeforeApplicationShutdown {
  private readonly queue: Waiting[] = [];
  private busy = 0;
  private readonly connections: number;
  private readonly maxWaiting: number;
  private readonly lockTimeoutMs: number;
  private whenIdle: (() => void)[] = [];

  constructor(
    private readonly writes: Writes,
    private readonly metrics: Metrics,
    @Inject(CONFIG) { ingest, limits }: Config,
  ) {
    this.connections = ingest.poolSize;
    this.lockTimeoutMs = ingest.lockTimeoutMs;
    this.maxWaiting = limits.maxWaitingRequests;
  }

  /** Resolves when the readings are committed. */
  write(request: WriteRequest): Promise<Written> {
    return new Promise((resolve, reject) => {
      if (this.queue.length > this.maxWaiting) throw new DatabaseOverloaded();
      this.queue.push({ ...request, isAlone: false, resolve, reject });
      this.writeNext();
    });
  }

  /** Requests whose sender has left are written too: all that was begun is finished. */
  async beforeApplicationShutdown(): Promise<void> {
    if (this.busy > 0) await new Promise<void>((resolve) => this.whenIdle.push(resolve));
  }

  private writeNext(): void {
    while (this.busy < this.connections && this.queue.length > 0) {
      this.busy += 1;
      void this.writeTogether(this.takeTogether()).finally(() => {
        this.busy -= 1;
        this.writeNext();
        if (this.busy === 0) for (const resolve of this.whenIdle.splice(0)) resolve();
      });
    }
  }

  /** The oldest, and as many after it as fit into one write. */
  private takeTogether(): Waiting[] {
    let count = 0;
    let readings = 0;
    for (const { batch, isAlone } of this.queue) {
      readings += batch.fills.length;
      if (count > 0 && (isAlone || readings > MAX_READINGS || count === MAX_REQUESTS)) break;
      count += 1;
      if (isAlone) break;
    }
    return this.queue.splice(0, count);
  }

  private async writeTogether(requests: readonly Waiting[]): Promise<void> {
    try {
      const row = await this.tryToWrite(requests);
      this.metrics.observeWrite(requests.length);
      const written = readAnswer(requests, row);
      requests.forEach(({ resolve }, i) => resolve(written[i] ?? NOTHING));
    } catch (error) {
      this.fail(requests, error);
    }
  }

  /** Nothing of a failed statement is stored, so after a deadlock it may simply run again. */
  private async tryToWrite(requests: readonly Waiting[]): Promise<WriteRow> {
    const patienceMs =
      requests.length === 1 ? this.lockTimeoutMs : Math.min(this.lockTimeoutMs, PATIENCE_TOGETHER_MS);
    const values = valuesOf(requests, patienceMs);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.writes.row<WriteRow>(WRITE_READINGS, values);
      } catch (error) {
        if (!isDeadlock(error)) throw error;
        if (attempt === MAX_ATTEMPTS) throw new DatabaseUnavailable(error);
      }
    }
  }

  /** One bad request does not fail its companions: each is written by itself, unless the database itself is out of reach. */
  private fail(requests: readonly Waiting[], error: unknown): void {
    const isOutOfReach = error instanceof DatabaseUnavailable && !waitedTooLong(error);
    if (requests.length > 1 && !isOutOfReach) {
      this.queue.unshift(...requests.map((request) => Object.assign(request, { isAlone: true })));
    } else {
      for (const { reject } of requests) reject(error);
    }
  }
}

const NOTHING: Written = { created: 0, updated: 0, unchanged: 0, superseded: 0 };
