// Keeps what is shown fresh: asked at once, again when the feed says that it has changed, and after a failure as soon as it makes sense.
// When the feed is silent, or what is shown is not in it, every minute while the page is looked at. The last good answer stays, with its
// age, until there is a better one.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ConnectionError, etagOf } from 'tank-monitoring-client';
import { now } from './api/clock.js';
import { isTrouble, type Trouble } from './api/troubles.js';
import { onChanges, whenFollowing, type Changed } from './following.js';

const EVERY_MS = 60_000;
const UNREACHABLE_AGAIN_MS = 10_000;
/** However much changes: what took long to answer is asked for less often. */
const SOONEST_MS = 500;
const SHARE_OF_TIME = 10;

export interface Fresh<T> {
  readonly data: T | undefined;
  /** When the data were confirmed last. */
  readonly at: number | undefined;
  /** Whether they answer the question before, while the new one is on its way. */
  readonly isPrevious: boolean;
  readonly trouble: Trouble | undefined;
  /** When it is tried again after a trouble. */
  readonly againAt: number | undefined;
  readonly retry: () => void;
}

interface Answer<T> extends Partial<Omit<Fresh<T>, 'isPrevious' | 'retry'>> {
  readonly question: string | undefined;
}

interface Options {
  /** It has its answer for good. */
  readonly once?: boolean;
  /** The tanks and customers that it is about; all, unless given. */
  readonly about?: readonly string[];
  /** Whether all that may change in it is in the feed. */
  readonly isInFeed?: boolean;
}

export const NOT_IN_FEED: Options = { about: [], isInFeed: false };

/** `question` names what is asked, undefined while nobody looks; `ask` may be another function each time. */
export function useFresh<T>(
  question: string | undefined,
  ask: (signal: AbortSignal) => Promise<T>,
  options: Options = {},
): Fresh<T> {
  const [answer, setAnswer] = useState<Answer<T>>({ question });
  const latest = useRef({ ask, options });
  latest.current = { ask, options };
  const retry = useRef(() => undefined as void);

  useEffect(() => {
    if (question === undefined) return undefined;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let dueAt = 0;
    let isAsking = false;
    let isDone = false;
    let failures = 0;
    let soonestAt = 0;
    /** What was asked may have been answered before the change. */
    let hasChanged = false;

    const askAgainIn = (milliseconds: number) => {
      clearTimeout(timer);
      dueAt = Date.now() + milliseconds;
      timer = setTimeout(() => void refresh(), milliseconds);
    };
    const refresh = async () => {
      if (isAsking || isDone || document.hidden) return; // when it is looked at again, `whenSeen` goes on
      isAsking = true;
      hasChanged = false;
      clearTimeout(timer);
      const askedAt = Date.now();
      try {
        await whenFollowing();
        const data = await latest.current.ask(stop.signal);
        setAnswer((before) => ({
          question,
          data: isSame(before.data, data) ? before.data : data,
          at: now(),
        }));
        failures = 0;
        soonestAt = Date.now() + Math.max(SOONEST_MS, SHARE_OF_TIME * (Date.now() - askedAt));
        if (latest.current.options.once === true) isDone = true;
        else askAgainIn(hasChanged ? soonestAt - Date.now() : EVERY_MS);
      } catch (error) {
        if (stop.signal.aborted) return;
        if (!isTrouble(error)) throw error;
        failures += 1;
        const wait = patienceWith(error, failures);
        // Old data stay beside a trouble that may pass; those of another question do not stand for this one.
        setAnswer((before) => ({
          ...(before.question === question ? before : { question }),
          trouble: error,
          againAt: Date.now() + wait,
        }));
        askAgainIn(wait);
      } finally {
        isAsking = false;
      }
    };
    const whenSeen = () => {
      if (Date.now() >= dueAt) void refresh();
    };
    const whenChanged = (changed: Changed) => {
      const { about, isInFeed = true } = latest.current.options;
      const isAbout = changed === undefined || (about?.some((id) => changed.has(id)) ?? changed.size > 0);
      if (isDone || failures > 0) return;
      if (isAsking) hasChanged ||= isAbout;
      else if (isAbout) askAgainIn(Math.max(0, soonestAt - Date.now()));
      else if (isInFeed) {
        setAnswer((before) => ({ ...before, at: now() }));
        askAgainIn(EVERY_MS);
      }
    };

    retry.current = () => void refresh();
    document.addEventListener('visibilitychange', whenSeen, { signal: stop.signal });
    addEventListener('online', retry.current, { signal: stop.signal });
    const unfollow = onChanges(whenChanged);
    void refresh();
    return () => {
      stop.abort();
      clearTimeout(timer);
      unfollow();
    };
  }, [question]);

  const { data, at, trouble, againAt } = answer;
  const isPrevious = question !== undefined && answer.question !== question;
  return { data, at, isPrevious, trouble, againAt, retry: () => retry.current() };
}

const versionOf = (data: unknown) => (typeof data === 'object' && data !== null ? etagOf(data) : undefined);

/** Then the object stays, too: what is made of it need not be made anew. */
function isSame(before: unknown, data: unknown): boolean {
  return versionOf(data) !== undefined && versionOf(before) === versionOf(data);
}

/** Whatever fails again and again, such as a service whose database is away, is asked less and less often. */
function patienceWith(trouble: Trouble, failures: number): number {
  if (trouble instanceof ConnectionError) return UNREACHABLE_AGAIN_MS;
  if (trouble.retryAfterMs === undefined) return EVERY_MS;
  const rest = failures < 2 || trouble.status === 429 ? SOONEST_MS : 5_000 * 2 ** (failures - 1);
  return Math.max(trouble.retryAfterMs, Math.min(EVERY_MS, rest));
}
