// The telemetry of one tank: listed by one call, so that page and total are of one snapshot; wrong readings are removed. Counts, the tank's
// state and the feed of changes follow in the same transaction.
import { Injectable } from '@nestjs/common';
import { isStorable, Reads, type Statement } from '../platform/database/reads.js';
import type { ListQuery } from '../common/pagination/dto/list.query.js';
import { pageFromRows, type CountedRow, type Page } from '../common/pagination/page.js';
import { badRequest, noSuch, notFound } from '../common/problems/problem.js';
import { isDeleted } from '../common/writes/problems.js';
import { describeActor, describeChange, RecordedWrites } from '../common/writes/recorded-writes.js';
import type { Writer, WriteResult } from '../common/writes/recorded-writes.js';
import type { DeletionQuery, DeletionResponse } from './dto/deletion.response.js';
import {
  TelemetryRowResponse,
  toTelemetryResponse,
  toTelemetryRowResponse,
} from './dto/telemetry.response.js';
import type { TelemetryResponse, TelemetryRow } from './dto/telemetry.response.js';

/** Called at the top level, so that a cluster can hand the whole call to the node that holds the tank. */
const LIST: Statement = {
  name: 'telemetry_page',
  text: 'select total, created_at, fill_percentage from telemetry_page($1, $2, $3, $4, $5, $6)',
};

export const MAX_DELETED = 10_000;

interface Deletion {
  readonly outcome: 'removed' | 'unknown' | 'deleted' | 'too_many';
  readonly owner: string;
  readonly removed: number;
}

export const tooManyToDelete = () =>
  badRequest(
    'range_too_large',
    `The range holds more than ${MAX_DELETED} readings; choose a shorter one. Nothing was removed.`,
  );

@Injectable()
export class TelemetryService {
  constructor(
    private readonly reads: Reads,
    private readonly writes: RecordedWrites,
  ) {}

  async list(
    tankId: string,
    query: ListQuery,
    boundTo: string | null,
  ): Promise<Page<TelemetryResponse | TelemetryRowResponse>> {
    const { since, until, skip, size, isLarge } = query;
    const values = [tankId, boundTo, since, until, skip, size];
    const rows = await this.reads.rows<TelemetryRow & CountedRow>(LIST, values, isLarge);
    if (rows.length === 0) throw notFound('There is no tank with this id.');
    const toResponse =
      query.rowFormat === undefined
        ? toTelemetryResponse
        : (row: TelemetryRow) => toTelemetryRowResponse(tankId, row);
    return pageFromRows(TelemetryRowResponse, rows, toResponse, query);
  }

  async remove(tankId: string, query: DeletionQuery, writer: Writer): Promise<WriteResult<DeletionResponse>> {
    if (!isStorable(tankId)) throw noSuch('tank');
    const actor = JSON.stringify(describeActor(writer));
    return this.writes.run(writer, async (manager) => {
      const [deletion] = await manager.query<Deletion[]>(
        'select outcome, owner, removed from remove_readings($1, $2, $3, $4, $5, $6)',
        [tankId, writer.customerId, query.since, query.until, MAX_DELETED, actor],
      );
      if (deletion === undefined || deletion.outcome === 'unknown') throw noSuch('tank');
      if (deletion.outcome === 'deleted') throw isDeleted('tank');
      if (deletion.outcome === 'too_many') throw tooManyToDelete();
      const { owner: ownerId, removed } = deletion;
      const object = { object: 'deletion', deleted: removed } as const;
      if (removed === 0) return { object };
      return { object, change: describeChange('tank', tankId, 'delete_readings', [], { ownerId }) };
    });
  }
}
