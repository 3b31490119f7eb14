// Tries uplinks in quarantine again, with the rights of the keys that sent them, and discards single ones.
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Caller } from '../auth/caller.js';
import { Bodies } from '../bodies/bodies.js';
import { FRESH_READS, Reads, type Statement } from '../database/reads.js';
import { isStorable } from '../database/text.js';
import { Writes } from '../database/writes.js';
import { expectsBody } from '../http/request-body.js';
import { checkBodyType, MAX_OBJECT_BYTES, OBJECT_TOO_LARGE, parseRecord } from '../manage/json-body.js';
import { refuseParameters } from '../pagination/no-parameters.js';
import type { JsonRecord } from '../fields/resource.js';
import { quote } from '../problems/quote.js';
import { deviceKey } from '../tanks/device-key.js';
import type { RetryResultResponse } from './dto/uplink-result.response.js';
import type { DeletedUplinkResponse } from './dto/uplink.response.js';
import { noUplink } from './quarantine.service.js';
import { SentFaults } from './sent-faults.js';
import { UplinkWriter, type Outcome } from './uplink-writer.js';
import type { Source } from './uplink.js';
import { readMessage } from './uplinks.service.js';

/** In one call, and of those at a time: as many as fit into some megabytes. */
const MAX_TRIED = 1_000;
const AT_A_TIME = 100;
const BYTES_AT_A_TIME = 4_194_304;

interface Kept {
  readonly id: string;
  readonly source: Source;
  readonly customer_id: string | null;
  readonly payload: string;
}

/** $1: the customer; $2: the device; $3: after which id. Ids are in the order in which uplinks came. */
const MATCHES = '($1::text is null or customer_id = $1) and ($2::text is null or device_id = $2) and id > $3';

const NEXT: Statement = {
  name: 'uplinks_to_retry',
  text: `
    select id, source, customer_id, payload
    from (
      select id, source, customer_id, payload, sum(bytes) over (order by id) - bytes as bytes_before
      from (select * from quarantined_uplinks where ${MATCHES} order by id limit $4) next
    ) next
    where bytes_before < ${BYTES_AT_A_TIME} order by id`,
};

const COUNT: Statement = {
  name: 'uplinks_to_retry_count',
  text: `select count(*) as n from quarantined_uplinks where ${MATCHES}`,
};

const DISCARD: Statement = { name: 'discard_uplink', text: 'select discard_uplink($1, $2) as is_discarded' };

const BOUNDS = { isGzip: false, maxBytes: MAX_OBJECT_BYTES, tooLarge: OBJECT_TOO_LARGE };

interface Wish {
  /** Null for all. */
  readonly deviceId: string | null;
  /** An id; '' is before the first. */
  readonly after: string;
}

const ALL: Wish = { deviceId: null, after: '' };

@Injectable()
export class RetriesService {
  constructor(
    private readonly bodies: Bodies,
    @Inject(FRESH_READS) private readonly reads: Reads,
    private readonly writes: Writes,
    private readonly writer: UplinkWriter,
  ) {}

  /** Without a body, all of them. */
  receive(
    request: Request,
    response: Response,
    { keyPrefix, customerId }: Caller,
  ): Promise<RetryResultResponse> {
    refuseParameters(request);
    if (!expectsBody(request)) return this.retry(ALL, customerId);
    checkBodyType('POST', request.headers);
    return this.bodies.withText(request, response, keyPrefix, BOUNDS, (text) =>
      this.retry(readWish(parseRecord(text)), customerId),
    );
  }

  private async retry({ deviceId, after }: Wish, boundTo: string | null): Promise<RetryResultResponse> {
    const counts = { stored: 0, unchanged: 0, quarantined: 0 };
    let last = after;
    let tried = 0;
    while (tried < MAX_TRIED) {
      const most = Math.min(AT_A_TIME, MAX_TRIED - tried);
      const kept = await this.reads.rows<Kept>(NEXT, [boundTo, deviceId, last, most]);
      for (const outcome of await this.tryAgain(kept)) if (outcome !== 'ignored') counts[outcome] += 1;
      tried += kept.length;
      last = kept.at(-1)?.id ?? last;
      if (kept.length === 0) break;
    }
    const left = await this.reads.firstRow<{ n: number }>(COUNT, [boundTo, deviceId, last]);
    const remaining = left?.n ?? 0;
    return { object: 'retry_result', ...counts, remaining, next: remaining === 0 ? null : last };
  }

  async discard(request: Request, id: string, boundTo: string | null): Promise<DeletedUplinkResponse> {
    refuseParameters(request);
    request.resume(); // a body is ignored
    const isKnown =
      isStorable(id) &&
      (await this.writes.row<{ is_discarded: boolean }>(DISCARD, [id, boundTo])).is_discarded;
    if (!isKnown) throw noUplink();
    return { id, object: 'uplink', deleted: true };
  }

  /** Written in their order, so that of two for one tank and instant the newer counts. */
  private async tryAgain(kept: readonly Kept[]): Promise<Outcome[]> {
    const judged = await Promise.all(
      kept.map(async ({ id, source, customer_id: boundTo, payload }) => {
        const way = { source, boundTo, payload, keptAs: id };
        const uplink = readMessage(source, payload, 'up');
        return 'decoded' in uplink
          ? { way, uplink, judged: await this.writer.judge(uplink, way) }
          : undefined;
      }),
    );
    return Promise.all(
      judged.map(async (one) => {
        if (one === undefined) return 'quarantined'; // written by hand
        const { way, uplink } = one;
        return ((await this.writer.writeJudged(one.judged, way)) ?? (await this.writer.write(uplink, way)))
          .outcome;
      }),
    );
  }
}

const FIELDS = ['device_id', 'after'];
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Null is as if it were left out: the last `next` is null. */
function readWish(body: JsonRecord): Wish {
  const faults = new SentFaults();
  faults.names('', body, FIELDS);
  const { device_id: device, after } = body;
  const deviceId = (device ?? null) === null ? null : deviceKey(faults.text('/device_id', device));
  const isCursor = (after ?? null) === null || (typeof after === 'string' && UUID.test(after));
  if (!isCursor) faults.add('/after', 'after must be the next of an earlier answer', quote(after));
  faults.throwIfAny(FIELDS);
  return { deviceId, after: typeof after === 'string' ? after : '' };
}
