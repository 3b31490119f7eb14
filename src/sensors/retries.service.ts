// Tries uplinks in quarantine again, with the rights of the keys that sent them.
import { Inject, Injectable } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import type { Caller } from '../common/auth/caller.js';
import { isoFromPostgres } from '../common/datetime/datetime.js';
import { isRecord, type JsonRecord } from '../common/bodies/record.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { FRESH_READS, Reads, type Statement } from '../platform/database/reads.js';
import { deviceKey } from '../tanks/device-key.js';
import type { RetryInput } from './dto/uplink.input.js';
import type { Outcome, RetryResultResponse } from './dto/uplink-result.response.js';
import { QuarantineService } from './quarantine.service.js';
import { SourceCatalog } from './source-catalog.js';
import { mostTelling, UplinkWriter, type Sent } from './uplink-writer.js';
import { isSender, SENDERS } from './uplink.js';
import { readKept, readSent, toSent } from './uplinks.service.js';

/** In one call, and of those at a time: few, when they are large. */
const MAX_TRIED = 1_000;
const AT_A_TIME = 100;
const BYTES_AT_A_TIME = 262_144;

interface Kept {
  readonly id: string;
  readonly created_at: string;
  readonly source: string;
  readonly customer_id: string | null;
  readonly device_id: string;
  readonly sent_at: string;
  readonly payload: string;
  readonly topic: string | null;
  readonly form: 'body' | 'text' | null;
}

/** $1: the customer; $2: the device; $3: after which id. Ids are in the order in which uplinks came. What is malformed stays so, unless a source
 * that has changed may read it now. */
const MATCHES = `
  ($1::text is null or customer_id = $1) and ($2::text is null or device_id = $2) and id > $3
  and (reason <> 'malformed' or source not in ('${SENDERS.join("', '")}') and form is distinct from 'text')`;

const COLUMNS = 'id, created_at, source, customer_id, device_id, sent_at, payload, topic, form';

const NEXT: Statement = {
  name: 'uplinks_to_retry',
  text: `
    select ${COLUMNS}
    from (
      select ${COLUMNS}, sum(bytes) over (order by id) - bytes as bytes_before
      from (select * from quarantined_uplinks where ${MATCHES} order by id limit $4) next
    ) next
    where bytes_before < ${BYTES_AT_A_TIME} order by id`,
};

const COUNT: Statement = {
  name: 'uplinks_to_retry_count',
  text: `select count(*) as n from quarantined_uplinks where ${MATCHES}`,
};

/** What an entry is now: the uplinks in it, or nothing to look at, or still nothing that can be read. */
interface Now {
  readonly sent: readonly Sent[];
  /** It becomes other entries, or none, and leaves itself. */
  readonly leaves: boolean;
}

const MADE_JUST_NOW: Now = { sent: [], leaves: false };

@Injectable()
export class RetriesService {
  /** So that the answer comes in time: "next" is where the next call goes on. */
  private readonly maxMs: number;

  constructor(
    @Inject(CONFIG) { limits }: Config,
    @Inject(FRESH_READS) private readonly reads: Reads,
    private readonly writer: UplinkWriter,
    private readonly catalog: SourceCatalog,
    private readonly quarantine: QuarantineService,
  ) {
    this.maxMs = limits.answerTimeoutMs / 2;
  }

  /** Those of a device, or all; after an id. Ends when the caller has left. */
  async retry(
    { device_id: device, after }: RetryInput,
    { customerId: boundTo }: Caller,
    hasLeft: () => boolean,
  ): Promise<RetryResultResponse> {
    const endsAt = performance.now() + this.maxMs;
    const isOver = () => hasLeft() || performance.now() > endsAt;
    const deviceId = typeof device === 'string' ? deviceKey(device) : null;
    const counts = { stored: 0, unchanged: 0, quarantined: 0 };
    const made = new Set<string>();
    let last = after ?? ''; // before the first
    let triedCount = 0;
    while (triedCount < MAX_TRIED && !isOver()) {
      const most = Math.min(AT_A_TIME, MAX_TRIED - triedCount);
      const kept = await this.reads.rows<Kept>(NEXT, [boundTo, deviceId, last, most]);
      if (kept.length === 0) break;
      const outcomes = await this.tryAgain(kept, made, isOver);
      for (const outcome of outcomes) if (outcome !== 'ignored') counts[outcome] += 1;
      triedCount += outcomes.length;
      last = kept[outcomes.length - 1]?.id ?? last;
    }
    const left = await this.reads.firstRow<{ n: number }>(COUNT, [boundTo, deviceId, last]);
    const remaining = left?.n ?? 0;
    return { object: 'retry_result', ...counts, remaining, next: remaining === 0 ? null : last };
  }

  /** As many as there is time for, the first of them. Others come in between. `made`: entries that others became meanwhile. */
  private async tryAgain(
    kept: readonly Kept[],
    made: Set<string>,
    isOver: () => boolean,
  ): Promise<Outcome[]> {
    const now: Now[] = [];
    for (const entry of kept) {
      await setImmediate();
      now.push(made.has(entry.id) ? MADE_JUST_NOW : await this.nowOf(entry));
    }
    // Written in their order, so that of two for one tank and instant the newer counts.
    const all = now.flatMap(({ sent }) => sent);
    const write = await this.writer.prepare(all, { isOver });
    const results = await write();
    const outcomes: Outcome[] = [];
    for (const [i, { sent, leaves }] of now.entries()) {
      const own = results.splice(0, sent.length);
      for (const { uplink_id: id } of leaves ? own : []) if (id !== null) made.add(id);
      if (own.length < sent.length || (isOver() && own.length === 0)) break;
      const id = kept[i]?.id ?? '';
      if (leaves) await this.quarantine.discard(id, null).catch(() => undefined);
      // One without an uplink is none, by today's rules.
      const isGone = leaves || now[i] === MADE_JUST_NOW;
      if (own.length === 0) outcomes.push(isGone ? 'ignored' : 'quarantined');
      else outcomes.push(mostTelling(own.map(({ outcome }) => outcome)));
    }
    return outcomes;
  }

  private async nowOf(kept: Kept): Promise<Now> {
    const { id, source, customer_id: boundTo, payload } = kept;
    if (isSender(source)) {
      const sentAt = new Date(isoFromPostgres(kept.sent_at));
      const uplink = readSent(source, parseKept(payload), 'up', sentAt);
      const sent = 'decoded' in uplink ? [{ uplink, origin: { source, boundTo, payload, keptAs: id } }] : [];
      return { sent, leaves: false };
    }
    const found = await this.catalog.find(source, boundTo);
    if (found === undefined) return { sent: [], leaves: false };
    const at = Date.parse(isoFromPostgres(kept.created_at));
    const { topic, device_id: deviceId } = kept;
    const arrival = { at, topic, topicDevice: topic === null ? undefined : deviceId || undefined };
    const readings = readKept(found.rules, payload, arrival, kept.form !== 'body');
    const same = readings.filter((reading) => reading.deviceId === deviceId);
    const chosen = (same.length > 0 ? same : readings).filter(({ outcome }) => outcome !== 'ignored');
    const [only] = chosen;
    const isSame = chosen.length === 1 && (only?.deviceId ?? '') === deviceId;
    const owner = found.customer_id ?? boundTo;
    const origin = { source, boundTo: owner, topic, arrivedAt: at, ...(isSame && { keptAs: id }) };
    return { sent: chosen.map((reading) => toSent(reading, origin)), leaves: !isSame };
  }
}

/** It was taken, whatever bounds there are now for what comes. */
function parseKept(payload: string): JsonRecord {
  const message: unknown = JSON.parse(payload);
  return isRecord(message) ? message : {};
}
