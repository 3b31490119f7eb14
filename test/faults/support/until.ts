// Waits for conditions, never for time: a slow machine makes a test slower, not red.
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/** Asks until the answer is yes; past the deadline it fails with what was waited for. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  deadlineMs = 100_000,
): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Not within ${deadlineMs} ms: ${what}.`);
    await sleep(POLL_MS);
  }
}
