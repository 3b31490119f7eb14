// Keeps what is shown fresh: asked at once, again when the feed says that it has changed, and after a failure as soon as it makes sense.
// When the feed is silent, or what is shown is not in it, every minute while the page is looked at. The last good answer stays, with its
// age, until there is a better one. TanStack Query asks and remembers; this is how often.
import {
  keepPreviousData,
  QueryClient,
  useQuery,
  useQueryClient,
  type Query,
  type QueryFunctionContext,
} from '@tanstack/preact-query';
import { ConnectionError, etagOf, type Me } from 'tank-monitoring-client';
import { now } from './api/clock.js';
import { isTrouble, type Trouble } from './api/troubles.js';
import { kept } from './offline.js';
import { whenFollowing, type Changed } from './following.js';

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

interface Options extends Record<string, unknown> {
  /** It has its answer for good. */
  readonly once?: boolean;
  /** The tanks and customers that it is about; all, unless given. */
  readonly about?: readonly string[];
  /** Whether all that may change in it is in the feed. */
  readonly isInFeed?: boolean;
}

export const NOT_IN_FEED: Options = { about: [], isInFeed: false };

/** How a question has fared. */
interface Pace {
  failures: number;
  trouble?: Trouble | undefined;
  againAt?: number | undefined;
  soonestAt: number;
  /** What was asked may have been answered before the change. */
  hasChanged: boolean;
  timer?: ReturnType<typeof setTimeout>;
}
const paces = new WeakMap<object, Pace>();

function paceOf(query: object | undefined): Pace {
  const pace = (query && paces.get(query)) ?? { failures: 0, soonestAt: 0, hasChanged: false };
  if (query !== undefined) paces.set(query, pace);
  return pace;
}

const optionsOf = ({ meta }: Query): Options => meta ?? {};

/** Who asks is known from the start, so that nothing appears later because they may do it. */
export function newQueries(me: Me): QueryClient {
  const isOld = (query: Query) => Date.now() - query.state.dataUpdatedAt >= EVERY_MS;
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always', // a browser that is offline is told of as any trouble
        retry: false,
        gcTime: EVERY_MS,
        placeholderData: keepPreviousData,
        // Then the object stays, too: what is made of it need not be made anew.
        structuralSharing: (before, data) => (isSame(before, data) ? before : data),
        refetchInterval: (query: Query) => {
          const { trouble, againAt = 0 } = paceOf(query);
          if (trouble !== undefined) return Math.max(1, againAt - Date.now());
          return optionsOf(query).once === true ? false : EVERY_MS;
        },
        refetchOnWindowFocus: (query: Query) => (isOld(query) ? 'always' : false),
        refetchOnReconnect: 'always',
      },
    },
  });
  queries.setQueryDefaults(['me'], { staleTime: EVERY_MS });
  queries.setQueryData(['me'], me);
  const last = kept();
  if (last) queries.setQueryData(['run', last.run.id], { run: last.run }, { updatedAt: last.at });
  return queries;
}

/** `question` names what is asked, undefined while nobody looks; `ask` may be another function each time. */
export function useFresh<T>(
  question: readonly unknown[] | undefined,
  ask: (signal: AbortSignal) => Promise<T>,
  options: Options = {},
): Fresh<T> {
  const queryKey = question ?? [];
  const forGood = { staleTime: Infinity, gcTime: 0 };
  const answer = useQuery<T>({
    queryKey,
    queryFn: (context) => asked(context, ask),
    enabled: question !== undefined,
    meta: options,
    ...(options.once === true && forGood),
  });
  const { trouble, againAt } = paceOf(useQueryClient().getQueryCache().find({ queryKey, exact: true }));
  const { data, dataUpdatedAt: at, isPlaceholderData, refetch } = answer;
  // Old data stay beside a trouble that may pass; those of another question do not stand for this one.
  const isOther = question !== undefined && isPlaceholderData;
  return {
    data: trouble !== undefined && isOther ? undefined : data,
    at: at === 0 ? undefined : at + now() - Date.now(),
    isPrevious: isOther,
    trouble: answer.error === null && !answer.isFetching ? undefined : trouble,
    againAt,
    retry: () => void refetch({ cancelRefetch: false }),
  };
}

async function asked<T>(context: QueryFunctionContext, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { client, queryKey, signal } = context;
  const query = client.getQueryCache().find({ queryKey, exact: true });
  const pace = paceOf(query);
  const askedAt = Date.now();
  pace.hasChanged = false;
  try {
    await whenFollowing();
    const data = await ask(signal);
    pace.failures = 0;
    pace.trouble = undefined;
    pace.soonestAt = Date.now() + Math.max(SOONEST_MS, SHARE_OF_TIME * (Date.now() - askedAt));
    if (pace.hasChanged && query !== undefined) askSoon(query);
    return data;
  } catch (error) {
    if (isTrouble(error)) note(pace, error);
    else if (!signal.aborted) reportError(error);
    throw error;
  }
}

function note(pace: Pace, trouble: Trouble): void {
  pace.failures += 1;
  pace.trouble = trouble;
  pace.againAt = Date.now() + patienceWith(trouble, pace.failures);
}

function askSoon(query: Query): void {
  const pace = paceOf(query);
  clearTimeout(pace.timer);
  const ask = () => void (query.isActive() && query.fetch().catch(() => undefined));
  pace.timer = setTimeout(ask, Math.max(0, pace.soonestAt - Date.now()));
}

/** An answer of the feed: what has changed is asked for, the rest is confirmed. */
export function heard(queries: QueryClient, changed: Changed): void {
  for (const query of queries.getQueryCache().findAll({ type: 'active' })) {
    const { once, about, isInFeed = true } = optionsOf(query);
    const pace = paceOf(query);
    const isAbout = changed === undefined || (about?.some((id) => changed.has(id)) ?? changed.size > 0);
    if (once === true || pace.trouble !== undefined) continue;
    if (query.state.fetchStatus === 'fetching') pace.hasChanged ||= isAbout;
    else if (isAbout) askSoon(query);
    else if (isInFeed) queries.setQueryData(query.queryKey, query.state.data, { updatedAt: Date.now() });
  }
}

/** The feed gets no answer: neither would anything else. */
export function notHeard(queries: QueryClient, trouble: ConnectionError): void {
  for (const query of queries.getQueryCache().findAll({ type: 'active', fetchStatus: 'idle' })) {
    if (paceOf(query).trouble !== undefined) continue;
    note(paceOf(query), trouble);
    query.setState({ status: 'error', error: trouble });
  }
}

const versionOf = (data: unknown) => (typeof data === 'object' && data !== null ? etagOf(data) : undefined);

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
