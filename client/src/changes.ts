// Changes: everything that is written to the service, page by page, for copies that must not miss anything.
import { askForJson } from './json.js';
import type { RequestOptions, Transport } from './transport.js';
import { sleep } from './waiting.js';
import type { Customer, DeletedCustomer, DeletedTank, Tank, TankEvent } from './types.js';

export type ChangeType = 'customer' | 'tank' | 'telemetry' | 'event';

export interface ListChangesQuery {
  /** The `next` of the page before; left out: from the oldest change that is kept; `latest`: from now on. */
  after?: string | undefined;
  types?: readonly ChangeType[] | undefined;
  /** How many changes a page has at most: 100, unless given; up to 1,000. */
  size?: number | undefined;
  /** How many seconds to wait if there is none: 0, unless given; up to 25. */
  wait?: number | undefined;
}

export interface ChangeOf<Type extends ChangeType, Data> {
  object: 'change';
  type: Type;
  id: string;
  created_at: string;
  data: Data;
}

export interface ChangedReadings {
  created_at_gte: string;
  created_at_lte: string;
  /** All that the tank has in this range now; null if there are too many. */
  readings: { created_at: string; fill_percentage: number }[] | null;
}

export type Change =
  | ChangeOf<'customer', Customer | DeletedCustomer>
  | ChangeOf<'tank', Tank | DeletedTank>
  | ChangeOf<'telemetry', ChangedReadings>
  | ChangeOf<'event', TankEvent>;

export interface ChangesPage {
  object: 'changes';
  data: Change[];
  next: string;
  has_more: boolean;
}

const WAIT_S = 25;
/** An empty answer that came sooner is one of a service that is about to stop. */
const SOON_MS = 1_000;

export type FollowOptions = Omit<ListChangesQuery, 'wait'> & RequestOptions;

export class Changes {
  constructor(private readonly transport: Transport) {}

  /** One page. */
  list(query: ListChangesQuery = {}, options: RequestOptions = {}): Promise<ChangesPage> {
    return askForJson(this.transport, { ...options, path: '/v1/changes', query, isRepeatable: true });
  }

  /**
   * Page after page, as changes happen, until the signal is aborted; whatever is worth a retry is tried again for as long as it takes.
   * Store `page.next` once `page.data` is handled, and start from there the next time: nothing is missed, some may come twice. Throws
   * a `ProblemError` with the status 410 when `after` is too old: then start with `latest`, read the lists, and follow.
   */
  async *follow({ after, types, size, ...options }: FollowOptions = {}): AsyncGenerator<
    ChangesPage,
    void,
    undefined
  > {
    const timeoutMs = (options.timeoutMs ?? this.transport.timeoutMs) + WAIT_S * 1_000;
    let cursor = after;
    for (;;) {
      const askedAt = performance.now();
      const query = { after: cursor, types, size, wait: WAIT_S };
      const page = await this.list(query, { maxRetries: Infinity, ...options, timeoutMs });
      if (page.data.length > 0 || page.next !== cursor) yield page;
      const isEarly = page.data.length === 0 && !page.has_more && cursor !== 'latest';
      if (isEarly && performance.now() - askedAt < SOON_MS) await sleep(SOON_MS, options.signal);
      cursor = page.next;
    }
  }
}
