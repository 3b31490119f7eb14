// Keeps what is shown fresh: asked at once, again every minute while the page is looked at, and after a failure as soon as
// it makes sense. The last good answer stays, with its age, until there is a better one.
import { useEffect, useRef, useState } from 'preact/hooks';
import { now } from './api/clock.js';
import { isTrouble, Unreachable, type Trouble } from './api/troubles.js';

const EVERY_MS = 60_000;
const UNREACHABLE_AGAIN_MS = 10_000;

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

interface Answer<T> {
  readonly question: string | undefined;
  readonly data?: T;
  readonly at?: number;
  readonly trouble?: Trouble;
  readonly againAt?: number;
}

/**
 * `question` names what is asked, undefined while nobody looks; `ask` may be another function each time. What is asked once
 * has its answer for good.
 */
export function useFresh<T>(
  question: string | undefined,
  ask: (signal: AbortSignal) => Promise<T>,
  { once = false } = {},
): Fresh<T> {
  const [answer, setAnswer] = useState<Answer<T>>({ question });
  const latestAsk = useRef(ask);
  latestAsk.current = ask;
  const retry = useRef(() => undefined as void);

  useEffect(() => {
    if (question === undefined) return undefined;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let dueAt = 0;
    let isAsking = false;
    let isDone = false;

    const askAgainIn = (milliseconds: number) => {
      dueAt = Date.now() + milliseconds;
      timer = setTimeout(() => void refresh(), milliseconds);
    };
    const refresh = async () => {
      if (isAsking || isDone || document.hidden) return; // when it is looked at again, `whenSeen` goes on
      isAsking = true;
      clearTimeout(timer);
      try {
        const data = await latestAsk.current(stop.signal);
        setAnswer({ question, data, at: now() });
        if (once) isDone = true;
        else askAgainIn(EVERY_MS);
      } catch (error) {
        if (stop.signal.aborted) return;
        const trouble = troubleOf(error);
        const wait = patienceWith(trouble);
        // Old data stay beside a trouble that may pass; those of another question do not stand for this one.
        setAnswer((before) => ({
          ...(before.question === question ? before : { question }),
          trouble,
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
    const whenOnline = () => void refresh();

    retry.current = whenOnline;
    document.addEventListener('visibilitychange', whenSeen);
    addEventListener('online', whenOnline);
    void refresh();
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', whenSeen);
      removeEventListener('online', whenOnline);
    };
  }, [question]);

  const { data, at, trouble, againAt } = answer;
  const isPrevious = question !== undefined && answer.question !== question;
  return { data, at, isPrevious, trouble, againAt, retry: () => retry.current() };
}

function troubleOf(error: unknown): Trouble {
  if (isTrouble(error)) return error;
  throw error;
}

function patienceWith(trouble: Trouble): number {
  if (trouble instanceof Unreachable) return UNREACHABLE_AGAIN_MS;
  return trouble.retryAfterSeconds === undefined ? EVERY_MS : trouble.retryAfterSeconds * 1_000;
}
