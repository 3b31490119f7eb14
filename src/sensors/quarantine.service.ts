// Reads the uplinks in quarantine, one statement a request, so that a page and its total are of one snapshot; and discards single ones.
import { Injectable } from '@nestjs/common';
import { IngestWrites } from '../platform/database/ingest-writes.js';
import { isStorable, Reads, type Statement } from '../platform/database/reads.js';
import { pageFromRows, pageOfFew } from '../common/pagination/page.js';
import type { CountedRow, Listed, Page } from '../common/pagination/page.js';
import { noSuch } from '../common/problems/problem.js';
import { deviceKey } from '../tanks/device-key.js';
import { toUplinkResponse, UplinkResponse } from './dto/uplink.response.js';
import type { DeletedUplinkResponse, UplinkRow } from './dto/uplink.response.js';
import type { UplinksQuery } from './dto/uplink.input.js';

const COLUMNS =
  'uplink.id, uplink.created_at, uplink.source, uplink.device_id, uplink.reason, uplink.detail, uplink.topic';

const FIND_ONE: Statement = {
  name: 'uplink_by_id',
  text: `
    select ${COLUMNS}, uplink.payload from quarantined_uplinks uplink
    where id = $1 and ($2::text is null or customer_id = $2)`,
};

/** Whatever the filter, an index is read: there are never more than some hundred thousand, and some ten thousand of a customer. */
const UPLINKS: Listed = { table: 'quarantined_uplinks', alias: 'uplink', columns: COLUMNS };
const FILTER = '($5::text is null or device_id = $5) and ($6::text is null or reason = $6)';
const LIST = pageOfFew('uplinks_page', UPLINKS, FILTER);
export const LIST_OF_BOUND_KEY = pageOfFew(
  'uplinks_page_of_bound_key',
  UPLINKS,
  `customer_id = $7 and ${FILTER}`,
);

const DISCARD: Statement = { name: 'discard_uplink', text: 'select discard_uplink($1, $2) as is_discarded' };

@Injectable()
export class QuarantineService {
  constructor(
    private readonly reads: Reads,
    private readonly writes: IngestWrites,
  ) {}

  async list(query: UplinksQuery, boundTo: string | null): Promise<Page<UplinkResponse>> {
    const { since, until, skip, size, isLarge, device_id: device, reason = null } = query;
    const deviceId = device === undefined ? null : deviceKey(device);
    const values = [since, until, skip, size, deviceId, reason];
    const [statement, all] = boundTo === null ? [LIST, values] : [LIST_OF_BOUND_KEY, [...values, boundTo]];
    const rows = await this.reads.page<UplinkRow & CountedRow>(statement, all, isLarge);
    return pageFromRows(UplinkResponse, rows, toUplinkResponse, query);
  }

  /** As JSON. The payload is put in as it was sent: it may be nested too deeply to be written anew. */
  async get(id: string, boundTo: string | null): Promise<string> {
    const row = await this.reads.firstRow<UplinkRow & { payload: string }>(FIND_ONE, [id, boundTo]);
    if (row === undefined) throw noSuch('uplink');
    return `${JSON.stringify(toUplinkResponse(row)).slice(0, -1)},"payload":${row.payload}}`;
  }

  async discard(id: string, boundTo: string | null): Promise<DeletedUplinkResponse> {
    const isKnown =
      isStorable(id) &&
      (await this.writes.row<{ is_discarded: boolean }>(DISCARD, [id, boundTo])).is_discarded;
    if (!isKnown) throw noSuch('uplink');
    return { id, object: 'uplink', deleted: true };
  }
}
