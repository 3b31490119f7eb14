// Runs what repeats by itself. A task has a name and a period; tasks of one lane run one after the other. What may run once only, on all machines
// together, takes its lease or lock in the database. A task that fails runs again, and is logged once until it succeeds.
import { Global, Inject, Injectable, Module, type BeforeApplicationShutdown } from '@nestjs/common';
import { isStatementFailure, mayNotWrite } from '../database/failures.js';
import { LOGGER, type Logger } from '../logging/logger.js';

export interface Task {
  readonly name: string;
  readonly everyMs: number;
  readonly lane?: string | undefined;
  /** Ends soon once it is told to stop. */
  run(stopped: AbortSignal): Promise<unknown>;
  /** How long to rest after a success, where that is not the period. */
  restMs?(): number;
  /** After the last run. */
  end?(): Promise<void>;
}

interface Loop {
  readonly stopping: AbortController;
  done: Promise<void>;
  wake: () => void;
  isWoken: boolean;
  hasFailed: boolean;
}

/** How long a task that was woken waits for more to do. */
export const BATCH_DELAY_MS = 10;

@Injectable()
export class Scheduler implements BeforeApplicationShutdown {
  private readonly loops = new Map<Task, Loop>();
  private readonly lanes = new Map<string, Promise<void>>();

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  /** Resolves when it has run once. */
  start(task: Task): Promise<void> {
    const loop: Loop = {
      stopping: new AbortController(),
      done: Promise.resolve(),
      wake: () => undefined,
      isWoken: false,
      hasFailed: false,
    };
    this.loops.set(task, loop);
    const first = this.takeTurn(task, loop);
    loop.done = this.repeat(task, loop, first);
    return first;
  }

  /** It runs again at once, or as soon as it rests. */
  wake(task: Task): void {
    const loop = this.loops.get(task);
    if (loop === undefined) return;
    loop.isWoken = true;
    setTimeout(() => loop.wake(), BATCH_DELAY_MS);
  }

  /** Resolves when what is under way has ended. */
  async stop(tasks: readonly Task[] = [...this.loops.keys()]): Promise<void> {
    const stopOne = async (task: Task): Promise<void> => {
      const loop = this.loops.get(task);
      if (loop === undefined) return;
      loop.stopping.abort();
      loop.wake();
      await loop.done;
      if (this.loops.delete(task)) await task.end?.().catch((error: unknown) => this.log(task, error));
    };
    await Promise.all(tasks.map(stopOne));
  }

  /** Of each task, 1 when its last run failed, otherwise 0. */
  get failing(): Record<string, number> {
    return Object.fromEntries(Array.from(this.loops, ([{ name }, loop]) => [name, Number(loop.hasFailed)]));
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  private async repeat(task: Task, loop: Loop, first: Promise<void>): Promise<void> {
    await first;
    while (!loop.stopping.signal.aborted) {
      await rest(loop, loop.isWoken ? BATCH_DELAY_MS : restAfter(task, loop));
      loop.isWoken = false;
      await this.takeTurn(task, loop);
    }
  }

  /** In its lane. Never rejects. */
  private takeTurn(task: Task, loop: Loop): Promise<void> {
    if (task.lane === undefined) return this.run(task, loop);
    const before = this.lanes.get(task.lane) ?? Promise.resolve();
    const turn = before.then(() => this.run(task, loop));
    this.lanes.set(task.lane, turn);
    return turn;
  }

  private async run(task: Task, loop: Loop): Promise<void> {
    const { signal } = loop.stopping;
    if (signal.aborted) return;
    try {
      await task.run(signal);
      loop.hasFailed = false;
    } catch (error) {
      if (!loop.hasFailed && !signal.aborted) this.log(task, error);
      loop.hasFailed = true;
    }
  }

  private log({ name }: Task, error: unknown): void {
    const reason = mayNotWrite(error)
      ? 'this database role may not do the background work: set WORKER=false, and run "worker" with one that may'
      : error instanceof Error && isStatementFailure(error)
        ? 'a part of the background work failed, and is tried again'
        : 'background work waits for the database';
    this.logger.warn({ err: error, task: name }, reason);
  }
}

function restAfter(task: Task, { hasFailed }: Loop): number {
  return hasFailed ? task.everyMs : (task.restMs?.() ?? task.everyMs);
}

function rest(loop: Loop, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const clock = setTimeout(resolve, milliseconds).unref();
    loop.wake = () => {
      clearTimeout(clock);
      resolve();
    };
  });
}

@Global()
@Module({ providers: [Scheduler], exports: [Scheduler] })
export class SchedulerModule {}
