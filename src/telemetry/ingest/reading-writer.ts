// Writes readings. A request that comes while nothing is written is written at once; those that come during a write are written
// together in the next transaction. Each gets its own answer, after the commit.
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/config.js';
import {
  DatabaseOverloaded,
  DatabaseUnavailable,
  isDeadlock,
  refersToNothing,
  waitedTooLong,
} from '../../platform/database/failures.js';
import { IngestWrites } from '../../platform/database/ingest-writes.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { currentSpan, inSpan } from '../../platform/tracing/tracing.js';
import { NOTHING_WRITTEN, readAnswer, statementFor } from './write-readings.js';
import type { WriteRequest, WriteRow, Written } from './write-readings.js';

/** Of one batch: enough to pay for its commit, not so much that the next one waits long for it. */
const MAX_BATCH_REQUESTS = 500;
const MAX_BATCH_READINGS = 10_000;

/** About what one takes in a statement. */
const BYTES_OF_READING = 64;

/** A second batch is written beside the first when it is large, or when the first takes long: each costs a commit. */
const LARGE_BATCH_READINGS = 250;
const LONG_WRITE_MS = 25;

/** After a write of several requests, a small batch waits this long for more. */
const SMALL_BATCH_READINGS = 16;
const BATCH_DELAY_MS = 5;

/** Of a request whose batch waited too long for a lock: which of them needs it? */
const RETRY_LOCK_TIMEOUT_MS = 100;

const MAX_ATTEMPTS = 3;

interface Waiting extends WriteRequest {
  readonly resolve: (written: Written) => void;
  readonly reject: (error: unknown) => void;
}

@Injectable()
export class ReadingWriter implements BeforeApplicationShutdown {
  private readonly queue: Waiting[] = [];
  /** Their batch failed, perhaps because of one of them. */
  private readonly retryAlone: Waiting[] = [];
  /** They wait one by one, and never on all connections. */
  private readonly waitingForLock: Waiting[] = [];
  private busy = 0;
  private busyWithLocks = 0;
  private delayedUntil = 0;
  private delayTimer: NodeJS.Timeout | undefined;
  private isDelayOver = false;
  private readonly connections: number;
  private readonly maxWaiting: number;
  private readonly lockTimeoutMs: number;
  /** Shorter: perhaps only one of a batch needs the lock. */
  private readonly batchLockTimeoutMs: number;
  private whenIdle: (() => void)[] = [];

  constructor(
    private readonly writes: IngestWrites,
    @Inject(Metrics) private readonly metrics: Pick<Metrics, 'gauge' | 'observeWrite'>,
    @Inject(CONFIG) { ingest, limits }: Pick<Config, 'ingest' | 'limits'>,
  ) {
    this.connections = ingest.poolSize;
    this.lockTimeoutMs = ingest.lockTimeoutMs;
    this.batchLockTimeoutMs = Math.round(ingest.lockTimeoutMs / 10);
    this.maxWaiting = limits.maxWaitingRequests;
    metrics.gauge(
      'ingest_requests_waiting',
      'Requests whose readings wait to be written.',
      () => this.waiting,
    );
  }

  /** Resolves when the readings are committed. */
  write(request: WriteRequest): Promise<Written> {
    const span = currentSpan();
    const started = performance.now();
    const name = request.uplink === undefined ? 'write_readings' : 'write_uplinks';
    return new Promise((resolve, reject) => {
      if (this.waiting > this.maxWaiting) throw new DatabaseOverloaded();
      this.queue.push({
        ...request,
        causedBy: span?.traceparent,
        resolve: (written) => {
          span?.addStatement(name, started, false);
          resolve(written);
        },
        reject: (error) => {
          span?.addStatement(name, started, true);
          reject(error);
        },
      });
      this.writeNext();
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (!this.isIdle) await new Promise<void>((resolve) => this.whenIdle.push(resolve));
  }

  private get isIdle(): boolean {
    return this.busy === 0 && this.waiting === 0;
  }

  private get waiting(): number {
    return this.queue.length + this.retryAlone.length + this.waitingForLock.length;
  }

  private writeNext(): void {
    while (this.busy < this.connections) {
      const locked = this.busyWithLocks < this.connections - 1 ? this.waitingForLock.shift() : undefined;
      if (locked !== undefined) {
        this.busyWithLocks += 1;
        this.run([locked], this.lockTimeoutMs, () => (this.busyWithLocks -= 1));
      } else if (this.retryAlone.length > 0) {
        this.run(this.retryAlone.splice(0, 1), RETRY_LOCK_TIMEOUT_MS);
      } else if (this.queue.length > 0 && this.isBatchDue()) {
        this.run(this.takeBatch(), this.batchLockTimeoutMs);
      } else {
        return;
      }
    }
  }

  /** False when the queue should wait a moment for more. */
  private isBatchDue(): boolean {
    const readings = this.readingsWaiting();
    if (this.isDelayOver || readings >= LARGE_BATCH_READINGS) return true;
    const isWriting = this.busy > this.busyWithLocks;
    const isSmall = readings < SMALL_BATCH_READINGS;
    const delay = isWriting ? LONG_WRITE_MS : isSmall ? this.delayedUntil - performance.now() : 0;
    if (delay <= 0) return true;
    this.delayTimer ??= setTimeout(() => {
      this.isDelayOver = true;
      this.writeNext();
    }, delay);
    return false;
  }

  /** Counted as far as it matters. */
  private readingsWaiting(): number {
    let readings = 0;
    for (const request of this.queue) {
      readings += countReadings(request);
      if (readings >= LARGE_BATCH_READINGS) break;
    }
    return readings;
  }

  private endDelay(): void {
    clearTimeout(this.delayTimer);
    this.delayTimer = undefined;
    this.isDelayOver = false;
  }

  private run(requests: readonly Waiting[], lockTimeoutMs: number, done = () => undefined as unknown): void {
    this.busy += 1;
    // It is of no single request: each has noted when its part began.
    void inSpan(undefined, () => this.writeBatch(requests, lockTimeoutMs)).finally(() => {
      this.busy -= 1;
      done();
      this.endDelay();
      this.delayedUntil = requests.length > 1 ? performance.now() + BATCH_DELAY_MS : 0;
      this.writeNext();
      if (this.isIdle) for (const resolve of this.whenIdle.splice(0)) resolve();
    });
  }

  private takeBatch(): Waiting[] {
    this.endDelay();
    let count = 0;
    let readings = 0;
    for (const request of this.queue) {
      readings += countReadings(request);
      if (count > 0 && (readings > MAX_BATCH_READINGS || count === MAX_BATCH_REQUESTS)) break;
      count += 1;
    }
    return this.queue.splice(0, count);
  }

  private async writeBatch(requests: readonly Waiting[], lockTimeoutMs: number): Promise<void> {
    try {
      const row = await this.tryToWrite(requests, lockTimeoutMs);
      this.metrics.observeWrite(requests.length);
      const written = readAnswer(requests, row);
      requests.forEach(({ resolve }, i) => resolve(written[i] ?? NOTHING_WRITTEN));
    } catch (error) {
      this.fail(requests, error, lockTimeoutMs);
    }
  }

  /** One bad request does not fail the others of its batch, unless the database itself cannot be reached. */
  private fail(requests: readonly Waiting[], error: unknown, lockTimeoutMs: number): void {
    const needsLock = waitedTooLong(error);
    if (requests.length > 1 && (needsLock || !(error instanceof DatabaseUnavailable)))
      this.retryAlone.push(...requests);
    else if (needsLock && lockTimeoutMs < this.lockTimeoutMs) this.waitingForLock.push(...requests);
    else for (const { reject } of requests) reject(error);
  }

  /** After a deadlock nothing is stored, so it runs again; so it does when a tank was removed meanwhile, whose readings are then refused. */
  private async tryToWrite(requests: readonly Waiting[], lockTimeoutMs: number): Promise<WriteRow> {
    const [statement, values] = statementFor(requests, lockTimeoutMs);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.writes.row<WriteRow>(statement, values);
      } catch (error) {
        if (!isDeadlock(error) && !refersToNothing(error)) throw error;
        if (attempt === MAX_ATTEMPTS) throw isDeadlock(error) ? new DatabaseUnavailable(error) : error;
      }
    }
  }
}

/** In readings. A message that is kept whole takes as much to send as many of them. */
function countReadings({ batch, history, uplink }: WriteRequest): number {
  const payload = uplink?.['payload'];
  const readings = batch.fills.length + (history?.fills.length ?? 0);
  return readings + (typeof payload === 'string' ? payload.length / BYTES_OF_READING : 0);
}
