// The loop of a worker that sends what is due: many side by side, with their outcomes recorded in the next round, and one line in the log for
// an outage of the database, however long.
import type { Logger } from '../logging/logger.js';

const AFTER_OUTAGE_MS = 1_000;
/** How long outcomes are collected, so that they are recorded together. */
export const BATCH_DELAY_MS = 10;

export abstract class SendingLoop {
  protected readonly underWay = new Set<Promise<void>>();
  protected stopping = false;
  private hasFailed = false;
  private running: Promise<void> | undefined;
  private wake: () => void = () => undefined;

  /** `what` is sent, as the log calls it. */
  constructor(
    protected readonly logger: Logger,
    private readonly what: string,
  ) {}

  start(): void {
    this.running ??= this.run();
  }

  /** Waits for what is under way and records it, so that nothing is sent twice. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.wake();
    await this.running;
    await Promise.all(this.underWay);
    await this.record().catch((error: unknown) => this.logOutage(error));
  }

  /** Begins what is due, and returns how long to rest. */
  protected abstract work(): Promise<number>;

  /** What could not be recorded is kept for the next round. */
  protected abstract record(): Promise<void>;

  protected begin(sending: Promise<void>): void {
    const ended = sending.finally(() => {
      this.underWay.delete(ended);
      this.wake();
    });
    this.underWay.add(ended);
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      let rest = AFTER_OUTAGE_MS;
      try {
        await this.record();
        rest = await this.work();
        this.hasFailed = false;
      } catch (error) {
        if (!this.hasFailed) this.logOutage(error);
        this.hasFailed = true;
      }
      await this.pause(rest);
    }
  }

  private logOutage(error: unknown): void {
    this.logger.warn({ err: error }, `${this.what} wait: the database cannot be reached`);
  }

  /** Ends early when something was sent or the service stops. */
  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const clock = setTimeout(resolve, milliseconds);
      this.wake = () => {
        clearTimeout(clock);
        if (this.stopping) resolve();
        else setTimeout(resolve, BATCH_DELAY_MS);
      };
    });
  }
}
