// Collects readings that come one by one, from devices for example, and sends them together. Each learns what became of it.
import { ProblemError } from './problem.js';
import { ReadingsRefusedError, sendReadings } from './send.js';
import type { RequestOptions, Transport } from './transport.js';
import type { NewReading } from './types.js';
import { LONGEST_TIMER_MS } from './waiting.js';

export interface BatcherOptions extends RequestOptions {
  /** So many are sent at once: 1,000, unless given. */
  readonly maxReadings?: number | undefined;
  /** So long a reading waits for others at most: 1,000, unless given. */
  readonly maxDelayMs?: number | undefined;
}

interface Waiting {
  readonly reading: NewReading;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class Batcher {
  private waiting: Waiting[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** One batch after the other: of two readings of one instant the later counts. */
  private sent: Promise<void> = Promise.resolve();
  private readonly onAbort = (): void => void this.flush();

  constructor(
    private readonly transport: Transport,
    private readonly options: BatcherOptions,
  ) {}

  /** Resolves when the reading is stored. Rejects if it is refused, whatever becomes of the others, or if sending fails. */
  add(reading: NewReading): Promise<void> {
    const { maxReadings = 1_000, maxDelayMs = 1_000, signal } = this.options;
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const copy = JSON.parse(JSON.stringify(reading)) as NewReading; // as it is now; what cannot be sent is refused alone
      if (this.waiting.length === 0) signal?.addEventListener('abort', this.onAbort);
      this.waiting.push({ reading: copy, resolve, reject });
      if (this.waiting.length >= maxReadings) void this.flush();
      else this.timer ??= setTimeout(() => void this.flush(), Math.min(maxDelayMs, LONGEST_TIMER_MS));
    });
  }

  /** Sends what waits now, and resolves when it is known what became of it. */
  flush(): Promise<void> {
    this.options.signal?.removeEventListener('abort', this.onAbort);
    clearTimeout(this.timer);
    this.timer = undefined;
    const batch = this.waiting;
    this.waiting = [];
    if (batch.length > 0) this.sent = this.sent.then(() => this.send(batch));
    return this.sent;
  }

  private async send(batch: readonly Waiting[]): Promise<void> {
    const refusals = new Map<number, ProblemError>();
    try {
      await sendReadings(
        this.transport,
        batch.map(({ reading }) => reading),
        this.options,
      );
    } catch (error) {
      if (!(error instanceof ReadingsRefusedError)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      const { status, requestId } = error;
      for (const refused of error.errors) {
        const { code, detail } = refused;
        const problem = { code, detail, errors: [{ ...refused, index: 0 }], request_id: requestId };
        refusals.set(refused.index, new ProblemError(status, problem));
      }
    }
    for (const [index, { resolve, reject }] of batch.entries()) {
      const refusal = refusals.get(index);
      if (refusal === undefined) resolve();
      else reject(refusal);
    }
  }
}
