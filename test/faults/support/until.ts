// Waits for conditions, never for time: a slow machine makes a test slower, not red.
import { setTimeout as sleep } from 'node:timers/promises';

/** More rarely the longer it takes: asking is work for the machine that is waited for. */
const POLL_MS = { first: 20, share: 0.05, last: 250 };

/** Asks until the answer is yes; past the deadline it fails with what was waited for. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  deadlineMs = 100_000,
): Promise<void> {
  const began = performance.now();
  while (!(await condition())) {
    const waited = performance.now() - began;
    if (waited > deadlineMs) throw new Error(`Not within ${deadlineMs} ms: ${what}.`);
    await sleep(Math.min(POLL_MS.first + waited * POLL_MS.share, POLL_MS.last));
  }
}
