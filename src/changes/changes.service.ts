// The pages of the feed. Positions are read first, with the readings they stand for, and objects afterwards, never before: so a page shows
// nothing that is older than its last change.
import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { EventsService } from '../alerts/events.service.js';
import { Admission, PRICES } from '../common/admission/admission.js';
import { CallerCheck } from '../common/auth/caller-check.js';
import type { Caller } from '../common/auth/caller.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { CustomersService } from '../customers/customers.service.js';
import { FRESH_READS, Reads } from '../platform/database/reads.js';
import { isoFromPostgres } from '../common/datetime/datetime.js';
import { allowTime } from '../common/http/connections.js';
import { cursorExpired } from '../common/problems/problem.js';
import { TanksService } from '../tanks/tanks.service.js';
import { KIND } from './change-types.js';
import { ChangeWatch } from './change-watch.js';
import {
  END_OF_FEED,
  MAX_READING_ROWS,
  MAX_READINGS,
  MAX_READINGS_OF_CHANGE,
  PAGE,
  PAGE_WITHOUT_READINGS,
} from './changes.statements.js';
import { writeCursor, type Cursor } from './cursor.js';
import type { ChangesQuery } from './dto/changes.query.js';
import type { ChangedTelemetryResponse, ChangeResponse, ChangesResponse } from './dto/changes.response.js';

interface ChangeRow {
  readonly position: number;
  readonly placed_ms: number;
  readonly kind: string;
  /** Of telemetry its tank's; null if this key does not see it, and after the last row of readings that is read. */
  readonly id: string | null;
  /** Of telemetry. */
  readonly since: string;
  readonly until: string;
  /** How many of readings were read: one where the range is empty, none where this key does not see it. */
  readonly rows: number;
  /** As JSON, separated by commas; null when the range is empty. */
  readonly readings: string | null;
}

/** Where to go on after a page that is not full, and the end of the feed. */
type EndRow = Pick<ChangeRow, 'position' | 'placed_ms'> & { readonly kind: null; readonly newest: number };

interface ChangesPage {
  readonly isEmpty: boolean;
  readonly next: Cursor;
  readonly hasMore: boolean;
  /** Written once for all who share it. */
  readonly json: Buffer;
}

@Injectable()
export class ChangesService {
  /** Those of a key who waited for the same share an answer. */
  private readonly shared = new Map<string, Promise<ChangesPage>>();

  constructor(
    private readonly reads: Reads,
    @Inject(FRESH_READS) private readonly freshReads: Reads,
    private readonly tanks: TanksService,
    private readonly customers: CustomersService,
    private readonly events: EventsService,
    private readonly watch: ChangeWatch,
    private readonly callers: CallerCheck,
    private readonly admission: Admission,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The answer as JSON. Waits where the query asks for it; the key may end meanwhile, or be bound to another customer. */
  async follow(query: ChangesQuery, asked: Caller, response: Response): Promise<Buffer> {
    if (query.isFromNowOn) return this.latest();
    const { kinds, waitMs } = query;
    const waitsUntil = performance.now() + waitMs;
    let caller = asked;
    let page = await this.read(query, query.cursor, caller.customerId);
    for (
      let leftMs = waitMs;
      leftMs > 0 && page.isEmpty && !page.hasMore;
      leftMs = waitsUntil - performance.now()
    ) {
      const { next } = page;
      response.req.leaveSeats?.();
      const { customerId: boundTo, id: callerId } = caller;
      const reached = await this.withMoreTime(leftMs, response, () =>
        this.watch.wait({ kinds, boundTo, callerId }, next, leftMs, response),
      );
      if (response.closed) break;
      caller = await this.callers.authenticate(response.req, response, false);
      this.callers.requireScopes(caller, ['read']);
      if (reached !== undefined) return toJson([], reached, false);
      page = await this.readTogether(query, next, caller);
    }
    return page.json;
  }

  /** A request that waits may take longer than others, and is not logged as a slow one. */
  private async withMoreTime<T>(
    milliseconds: number,
    response: Response,
    wait: () => Promise<T>,
  ): Promise<T> {
    const { answerTimeoutMs } = this.config.limits;
    const { req: request } = response;
    const started = performance.now();
    allowTime(response, milliseconds + answerTimeoutMs);
    try {
      return await wait();
    } finally {
      allowTime(response, answerTimeoutMs);
      request.waitedMs = (request.waitedMs ?? 0) + performance.now() - started;
    }
  }

  private async latest(): Promise<Buffer> {
    const newest = await this.watch.newest();
    const row = await this.reads.firstRow<EndRow>(END_OF_FEED, [newest?.position ?? null]);
    if (row === undefined) throw new Error('The feed of changes is empty.');
    return toJson([], toCursor(row), false);
  }

  private readTogether(
    query: ChangesQuery,
    after: Cursor,
    { id: callerId, customerId }: Caller,
  ): Promise<ChangesPage> {
    const question = JSON.stringify([callerId, customerId, after, query.kinds, query.size]);
    let page = this.shared.get(question);
    if (page === undefined) {
      page = this.admission
        .run(callerId, PRICES.largePage, () => this.read(query, after, customerId))
        .finally(() => this.shared.delete(question));
      this.shared.set(question, page);
    }
    return page;
  }

  private async read(
    { kinds, size }: ChangesQuery,
    after: Cursor | undefined,
    boundTo: string | null,
  ): Promise<ChangesPage> {
    const newest = await this.watch.newest();
    // A cursor that another instance gave out may be ahead of what this one may give out; the primary knows it.
    const isAhead = newest !== undefined && after !== undefined && after.position > newest.position;
    const statement = kinds.includes(KIND.readings) ? PAGE : PAGE_WITHOUT_READINGS;
    const cursor = [after?.position ?? null, after?.placedMs ?? null, newest?.position ?? null];
    const values = [...cursor, `{${kinds.join()}}`, boundTo, size];
    const reads = isAhead ? this.freshReads : this.reads;
    const rows = await reads.rows<ChangeRow | EndRow>(statement, values, true);
    const end = rows.find((row) => row.kind === null);
    if (end === undefined) throw cursorExpired();
    const changes = rows.filter((row) => row.kind !== null);
    const shown = withinBounds(changes);
    // Of a page that is not full everything is shown: so far, the feed was looked at.
    const isAll = changes.length < size && shown.length === changes.length;
    const next = (isAll ? undefined : shown.at(-1)) ?? end;
    const data = await this.show(shown, boundTo);
    const hasMore = next.position < end.newest;
    const json = toJson(data, toCursor(next), hasMore);
    return { isEmpty: data.length === 0, next: toCursor(next), hasMore, json };
  }

  /** Each change as JSON. */
  private async show(changes: readonly ChangeRow[], boundTo: string | null): Promise<string[]> {
    const idsOf = (wanted: string): string[] =>
      changes.flatMap(({ kind, id }) => (kind === wanted && id !== null ? id : []));
    const [tanks, customers, events] = await Promise.all([
      this.tanks.findAll(idsOf(KIND.tank), boundTo),
      this.customers.findAll(idsOf(KIND.customer), boundTo),
      this.events.findAll(idsOf(KIND.event), boundTo),
    ]);
    const dataOf = (kind: string, id: string): Pick<ChangeResponse, 'type' | 'data'> | undefined => {
      switch (kind) {
        case KIND.customer:
          return { type: 'customer', data: customers.get(id) ?? { id, object: 'customer', deleted: true } };
        case KIND.event: {
          const data = events.get(id); // it may have gone for its age
          return data && { type: 'event', data };
        }
        case KIND.tank:
          return { type: 'tank', data: tanks.get(id) ?? { id, object: 'tank', deleted: true } };
        default: // it has left, or is gone for good: deleted even if it is back, since its readings must go
          return { type: 'tank', data: { id, object: 'tank', deleted: true } };
      }
    };
    return changes.flatMap((change) => {
      const { kind, id } = change;
      if (id === null) return [];
      if (kind === KIND.readings) return telemetryJson(change, id);
      const found = dataOf(kind, id);
      if (found === undefined) return [];
      return JSON.stringify({ ...beginningOf(change, found.type, id), data: found.data });
    });
  }
}

/** The first changes, that hold no more readings than a page may. The last one that was read may lack readings, so it is left for the next page. */
function withinBounds(changes: readonly ChangeRow[]): readonly ChangeRow[] {
  const isCut = changes.reduce((sum, { rows }) => sum + rows, 0) === MAX_READING_ROWS;
  let end = isCut ? changes.findLastIndex(({ rows }) => rows > 0) : changes.length;
  let total = 0;
  for (const [i, { rows }] of changes.entries()) {
    total += rows > MAX_READINGS_OF_CHANGE ? 0 : rows;
    if (total > MAX_READINGS) end = Math.min(end, i);
  }
  return changes.slice(0, end);
}

type Beginning = Omit<ChangeResponse, 'data'>;

function beginningOf({ placed_ms }: ChangeRow, type: ChangeResponse['type'], id: string): Beginning {
  return { object: 'change', type, id, created_at: new Date(placed_ms).toISOString() };
}

function telemetryJson(change: ChangeRow, id: string): string {
  const range: Omit<ChangedTelemetryResponse, 'readings'> = {
    created_at_gte: isoFromPostgres(change.since),
    created_at_lte: isoFromPostgres(change.until),
  };
  const written = JSON.stringify({ ...beginningOf(change, 'telemetry', id), data: range });
  const readings = change.rows > MAX_READINGS_OF_CHANGE ? 'null' : `[${change.readings ?? ''}]`;
  return `${written.slice(0, -2)},"readings":${readings}}}`;
}

function toCursor({ position, placed_ms: placedMs }: Pick<ChangeRow, 'position' | 'placed_ms'>): Cursor {
  return { position, placedMs };
}

/** `data`: each change as JSON. */
function toJson(data: readonly string[], next: Cursor, hasMore: boolean): Buffer {
  const end: Omit<ChangesResponse, 'object' | 'data'> = { next: writeCursor(next), has_more: hasMore };
  return Buffer.from(`{"object":"changes","data":[${data.join(',')}],${JSON.stringify(end).slice(1)}`);
}
