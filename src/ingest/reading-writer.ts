// Writes readings, the requests that wait together in one transaction. Whoever comes while nothing is written is written at
// once; those who come during a write travel together in the next one. Each is answered for itself, after the commit.
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import {
  DatabaseOverloaded,
  DatabaseUnavailable,
  isDeadlock,
  refersToNothing,
  waitedTooLong,
} from '../database/failures.js';
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

/**
 * When those who wait take a second connection while the first still writes: when they are many, or the write takes long, as one
 * that waits for a lock does. Small writes side by side would cost the database a commit each.
 */
const MANY_READINGS = 250;
const LONG_WRITE_MS = 25;

/** After a write of several requests, a few wait this long for more: where several came, others follow. */
const FEW_READINGS = 16;
const PAUSE_FOR_COMPANY_MS = 5;

/** How long requests wait for a lock that perhaps only one of them needs; and each of them, to find out which one it is. */
const PATIENCE_TOGETHER_MS = 2_000;
const PATIENCE_ALONE_MS = 100;

const MAX_ATTEMPTS = 3;

interface Waiting extends WriteRequest {
  readonly resolve: (written: Written) => void;
  readonly reject: (error: unknown) => void;
}

@Injectable()
export class ReadingWriter implements BeforeApplicationShutdown {
  private readonly queue: Waiting[] = [];
  /** They were in a write that failed, perhaps by their fault: each is written by itself. */
  private readonly suspects: Waiting[] = [];
  /** They need a lock that somebody holds: each waits for it by itself, and never on all connections. */
  private readonly held: Waiting[] = [];
  private busy = 0;
  private busyWithHeld = 0;
  /** After a write of several requests: until then, a few wait for more. */
  private pauseUntil = 0;
  /** Ends the waiting of those in the queue, who could be written already. */
  private alarm: NodeJS.Timeout | undefined;
  private hasWaitedEnough = false;
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
    metrics.gauge(
      'ingest_requests_waiting',
      'Requests whose readings wait to be written.',
      () => this.waiting,
    );
  }

  /** Resolves when the readings are committed. */
  write(request: WriteRequest): Promise<Written> {
    return new Promise((resolve, reject) => {
      if (this.waiting > this.maxWaiting) throw new DatabaseOverloaded();
      this.queue.push({ ...request, resolve, reject });
      this.writeNext();
    });
  }

  /** Requests whose sender has left are written too: all that was begun is finished. */
  async beforeApplicationShutdown(): Promise<void> {
    if (!this.isIdle) await new Promise<void>((resolve) => this.whenIdle.push(resolve));
  }

  private get isIdle(): boolean {
    return this.busy === 0 && this.waiting === 0;
  }

  private get waiting(): number {
    return this.queue.length + this.suspects.length + this.held.length;
  }

  /** The oldest come first. */
  private writeNext(): void {
    while (this.busy < this.connections) {
      const held = this.busyWithHeld < this.connections - 1 ? this.held.shift() : undefined;
      if (held !== undefined) {
        this.busyWithHeld += 1;
        this.run([held], this.lockTimeoutMs, () => (this.busyWithHeld -= 1));
      } else if (this.suspects.length > 0) {
        this.run(this.suspects.splice(0, 1), PATIENCE_ALONE_MS);
      } else if (this.queue.length > 0 && this.isTimeToWrite()) {
        this.run(this.takeTogether(), PATIENCE_TOGETHER_MS);
      } else {
        return;
      }
    }
  }

  /** Whether those in the queue are written now, rather than with those who come in a moment. */
  private isTimeToWrite(): boolean {
    const readings = this.readingsWaiting();
    if (this.hasWaitedEnough || readings >= MANY_READINGS) return true;
    const isWriting = this.busy > this.busyWithHeld;
    const hasCompany = readings >= FEW_READINGS;
    const pause = isWriting ? LONG_WRITE_MS : hasCompany ? 0 : this.pauseUntil - performance.now();
    if (pause <= 0) return true;
    this.alarm ??= setTimeout(() => {
      this.hasWaitedEnough = true;
      this.writeNext();
    }, pause);
    return false;
  }

  /** As many as matter. */
  private readingsWaiting(): number {
    let readings = 0;
    for (const { batch } of this.queue) {
      readings += batch.fills.length;
      if (readings >= MANY_READINGS) break;
    }
    return readings;
  }

  private stopWaiting(): void {
    clearTimeout(this.alarm);
    this.alarm = undefined;
    this.hasWaitedEnough = false;
  }

  private run(requests: readonly Waiting[], patienceMs: number, done = () => undefined as unknown): void {
    this.busy += 1;
    void this.writeTogether(requests, patienceMs).finally(() => {
      this.busy -= 1;
      done();
      this.stopWaiting();
      this.pauseUntil = requests.length > 1 ? performance.now() + PAUSE_FOR_COMPANY_MS : 0;
      this.writeNext();
      if (this.isIdle) for (const resolve of this.whenIdle.splice(0)) resolve();
    });
  }

  /** The oldest, and as many after it as fit into one write. */
  private takeTogether(): Waiting[] {
    this.stopWaiting();
    let count = 0;
    let readings = 0;
    for (const { batch } of this.queue) {
      readings += batch.fills.length;
      if (count > 0 && (readings > MAX_READINGS || count === MAX_REQUESTS)) break;
      count += 1;
    }
    return this.queue.splice(0, count);
  }

  private async writeTogether(requests: readonly Waiting[], patienceMs: number): Promise<void> {
    try {
      const row = await this.tryToWrite(requests, patienceMs);
      this.metrics.observeWrite(requests.length);
      const written = readAnswer(requests, row);
      requests.forEach(({ resolve }, i) => resolve(written[i] ?? NOTHING));
    } catch (error) {
      this.fail(requests, error, patienceMs);
    }
  }

  /** One bad request does not fail its companions, unless the database itself is out of reach. */
  private fail(requests: readonly Waiting[], error: unknown, patienceMs: number): void {
    const needsLock = waitedTooLong(error);
    if (requests.length > 1 && (needsLock || !(error instanceof DatabaseUnavailable)))
      this.suspects.push(...requests);
    else if (needsLock && patienceMs < this.lockTimeoutMs) this.held.push(...requests);
    else for (const { reject } of requests) reject(error);
  }

  /**
   * Nothing of a failed statement is stored, so after a deadlock it may simply run again. So it may when a tank was removed while it
   * ran: the next one does not find that tank, and refuses its readings only.
   */
  private async tryToWrite(requests: readonly Waiting[], patienceMs: number): Promise<WriteRow> {
    const values = valuesOf(requests, patienceMs);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.writes.row<WriteRow>(WRITE_READINGS, values);
      } catch (error) {
        if (!isDeadlock(error) && !refersToNothing(error)) throw error;
        if (attempt === MAX_ATTEMPTS) throw new DatabaseUnavailable(error);
      }
    }
  }
}

const NOTHING: Written = { created: 0, updated: 0, unchanged: 0, superseded: 0 };
