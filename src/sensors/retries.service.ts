// Tries uplinks in quarantine again, with the rights of the keys that sent them, and discards single ones.
import { Inject, Injectable } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import type { Caller } from '../auth/caller.js';
import { KeyPlaces } from '../auth/key-places.js';
import { isRecord, type JsonRecord } from '../bodies/record.js';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { FRESH_READS, Reads, type Statement } from '../database/reads.js';
import { isStorable } from '../database/text.js';
import { Writes } from '../database/writes.js';
import { unavailable, type Problem } from '../problems/problem.js';
import { deviceKey } from '../tanks/device-key.js';
import type { RetryInput } from './dto/retry.input.js';
import type { RetryResultResponse } from './dto/uplink-result.response.js';
import type { DeletedUplinkResponse } from './dto/uplink.response.js';
import { noUplink } from './quarantine.service.js';
import { UplinkWriter, type Judged, type Outcome, type Way } from './uplink-writer.js';
import type { Source } from './uplink.js';
import { readMessage } from './uplinks.service.js';

/** In one call, and of those at a time: few, when they are large. */
const MAX_TRIED = 1_000;
const AT_A_TIME = 100;
const BYTES_AT_A_TIME = 262_144;

/** It is long work, and nobody waits for it: others come first. */
const PLACES = { total: 2, perKey: 1 };

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

/** What was judged, in the order in which it came, and as what it is kept. */
type Tried = readonly { readonly way: Way; readonly judged: Judged | undefined }[];

@Injectable()
export class RetriesService {
  private readonly places = new KeyPlaces(PLACES);
  /** So that the answer comes in time: "next" is where the next call goes on. */
  private readonly maxMs: number;

  constructor(
    @Inject(CONFIG) { limits }: Config,
    @Inject(FRESH_READS) private readonly reads: Reads,
    private readonly writes: Writes,
    private readonly writer: UplinkWriter,
  ) {
    this.maxMs = limits.answerTimeoutMs / 2;
  }

  /** What the caller wishes for, all of them if nothing. Ends when the caller has left. */
  async retry(
    { device_id: device, after }: RetryInput,
    { keyPrefix, customerId }: Caller,
    hasLeft: () => boolean,
  ): Promise<RetryResultResponse> {
    const leave = this.places.enter(keyPrefix);
    if (leave === undefined) throw tooManyRetries();
    const endsAt = performance.now() + this.maxMs;
    const isOver = () => hasLeft() || performance.now() > endsAt;
    try {
      const deviceId = (device ?? null) === null ? null : deviceKey(device ?? '');
      return await this.retryAll(deviceId, after ?? '', customerId, isOver);
    } finally {
      leave();
    }
  }

  /** `deviceId` is null for all; `after` is an id, '' before the first. */
  private async retryAll(
    deviceId: string | null,
    after: string,
    boundTo: string | null,
    isOver: () => boolean,
  ): Promise<RetryResultResponse> {
    const counts = { stored: 0, unchanged: 0, quarantined: 0 };
    let last = after;
    let tried = 0;
    while (tried < MAX_TRIED && !isOver()) {
      const most = Math.min(AT_A_TIME, MAX_TRIED - tried);
      const kept = await this.reads.rows<Kept>(NEXT, [boundTo, deviceId, last, most]);
      if (kept.length === 0) break;
      const outcomes = await this.write(await this.judge(kept, isOver));
      for (const outcome of outcomes) if (outcome !== 'ignored') counts[outcome] += 1;
      tried += outcomes.length;
      last = kept[outcomes.length - 1]?.id ?? last;
    }
    const left = await this.reads.firstRow<{ n: number }>(COUNT, [boundTo, deviceId, last]);
    const remaining = left?.n ?? 0;
    return { object: 'retry_result', ...counts, remaining, next: remaining === 0 ? null : last };
  }

  async discard(id: string, boundTo: string | null): Promise<DeletedUplinkResponse> {
    const isKnown =
      isStorable(id) &&
      (await this.writes.row<{ is_discarded: boolean }>(DISCARD, [id, boundTo])).is_discarded;
    if (!isKnown) throw noUplink();
    return { id, object: 'uplink', deleted: true };
  }

  /** One after the other, and others come in between; as many as there is time for. */
  private async judge(kept: readonly Kept[], isOver: () => boolean): Promise<Tried> {
    const tried: { way: Way; judged: Judged | undefined }[] = [];
    for (const { id, source, customer_id: boundTo, payload } of kept) {
      await setImmediate();
      if (isOver()) break;
      const way = { source, boundTo, payload, keptAs: id };
      const uplink = readMessage(source, () => parseKept(payload), 'up');
      tried.push({ way, judged: 'decode' in uplink ? await this.writer.judge(uplink, way) : undefined });
    }
    return tried;
  }

  /** Written in their order, so that of two for one tank and instant the newer counts. */
  private write(tried: Tried): Promise<Outcome[]> {
    return Promise.all(
      tried.map(async ({ way, judged }) => {
        if (judged === undefined) return 'quarantined'; // written by hand
        const result =
          (await this.writer.writeJudged(judged, way)) ?? (await this.writer.write(judged.uplink, way));
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

function tooManyRetries(): Problem {
  return unavailable('overloaded', 'Uplinks are being tried again already; wait for that, then go on.');
}
