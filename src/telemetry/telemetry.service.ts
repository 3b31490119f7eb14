// The telemetry of one tank: the total and the page come from one call, so from one snapshot.
import { Injectable } from '@nestjs/common';
import { isStorable, Reads, type Statement } from '../platform/database/reads.js';
import type { ListQuery } from '../common/pagination/dto/list.query.js';
import { pageFromRows, type CountedRow, type Page } from '../common/pagination/page.js';
import { notFound } from '../common/problems/problem.js';
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

@Injectable()
export class TelemetryService {
  constructor(private readonly reads: Reads) {}

  async list(
    tankId: string,
    query: ListQuery,
    boundTo: string | null,
  ): Promise<Page<TelemetryResponse | TelemetryRowResponse>> {
    const { since, until, skip, size, isLarge } = query;
    const values = [tankId, boundTo, since, until, skip, size];
    const rows = isStorable(tankId)
      ? await this.reads.rows<TelemetryRow & CountedRow>(LIST, values, isLarge)
      : [];
    if (rows.length === 0) throw notFound('There is no tank with this id.');
    const toResponse =
      query.rowFormat === undefined
        ? toTelemetryResponse
        : (row: TelemetryRow) => toTelemetryRowResponse(tankId, row);
    return pageFromRows(TelemetryRowResponse, rows, (row) => row.created_at !== null, toResponse, query);
  }
}
