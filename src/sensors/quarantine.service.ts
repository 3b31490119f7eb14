// Reads the uplinks in quarantine: one statement a request, so that a page and its total are of one snapshot.
import { Injectable } from '@nestjs/common';
import { Reads, type Statement } from '../database/reads.js';
import { isStorable } from '../database/text.js';
import { pageFromRows, type CountedRow, type Page } from '../pagination/page.js';
import { pageOfFew, type Listed } from '../pagination/page-statements.js';
import { notFound, type Problem } from '../problems/problem.js';
import { deviceKey } from '../tanks/device-key.js';
import { toUplinkResponse, UplinkResponse, type UplinkRow } from './dto/uplink.response.js';
import type { UplinksQuery } from './dto/uplinks.query.js';

const COLUMNS = ['id', 'created_at', 'source', 'device_id', 'reason']
  .map((name) => `uplink.${name}`)
  .join(', ');

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

@Injectable()
export class QuarantineService {
  constructor(private readonly reads: Reads) {}

  async list(query: UplinksQuery, boundTo: string | null): Promise<Page<UplinkResponse>> {
    const { since, until, skip, size, isLarge, device_id: device, reason = null } = query;
    // No uplink has an empty device, so it stands for one that none can have.
    const deviceId = device === undefined ? null : isStorable(device) ? deviceKey(device) : '';
    const values = [since, until, skip, size, deviceId, reason];
    const [statement, all] = boundTo === null ? [LIST, values] : [LIST_OF_BOUND_KEY, [...values, boundTo]];
    const rows = await this.reads.rows<UplinkRow & CountedRow>(statement, all, isLarge);
    return pageFromRows(UplinkResponse, rows, (row) => row.id !== null, toUplinkResponse, query);
  }

  /** As JSON. The payload is put in as it was sent: it may be nested too deeply to be written anew. */
  async get(id: string, boundTo: string | null): Promise<string> {
    const row = isStorable(id)
      ? await this.reads.firstRow<UplinkRow & { payload: string }>(FIND_ONE, [id, boundTo])
      : undefined;
    if (row === undefined) throw noUplink();
    return `${JSON.stringify(toUplinkResponse(row)).slice(0, -1)},"payload":${row.payload}}`;
  }
}

export function noUplink(): Problem {
  return notFound('There is no uplink with this id.');
}
