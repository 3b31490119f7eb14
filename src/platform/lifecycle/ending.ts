// How the process ends: on the first signal after requests in flight are answered, on the second at once. An uncaught exception is
// one fatal log line and exit code 1, after requests in flight had their chance.
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import { asksForUnknownLogin } from '../database/failures.js';
import { logOutput } from '../logging/log-output.js';
import type { Logger } from '../logging/logger.js';
import { stopTracing } from '../tracing/tracing.js';

/** Resolves to whether everything was done. */
type Stop = (bounds: Config['shutdown']) => Promise<boolean>;

/** For requests in flight, after an uncaught exception. */
const CRASH_GRACE_MS = 5_000;
/** For the last log lines. */
const LOG_DRAIN_MS = 500;

let stop: Stop = () => Promise.resolve(true);
let stopping: Promise<boolean> | undefined;
let hasCrashed = false;

export function exitOnUncaughtException(logger: Logger): void {
  process.on('uncaughtException', (error) => {
    // pg throws it where nobody can catch it. The connection stays closed and times out, as one to a server that does not answer.
    if (asksForUnknownLogin(error)) {
      logger.error({ err: error }, 'the database asks for a kind of login that is not supported');
      return;
    }
    if (hasCrashed) {
      logger.error({ err: error }, 'another uncaught exception');
      return;
    }
    hasCrashed = true;
    logger.fatal({ err: error }, 'uncaught exception; the process ends');
    void exitInTime();
  });
}

async function exitInTime(): Promise<void> {
  stopping ??= stop({ delayMs: 0, graceMs: CRASH_GRACE_MS });
  await Promise.race([stopping.catch(() => false), wait(CRASH_GRACE_MS)]);
  await exit(1);
}

export function exitOnSignal(
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
      (isDone) => exit(isDone && !hasCrashed ? 0 : 1),
      (error: unknown) => {
        logger.error({ err: error }, 'could not stop cleanly');
        void exit(1);
      },
    );
  };
  for (const signal of signals) process.on(signal, onSignal);
}

async function exit(code: number): Promise<void> {
  await stopTracing();
  await logOutput.drain(LOG_DRAIN_MS);
  process.exit(code);
}
