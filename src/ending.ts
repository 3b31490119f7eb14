// How the process ends: politely on the first signal, at once on the second. Whatever nothing has caught is one fatal line and
// exit code 1, so that a supervisor sees it, after requests in flight had their chance.
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from './config/config.js';
import { logOutput } from './logging/log-output.js';
import type { Logger } from './logging/logger.js';

/** Says whether everything was done that should be. */
type Stop = (bounds: Config['shutdown']) => Promise<boolean>;

/** What requests in flight get when nobody knows what state the process is in. */
const LAST_CHANCE_MS = 5_000;
/** What the last log lines get to leave. */
const LAST_LINES_MS = 500;

let stop: Stop = () => Promise.resolve(true);
let stopping: Promise<boolean> | undefined;
let hasCrashed = false;

export function exitOnUncaughtException(logger: Logger): void {
  process.on('uncaughtException', (error) => {
    if (hasCrashed) {
      logger.error({ err: error }, 'another error that nothing has caught');
      return;
    }
    hasCrashed = true;
    logger.fatal({ err: error }, 'nothing has caught this error; the process ends');
    void endInTime();
  });
}

/** Requests in flight have their chance, also when the process was stopping already. */
async function endInTime(): Promise<void> {
  stopping ??= stop({ delayMs: 0, graceMs: LAST_CHANCE_MS });
  await Promise.race([stopping.catch(() => false), wait(LAST_CHANCE_MS)]);
  await end(1);
}

export function endOnSignal(
  stopService: Stop,
  bounds: Config['shutdown'],
  logger: Logger,
  signals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT'],
): void {
  stop = stopService;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping !== undefined) process.exit(1);
    logger.info({ signal }, 'stopping');
    stopping = stop(bounds);
    stopping.then(
      (isDone) => end(isDone && !hasCrashed ? 0 : 1),
      (error: unknown) => {
        logger.error({ err: error }, 'could not stop cleanly');
        void end(1);
      },
    );
  };
  for (const signal of signals) process.on(signal, onSignal);
}

async function end(code: number): Promise<void> {
  await logOutput.drain(LAST_LINES_MS);
  process.exit(code);
}
