// The pages of the feed. Positions are read first and what they stand for afterwards, never before: so a page shows nothing that is
// older than its last change.
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { EventsService } from '../alerts/events.service.js';
import { CallerCheck } from '../auth/caller-check.js';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { CustomersService } from '../customers/customers.service.js';
import { FRESH_READS, Reads } from '../database/reads.js';
import { isoFromPostgres } from '../datetime/datetime.js';
import { allowTime } from '../http/connections.js';
import { cursorExpired } from '../problems/problem.js';
import { TanksService } from '../tanks/tanks.service.js';
import { ChangeWatch } from './change-watch.js';
import {
  LATEST,
  MAX_READING_ROWS,
  MAX_READINGS,
  MAX_READINGS_OF_CHANGE,
  PAGE,
  PAGE_WITHOUT_READINGS,
  READINGS,
} from './changes.statements.js';
import { writeCursor, type Cursor } from './cursor.js';
import type { ChangesQuery } from './dto/changes.query.js';
import type { ChangedReadingResponse, ChangeResponse, ChangesResponse } from './dto/changes.response.js';

interface ChangeRow {
  readonly position: number;
  readonly placed_ms: number;
  readonly placed_at: string;
  readonly kind: string;
  readonly id: string;
  readonly tank_key: number;
  readonly since: string;
  readonly until: string;
}

/** Where to go on after a page that is not full, and the end of the feed. */
type EndRow = Pick<ChangeRow, 'position' | 'placed_ms'> & { readonly kind: null; readonly newest: number };

interface ReadingRow {
  /** That of its change, from 1. */
  readonly place: number;
  readonly tank_id: string;
  /** Null when the range is empty. */
  readonly created_at: string | null;
  readonly fill_percentage: number;
}

type Telemetry = Pick<ChangeResponse, 'id' | 'data'>;

interface FoundTelemetry {
  readonly found: ReadonlyMap<ChangeRow, Telemetry>;
  readonly cutAt: number;
}

interface Page {
  readonly data: readonly ChangeResponse[];
  readonly next: Cursor;
  readonly hasMore: boolean;
}

@Injectable()
export class ChangesService {
  /** Those who waited for the same share an answer. */
  private readonly shared = new Map<string, Promise<Page>>();

  constructor(
    private readonly reads: Reads,
    @Inject(FRESH_READS) private readonly freshReads: Reads,
    private readonly tanks: TanksService,
    private readonly customers: CustomersService,
    private readonly events: EventsService,
    private readonly watch: ChangeWatch,
    private readonly callers: CallerCheck,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Waits where the query asks for it. The key may end meanwhile. */
  async follow(
    query: ChangesQuery,
    boundTo: string | null,
    request: Request,
    response: Response,
  ): Promise<ChangesResponse> {
    if (query.isFromNowOn) return toResponse(await this.latest());
    const { kinds, waitMs } = query;
    const waitsUntil = performance.now() + waitMs;
    let page = await this.read(query, query.cursor, boundTo);
    for (
      let leftMs = waitMs;
      leftMs > 0 && page.data.length === 0 && !page.hasMore;
      leftMs = waitsUntil - performance.now()
    ) {
      const { next } = page;
      const isWoken = await this.spendTime(leftMs, request, response, () =>
        this.watch.wait({ kinds, boundTo }, next, leftMs, response),
      );
      if (response.closed) break;
      this.callers.requireScope(await this.callers.recognize(request, response), 'read');
      if (!isWoken) return toResponse({ ...page, next: this.watch.reachedSince(next) });
      page = await this.readTogether(query, next, boundTo);
    }
    return toResponse(page);
  }

  /** What is spent here counts neither for the time in which every request is answered nor as slow. */
  private async spendTime<T>(
    milliseconds: number,
    request: Request,
    response: Response,
    spend: () => Promise<T>,
  ): Promise<T> {
    const { answerTimeoutMs } = this.config.limits;
    const started = performance.now();
    allowTime(response, milliseconds + answerTimeoutMs);
    try {
      return await spend();
    } finally {
      allowTime(response, answerTimeoutMs);
      request.waitedMs = (request.waitedMs ?? 0) + performance.now() - started;
    }
  }

  private async latest(): Promise<Page> {
    const newest = await this.watch.newest();
    const row = await this.reads.firstRow<EndRow>(LATEST, [newest?.position ?? null]);
    if (row === undefined) throw new Error('The feed of changes is empty.');
    return { data: [], next: cursorOf(row), hasMore: false };
  }

  private readTogether(query: ChangesQuery, after: Cursor, boundTo: string | null): Promise<Page> {
    const question = JSON.stringify([after, query.kinds, query.pageSize, boundTo]);
    let page = this.shared.get(question);
    if (page === undefined) {
      page = this.read(query, after, boundTo).finally(() => this.shared.delete(question));
      this.shared.set(question, page);
    }
    return page;
  }

  private async read(
    { kinds, pageSize }: ChangesQuery,
    after: Cursor | undefined,
    boundTo: string | null,
  ): Promise<Page> {
    const newest = await this.watch.newest();
    // A cursor that another instance gave out may be ahead of what this one may give out; the primary knows it.
    const isAhead = newest !== undefined && after !== undefined && after.position > newest.position;
    const statement = kinds.includes('r') ? PAGE : PAGE_WITHOUT_READINGS;
    const rows = await (isAhead ? this.freshReads : this.reads).rows<ChangeRow | EndRow>(
      statement,
      [
        after?.position ?? null,
        after?.placedMs ?? null,
        newest?.position ?? null,
        `{${kinds.join()}}`,
        boundTo,
        pageSize,
      ],
      true,
    );
    const end = rows.find((row) => row.kind === null);
    if (end === undefined) throw cursorExpired();
    const changes = rows.filter((row) => row.kind !== null);
    return this.show(changes, changes.length < pageSize ? end : undefined, end.newest, boundTo);
  }

  /** `end`: where to go on when all of them are shown; undefined: after the last. */
  private async show(
    changes: readonly ChangeRow[],
    end: EndRow | undefined,
    newest: number,
    boundTo: string | null,
  ): Promise<Page> {
    const idsOf = (kind: string): string[] =>
      changes.filter((change) => change.kind === kind).map(({ id }) => id);
    const [tanks, customers, events, telemetry] = await Promise.all([
      this.tanks.findAll(idsOf('t'), boundTo),
      this.customers.findAll(idsOf('c'), boundTo),
      this.events.findAll(idsOf('e'), boundTo),
      this.readTelemetry(
        changes.filter(({ kind }) => kind === 'r'),
        boundTo,
      ),
    ]);
    const shown = changes.filter(({ position }) => position < telemetry.cutAt);
    const data = shown.flatMap((change): ChangeResponse | [] => {
      const { id, kind } = change;
      const made = { object: 'change', created_at: isoFromPostgres(change.placed_at) } as const;
      if (kind === 'r') {
        const found = telemetry.found.get(change);
        return found === undefined ? [] : changeOf(made, 'telemetry', found.id, found.data);
      }
      if (kind === 'e') {
        const event = events.get(id);
        return event === undefined ? [] : changeOf(made, 'event', id, event); // it may have gone for its age
      }
      if (kind === 'c')
        return changeOf(made, 'customer', id, customers.get(id) ?? { id, object: 'customer', deleted: true });
      // One that has left, or is gone for good, is shown as deleted even if it is back: its readings must go.
      const tank = kind === 't' ? tanks.get(id) : undefined;
      return changeOf(made, 'tank', id, tank ?? { id, object: 'tank', deleted: true });
    });
    const next = (shown.length === changes.length ? end : undefined) ?? shown.at(-1);
    if (next === undefined) throw new Error('A page without an end.');
    return { data, next: cursorOf(next), hasMore: next.position < newest };
  }

  /** `cutAt`: the position from which on the page would hold too many readings. Of tanks that this key does not see, nothing is found. */
  private async readTelemetry(
    changes: readonly ChangeRow[],
    boundTo: string | null,
  ): Promise<FoundTelemetry> {
    const found = new Map<ChangeRow, Telemetry>();
    if (changes.length === 0) return { found, cutAt: Infinity };
    const list = (texts: readonly (string | number)[]): string =>
      `{${texts.map((text) => `"${text}"`).join()}}`;
    const rows = await this.reads.rows<ReadingRow>(
      READINGS,
      [
        list(changes.map((one) => one.tank_key)),
        list(changes.map((one) => one.since)),
        list(changes.map((one) => one.until)),
        boundTo,
      ],
      true,
    );
    // The last one may not be whole.
    const endsBefore = rows.length < MAX_READING_ROWS ? Infinity : (rows.at(-1)?.place ?? 0);
    let total = 0;
    for (let at = 0; at < rows.length;) {
      const { place, tank_id: id } = rows[at] as ReadingRow;
      const start = at;
      while (rows[at]?.place === place) at += 1;
      const change = changes[place - 1] as ChangeRow;
      const count = at - start > MAX_READINGS_OF_CHANGE ? 0 : at - start;
      total += count;
      if (place >= endsBefore || total > MAX_READINGS) return { found, cutAt: change.position };
      const readings = count === 0 ? null : rows.slice(start, at).flatMap(toReading);
      found.set(change, {
        id,
        data: {
          created_at_gte: isoFromPostgres(change.since),
          created_at_lte: isoFromPostgres(change.until),
          readings,
        },
      });
    }
    return { found, cutAt: Infinity };
  }
}

function toReading({ created_at, fill_percentage }: ReadingRow): ChangedReadingResponse | [] {
  return created_at === null ? [] : { created_at: isoFromPostgres(created_at), fill_percentage };
}

/** In the order in which it is shown. */
function changeOf(
  { object, created_at }: Pick<ChangeResponse, 'object' | 'created_at'>,
  type: ChangeResponse['type'],
  id: string,
  data: ChangeResponse['data'],
): ChangeResponse {
  return { object, type, id, created_at, data };
}

function cursorOf({ position, placed_ms: placedMs }: Pick<ChangeRow, 'position' | 'placed_ms'>): Cursor {
  return { position, placedMs };
}

function toResponse({ data, next, hasMore }: Page): ChangesResponse {
  return { object: 'changes', data: [...data], next: writeCursor(next), has_more: hasMore };
}
