// Tries uplinks in quarantine again, with the rights of the keys that sent them.
import { Inject, Injectable } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import type { Caller } from '../common/auth/caller.js';
import { isoFromPostgres } from '../common/datetime/datetime.js';
import { isRecord, type JsonRecord } from '../common/bodies/record.js';
import { CONFIG } from '../platform/config/config.module.js';
import type { Config } from '../platform/config/config.js';
import { FRESH_READS, Reads, type Statement } from '../platform/database/reads.js';
import { resumable } from '../platform/tracing/trail.js';
import { deviceKey } from '../tanks/device-key.js';
import type { RetryInput } from './dto/retry.input.js';
import type { RetryResultResponse } from './dto/uplink-result.response.js';
import { UplinkWriter, type Judged, type Outcome, type Origin } from './uplink-writer.js';
import type { Source } from './uplink.js';
import { readMessage } from './uplinks.service.js';

/** In one call, and of those at a time: few, when they are large. */
const MAX_TRIED = 1_000;
const AT_A_TIME = 100;
const BYTES_AT_A_TIME = 262_144;

interface Kept {
  readonly id: string;
  readonly source: Source;
  readonly customer_id: string | null;
  readonly sent_at: string;
  readonly payload: string;
}

/** $1: the customer; $2: the device; $3: after which id. Ids are in the order in which uplinks came. What is malformed stays so. */
const MATCHES =
  "($1::text is null or customer_id = $1) and ($2::text is null or device_id = $2) and id > $3 and reason <> 'malformed'";

const NEXT: Statement = {
  name: 'uplinks_to_retry',
  text: `
    select id, source, customer_id, sent_at, payload
    from (
      select id, source, customer_id, sent_at, payload, sum(bytes) over (order by id) - bytes as bytes_before
      from (select * from quarantined_uplinks where ${MATCHES} order by id limit $4) next
    ) next
    where bytes_before < ${BYTES_AT_A_TIME} order by id`,
};

const COUNT: Statement = {
  name: 'uplinks_to_retry_count',
  text: `select count(*) as n from quarantined_uplinks where ${MATCHES}`,
};

/** Interpreted uplinks in arrival order, each with its quarantine id. */
type Tried = readonly { readonly origin: Origin; readonly judged: Judged | undefined }[];

@Injectable()
export class RetriesService {
  /** So that the answer comes in time: "next" is where the next call goes on. */
  private readonly maxMs: number;

  constructor(
    @Inject(CONFIG) { limits }: Config,
    @Inject(FRESH_READS) private readonly reads: Reads,
    private readonly writer: UplinkWriter,
  ) {
    this.maxMs = limits.answerTimeoutMs / 2;
  }

  /** Those of a device, or all. Ends when the caller has left. */
  retry(
    { device_id: device, after }: RetryInput,
    { customerId }: Caller,
    hasLeft: () => boolean,
  ): Promise<RetryResultResponse> {
    const endsAt = performance.now() + this.maxMs;
    const isOver = () => hasLeft() || performance.now() > endsAt;
    const deviceId = (device ?? null) === null ? null : deviceKey(device ?? '');
    return this.retryAll(deviceId, after ?? '', customerId, isOver);
  }

  /** `deviceId` is null for all; `after` is an id, '' before the first. */
  private async retryAll(
    deviceId: string | null,
    after: string,
    boundTo: string | null,
    isOver: () => boolean,
  ): Promise<RetryResultResponse> {
    const resume = resumable();
    const counts = { stored: 0, unchanged: 0, quarantined: 0 };
    let last = after;
    let triedCount = 0;
    while (triedCount < MAX_TRIED && !isOver()) {
      const most = Math.min(AT_A_TIME, MAX_TRIED - triedCount);
      const kept = await resume(() => this.reads.rows<Kept>(NEXT, [boundTo, deviceId, last, most]));
      if (kept.length === 0) break;
      const tried = await resume(() => this.judge(kept, isOver));
      const outcomes = await resume(() => this.write(tried));
      for (const outcome of outcomes) if (outcome !== 'ignored') counts[outcome] += 1;
      triedCount += outcomes.length;
      last = kept[outcomes.length - 1]?.id ?? last;
    }
    const left = await resume(() => this.reads.firstRow<{ n: number }>(COUNT, [boundTo, deviceId, last]));
    const remaining = left?.n ?? 0;
    return { object: 'retry_result', ...counts, remaining, next: remaining === 0 ? null : last };
  }

  /** One after the other, and others come in between; as many as there is time for. */
  private async judge(kept: readonly Kept[], isOver: () => boolean): Promise<Tried> {
    const resume = resumable();
    const tried: { origin: Origin; judged: Judged | undefined }[] = [];
    for (const { id, source, customer_id: boundTo, sent_at: sentAt, payload } of kept) {
      await setImmediate();
      if (isOver()) break;
      const origin = { source, boundTo, payload, keptAs: id };
      const uplink = readMessage(source, () => parseKept(payload), 'up', new Date(isoFromPostgres(sentAt)));
      const judged = 'decode' in uplink ? await resume(() => this.writer.judge(uplink, origin)) : undefined;
      tried.push({ origin, judged });
    }
    return tried;
  }

  /** Written in their order, so that of two for one tank and instant the newer counts. */
  private write(tried: Tried): Promise<Outcome[]> {
    return Promise.all(
      tried.map(async ({ origin, judged }) => {
        if (judged === undefined) return 'quarantined'; // it is no uplink, by today's rules
        const resume = resumable();
        const result =
          (await this.writer.writeJudged(judged, origin)) ??
          (await resume(() => this.writer.write(judged.uplink, origin)));
        return result.outcome;
      }),
    );
  }
}

/** It was taken, whatever bounds there are now for what comes. */
function parseKept(payload: string): JsonRecord {
  const message: unknown = JSON.parse(payload);
  return isRecord(message) ? message : {};
}
