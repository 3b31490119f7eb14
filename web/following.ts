// Follows the feed of changes while the page is looked at, with one open request: whatever is shown learns at once that it has changed.
import { useLayoutEffect } from 'preact/hooks';
import { ConnectionError, ProblemError, type Change, type TankMonitoring } from 'tank-monitoring-client';
import { isTrouble } from './api/troubles.js';

/** The ids of the tanks and customers that something happened to; undefined when it may be any. */
export type Changed = ReadonlySet<string> | undefined;

const LATEST = 'latest';
/** So often an answer says that all is as it was; one that is later than that by so much never comes. */
const WAIT_S = 5;
const LATE_MS = 4_000;
/** What comes meanwhile comes together. */
const PAUSE_MS = 500;
const AGAIN_MS = 10_000;
/** Without the feed the page shows what it can. */
const PATIENCE_MS = 1_000;

let beginning = Promise.resolve();

/** First the place in the feed, then what is shown: so nothing falls in between. */
export function whenFollowing(): Promise<void> {
  return beginning;
}

interface Listener {
  /** An answer: one without changes says that all is as it was. */
  readonly heard: (changed: Changed) => void;
  readonly notHeard: (trouble: ConnectionError) => void;
}

/** A layout effect, which comes before what the views ask. */
export function useFollowing(client: TankMonitoring, listener: Listener): void {
  useLayoutEffect(() => {
    const stop = new AbortController();
    beginning = new Promise((begin) => {
      void follow(client, listener, stop.signal, begin);
      setTimeout(begin, PATIENCE_MS);
    });
    return () => stop.abort();
  }, [client]);
}

async function follow(client: TankMonitoring, listener: Listener, signal: AbortSignal, begin: () => void) {
  let after = LATEST;
  let isFirst = true;
  while (!signal.aborted) {
    try {
      await untilSeen(signal);
      const options = { signal, timeoutMs: LATE_MS };
      const { data, next, has_more } = await client.changes.list({ after, wait: WAIT_S }, options);
      if (has_more) {
        after = LATEST; // more than is worth reading: from there on, all is asked for anew
        continue;
      }
      const changed = after === LATEST ? undefined : new Set(data.map(subjectOf));
      after = next;
      if (!isFirst) listener.heard(changed);
      isFirst = false;
      begin();
      if (data.length > 0) await sleep(PAUSE_MS);
    } catch (error) {
      if (signal.aborted) return;
      if (!isTrouble(error)) throw error;
      isFirst = false;
      begin();
      if (error instanceof ConnectionError && !document.hidden) listener.notHeard(error);
      // Whoever shows something asks every minute meanwhile, and reports what is wrong.
      if (error instanceof ProblemError && error.status === 410) after = LATEST;
      else await sleep(AGAIN_MS);
    }
  }
}

function subjectOf(change: Change): string {
  return change.type === 'event' ? change.data.tank_id : change.id;
}

/** Once the page is left, nobody waits for it any more. */
async function untilSeen(signal: AbortSignal): Promise<void> {
  const once = { once: true, signal };
  while (document.hidden) {
    await new Promise((seen) => document.addEventListener('visibilitychange', seen, once));
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((wake) => setTimeout(wake, milliseconds));
}
