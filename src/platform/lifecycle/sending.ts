// A task that sends what is due: many side by side, with their outcomes recorded in the next round.
import type { Scheduler, Task } from './scheduler.js';

export abstract class Sending implements Task {
  abstract readonly name: string;
  abstract readonly everyMs: number;
  protected readonly underWay = new Set<Promise<void>>();
  private rest = 0;

  constructor(private readonly scheduler: Pick<Scheduler, 'wake'>) {}

  async run(stopped: AbortSignal): Promise<void> {
    await this.record();
    this.rest = await this.work(stopped);
  }

  restMs(): number {
    return this.rest;
  }

  /** Waits for what is under way and records it, so that nothing is sent twice. */
  async end(): Promise<void> {
    await Promise.all(this.underWay);
    await this.record();
  }

  /** Begins what is due, and returns how long to rest. */
  protected abstract work(stopped: AbortSignal): Promise<number>;

  /** What could not be recorded is kept for the next round. */
  protected abstract record(): Promise<void>;

  protected begin(sending: Promise<void>): void {
    const ended = sending.finally(() => {
      this.underWay.delete(ended);
      this.scheduler.wake(this);
    });
    this.underWay.add(ended);
  }
}
