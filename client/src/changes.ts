// Changes: everything that is written to the service, page by page, for copies that must not miss anything.
import { askForJson } from './json.js';
import type { RequestOptions, Transport } from './transport.js';
import { sleep } from './waiting.js';
import type { ChangesPage, ListChangesQuery } from './types.js';

/** The service waits no longer. */
const WAIT_S = 25;
/** An empty answer that came sooner is one of a service that is about to stop. */
const SOON_MS = 1_000;

export type FollowOptions = Omit<ListChangesQuery, 'wait'> &
  RequestOptions & {
    /** How long one request may wait for the next change: 25, unless given. Less for a proxy that ends silent requests sooner. */
    readonly maxWaitSeconds?: number | undefined;
  };

export class Changes {
  constructor(private readonly transport: Transport) {}

  /** One page. The seconds that it may `wait` for the first change are not counted as the service's silence. */
  list(query: ListChangesQuery = {}, options: RequestOptions = {}): Promise<ChangesPage> {
    const timeoutMs = (options.timeoutMs ?? this.transport.timeoutMs) + (query.wait ?? 0) * 1_000;
    const request = { ...options, timeoutMs, path: '/v1/changes', query, isRepeatable: true };
    return askForJson(this.transport, request, 'changes');
  }

  /**
   * Page after page, as changes happen, until the signal is aborted; whatever is worth a retry is tried again for as long as it takes.
   * Store `page.next` once `page.data` is handled, and start from there the next time: nothing is missed, some may come twice. Throws
   * a `ProblemError` with the status 410 when `after` is too old: then start with `latest`, read the lists, and follow.
   */
  async *follow({
    after,
    types,
    size,
    maxWaitSeconds = WAIT_S,
    ...options
  }: FollowOptions = {}): AsyncGenerator<ChangesPage, void, undefined> {
    if (!(maxWaitSeconds >= 0)) throw new TypeError('maxWaitSeconds must be a number of seconds.');
    const wait = Math.min(Math.floor(maxWaitSeconds), WAIT_S);
    let cursor = after;
    for (;;) {
      const askedAt = performance.now();
      const query = { after: cursor, types, size, wait };
      const page = await this.list(query, { ...options, maxRetries: options.maxRetries ?? Infinity });
      if (page.data.length > 0 || page.next !== cursor) yield page;
      const isEarly =
        page.data.length === 0 && (!page.has_more || page.next === cursor) && cursor !== 'latest';
      if (isEarly && performance.now() - askedAt < SOON_MS) await sleep(SOON_MS, options.signal);
      cursor = page.next;
    }
  }
}
