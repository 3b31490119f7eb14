// What becomes of an uplink: the tank that has its device is found, what it measured becomes a reading or is kept in quarantine, and what
// it says about the sensor is noted, all in the transaction of the reading.
import { Injectable } from '@nestjs/common';
import { resumable } from '../platform/tracing/trail.js';
import { isAhead } from '../common/validation/values.js';
import { ReadingBatch } from '../telemetry/ingest/reading-batch.js';
import { ReadingWriter } from '../telemetry/ingest/reading-writer.js';
import { NOTHING_WRITTEN, type UplinkRecord, type Written } from '../telemetry/ingest/write-readings.js';
import { interpret, NOT_A_MEASUREMENT } from './interpret.js';
import type { History, Interpreted, Reason } from './interpret.js';
import { SensorLookup, type FoundTank } from './sensor-lookup.js';
import type { Ignored, Uplink } from './uplink.js';

export const OUTCOMES = ['stored', 'unchanged', 'ignored', 'quarantined'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Of a message, by those of its uplinks. */
export function mostTelling(outcomes: readonly Outcome[]): Outcome {
  return (['quarantined', 'stored', 'unchanged'] as const).find((one) => outcomes.includes(one)) ?? 'ignored';
}

/** How an uplink came. */
export interface Origin {
  /** A sender, or the id of a source. */
  readonly source: string;
  /** The customer that its key is bound to. */
  readonly boundTo: string | null;
  /** The message as it was sent. */
  readonly payload: string;
  /** Its id in quarantine, when it is tried again. */
  readonly keptAs?: string;
  /** What its source found in it. */
  readonly detail?: string;
  /** Of MQTT. */
  readonly topic?: string | null;
  /** What `payload` is, if not one message: all that was sent, or no JSON. */
  readonly form?: 'body' | 'text' | null;
  /** When it first came, where that is not now. */
  readonly arrivedAt?: number;
  /** MQTT delivers it once more: it may be kept already. */
  readonly isRedelivered?: boolean;
}

/** An uplink without what was decoded, which is parsed anew to be looked at. */
export type LeanUplink = Omit<Uplink, 'decoded'> & {
  readonly decode: () => Uplink['decoded'];
  /** Nobody can use it as it is. */
  readonly isMalformed?: boolean;
  /** Its time is that of its arrival, which others have, too: each is kept. */
  readonly isOfArrival?: boolean;
};

export interface Result {
  readonly outcome: Outcome;
  readonly reason: string | null;
  readonly tankId: string | null;
  readonly fill: number | null;
  readonly uplinkId: string | null;
  /** What became of the entries of its history; null where none was read. */
  readonly history: HistoryCounts | null;
}

export interface HistoryCounts {
  readonly stored: number;
  readonly unchanged: number;
  readonly skipped: number;
}

export interface Sent {
  readonly uplink: LeanUplink;
  readonly origin: Origin;
}

/** An uplink, and what the sensor of its tank makes of it. */
export interface Judged {
  readonly uplink: LeanUplink;
  /** Undefined when there is none, or several have the device. */
  readonly tank: FoundTank | undefined;
  readonly interpreted: Interpreted;
}

/** A tank may go between the look-up and the write. */
const MAX_ATTEMPTS = 3;

const NOTHING_KNOWN = { fill: null, level: null, battery: null, temperature: null, history: null };

@Injectable()
export class UplinkWriter {
  constructor(
    private readonly sensors: SensorLookup,
    private readonly writer: ReadingWriter,
  ) {}

  /** Resolves when all is committed. */
  async write(uplink: LeanUplink, origin: Origin): Promise<Result> {
    const resume = resumable();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const judged = await resume(() => this.judge(uplink, origin));
      const result = await resume(() => this.writeJudged(judged, origin));
      if (result !== undefined) return result;
    }
    const gone = unknown(uplink, 'unknown_device');
    const kept = await resume(() => this.writeJudged(gone, origin));
    return kept ?? resultOf(gone, 'quarantined');
  }

  /**
   * Those of one body, of a retry or of a broker, as many as there is time for: judged one after the other. What is returned writes them
   * together, in their order; each result comes when it is committed.
   */
  async prepare(
    sent: readonly Sent[],
    isOver: () => boolean = () => false,
  ): Promise<() => Promise<Result[]>> {
    const resume = resumable();
    const judged: Judged[] = [];
    for (const { uplink, origin } of sent) {
      if (isOver()) break;
      judged.push(await resume(() => this.judge(uplink, origin)));
    }
    return () => Promise.all(judged.map((one, i) => this.writeOrJudgeAgain(one, sent[i])));
  }

  private async writeOrJudgeAgain(judged: Judged, sent: Sent | undefined): Promise<Result> {
    if (sent === undefined) throw new Error('What was judged was sent.');
    const resume = resumable();
    const written = await this.writeJudged(judged, sent.origin);
    return written ?? resume(() => this.write(judged.uplink, sent.origin));
  }

  /** What write() would do now. */
  async preview(uplink: LeanUplink, origin: Origin): Promise<Result> {
    const resume = resumable();
    const judged = await this.judge(uplink, origin);
    const { tank, interpreted } = judged;
    const { fill, reason, history } = interpreted;
    if (tank === undefined || reason !== null) return resultOf(judged, unusedAs(reason));
    const own = fill === null ? [] : [[uplink.at, fill] as const];
    const entries = [...(history?.fills ?? [])];
    const instants = [...own, ...entries].map(([at]) => at);
    const known = await resume(() => this.sensors.fillsAt(tank, instants));
    const isThere = ([at, value]: readonly [number, number]) => known.get(at) === value;
    const unchanged = entries.filter(isThere).length;
    const isAllThere = own.length > 0 ? own.every(isThere) : unchanged === entries.length;
    const counts = history && countsOf(history, entries.length - unchanged, unchanged);
    return resultOf(judged, isAllThere ? 'unchanged' : 'stored', counts);
  }

  /** The battery of a status message. Returns the tank that has the device. */
  async noteStatus(
    { deviceId, at, battery }: Ignored,
    boundTo: string | null,
    isDryRun: boolean,
  ): Promise<string | null> {
    const resume = resumable();
    const now = Date.now();
    const tank = deviceId === null ? 'unknown_device' : await this.sensors.tankOf(deviceId, boundTo);
    if (typeof tank === 'string') return null;
    const sentAt = at ?? now;
    const isNoted = battery !== null && tank.sensor !== undefined && !isAhead(sentAt, now);
    if (isNoted && !isDryRun) {
      const uplink = {
        tank_key: tank.key,
        is_status: true,
        sent_at: new Date(sentAt).toISOString(),
        battery_percent: battery,
      };
      const batch = new ReadingBatch(now);
      await resume(() => this.writer.write({ batch, boundTo, isAtomic: false, uplink }));
    }
    return tank.id;
  }

  /** Which tank it is about, and what its sensor makes of it; nothing to do with alerts. */
  async judge(uplink: LeanUplink, { boundTo }: Origin): Promise<Judged> {
    if (uplink.isMalformed === true) return unknown(uplink, 'malformed');
    const tank = await this.sensors.tankOf(uplink.deviceId, boundTo);
    if (typeof tank === 'string') return unknown(uplink, tank);
    const interpreted =
      tank.sensor === undefined
        ? { ...NOTHING_KNOWN, reason: 'no_sensor' as const }
        : interpret({ ...uplink, decoded: uplink.decode() }, tank.sensor, Date.now());
    return { uplink, tank, interpreted };
  }

  /** Undefined when the tank has gone meanwhile. */
  async writeJudged(judged: Judged, origin: Origin): Promise<Result | undefined> {
    const { uplink, tank, interpreted } = judged;
    const { fill, reason, history: entries } = interpreted;
    const batch = batchFor(tank, fill === null ? [] : [[uplink.at, fill]]);
    const history = batchFor(tank, entries?.fills ?? []);
    const { boundTo } = origin;
    const record = toRecord(judged, origin);
    const written = await this.writer.write({ batch, history, boundTo, isAtomic: false, uplink: record });
    if (batch.refused + history.refused > 0) return undefined;
    if (reason !== null) return resultOf(judged, unusedAs(reason), null, origin.keptAs ?? written.uplinkId);
    const { created, updated, unchanged } = written.history ?? NOTHING_WRITTEN;
    const counts = entries && countsOf(entries, created + updated, unchanged);
    return resultOf(judged, outcomeOf(fill === null ? (written.history ?? written) : written), counts);
  }
}

/** A batch of the tank's readings, by their instants. */
function batchFor(tank: FoundTank | undefined, fills: Iterable<readonly [number, number]>): ReadingBatch {
  const batch = new ReadingBatch(Date.now());
  if (tank === undefined) return batch;
  for (const [at, fill] of fills)
    batch.add({ tank_id: tank.id, created_at: new Date(at).toISOString(), fill_percentage: fill });
  return batch;
}

function unknown(uplink: LeanUplink, reason: Reason): Judged {
  return { uplink, tank: undefined, interpreted: { ...NOTHING_KNOWN, reason } };
}

function outcomeOf({ created, updated, unchanged }: Omit<Written, 'history'>): Outcome {
  return unchanged > 0 && created + updated === 0 ? 'unchanged' : 'stored';
}

/** What becomes of an uplink that gives no reading. */
function unusedAs(reason: Interpreted['reason']): Outcome {
  return reason === NOT_A_MEASUREMENT ? 'ignored' : 'quarantined';
}

function countsOf({ skipped }: History, stored: number, unchanged: number): HistoryCounts {
  return { stored, unchanged, skipped };
}

function resultOf(
  { tank, interpreted: { reason, fill } }: Judged,
  outcome: Outcome,
  history: HistoryCounts | null = null,
  uplinkId: string | null = null,
): Result {
  const isKept = outcome === 'quarantined';
  return { outcome, reason, tankId: tank?.id ?? null, fill, uplinkId: isKept ? uplinkId : null, history };
}

/** As write_uplinks() takes it. */
function toRecord({ uplink, tank, interpreted }: Judged, origin: Origin): UplinkRecord {
  const { deviceId, at, frameCounter, signal } = uplink;
  const { level, fill, battery, temperature } = interpreted;
  // One that is no measurement leaves the quarantine, as one that became a reading does.
  const reason = interpreted.reason === NOT_A_MEASUREMENT ? null : interpreted.reason;
  // Whatever else is wrong with it: it would stay the newest until its time has come.
  const isNoted = tank?.sensor !== undefined && !isAhead(at, Date.now());
  return {
    tank_key: isNoted ? tank.key : null,
    is_status: false,
    sent_at: new Date(at).toISOString(),
    battery_percent: battery,
    temperature_celsius: temperature,
    rssi_dbm: signal.rssi,
    snr_db: signal.snr,
    gateway_id: signal.gatewayId,
    frame_counter: frameCounter,
    level,
    fill_percentage: fill,
    source: origin.source,
    customer_id: origin.boundTo,
    device_id: deviceId,
    reason,
    kept_as: origin.keptAs ?? null,
    keep_each: uplink.isMalformed === true || uplink.isOfArrival === true,
    ...(reason !== null && keptOf(origin)),
  };
}

/** What quarantine keeps of it. */
function keptOf(origin: Origin): UplinkRecord {
  const { payload, detail = null, topic = null, form = null, keptAs, arrivedAt } = origin;
  if (keptAs !== undefined) return { detail };
  return {
    payload,
    detail,
    topic,
    form,
    arrived_at: arrivedAt === undefined ? null : new Date(arrivedAt).toISOString(),
    is_again: origin.isRedelivered === true,
  };
}
