// What becomes of an uplink: the tank that has its device is found, what it measured becomes a reading or is kept in quarantine, and what
// it says about the sensor is noted, all in the transaction of the reading.
import { Injectable } from '@nestjs/common';
import { isAhead } from '../common/validation/values.js';
import { ReadingBatch } from '../telemetry/ingest/reading-batch.js';
import { ReadingWriter } from '../telemetry/ingest/reading-writer.js';
import { NOTHING_WRITTEN, type UplinkRecord, type Written } from '../telemetry/ingest/write-readings.js';
import { toUplinkResult, type Outcome, type UplinkResultResponse } from './dto/uplink-result.response.js';
import { interpret, NOT_A_MEASUREMENT } from './interpret.js';
import type { Interpreted, Reason } from './interpret.js';
import { SensorLookup, type FoundTank } from './sensor-lookup.js';
import type { Ignored, Uplink } from './uplink.js';

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

export interface Sent {
  readonly uplink: Uplink;
  readonly origin: Origin;
}

/** What the sensor of its tank makes of an uplink. */
interface Judged extends Sent {
  /** Undefined when there is none, or several have the device. */
  readonly tank: FoundTank | undefined;
  readonly interpreted: Interpreted;
  /** Its own reading, if it has one, and those of its history. */
  readonly batch: ReadingBatch;
  readonly history: ReadingBatch;
}

interface Preparation {
  /** Nothing is stored: the results say what would be. */
  readonly isDryRun?: boolean;
  /** Whether there is no time for more. */
  readonly isOver?: () => boolean;
}

/** A tank may go between the look-up and the write. */
const MAX_ATTEMPTS = 4;

const NOTHING_KNOWN = { fill: null, level: null, battery: null, temperature: null, history: null };

@Injectable()
export class UplinkWriter {
  constructor(
    private readonly sensors: SensorLookup,
    private readonly writer: ReadingWriter,
  ) {}

  /**
   * Those of one body, of a retry or of a broker, as many as there is time for: judged one after the other. What is returned writes them
   * together, in their order; each result comes when it is committed.
   */
  async prepare(
    sent: readonly Sent[],
    { isDryRun = false, isOver = () => false }: Preparation = {},
  ): Promise<() => Promise<UplinkResultResponse[]>> {
    const judged: Judged[] = [];
    for (const one of sent) {
      if (isOver()) break;
      judged.push(await this.judge(one));
    }
    if (!isDryRun) return () => Promise.all(judged.map((one) => this.write(one)));
    const results: UplinkResultResponse[] = [];
    for (const one of judged) results.push(await this.preview(one));
    return () => Promise.resolve(results);
  }

  private async write(first: Judged): Promise<UplinkResultResponse> {
    let judged = first;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const result = await this.writeJudged(judged);
      if (result !== undefined) return result;
      judged = await this.judge(first);
    }
    const gone = unknown(first, 'unknown_device');
    return (await this.writeJudged(gone)) ?? describeResult(gone, 'quarantined');
  }

  /** What write() would do now. */
  private async preview(judged: Judged): Promise<UplinkResultResponse> {
    const { uplink, tank, interpreted } = judged;
    const { fill, reason, history } = interpreted;
    if (tank === undefined || reason !== null) return describeResult(judged, unusedAs(reason));
    const own = fill === null ? [] : [[uplink.at, fill] as const];
    const entries = [...(history?.fills ?? [])];
    const instants = [...own, ...entries].map(([at]) => at);
    const known = await this.sensors.fillsAt(tank, instants);
    const isThere = ([at, value]: readonly [number, number]) => known.get(at) === value;
    const unchanged = entries.filter(isThere).length;
    const isAllThere = own.length > 0 ? own.every(isThere) : unchanged === entries.length;
    const stored = entries.length - unchanged;
    return describeResult(judged, isAllThere ? 'unchanged' : 'stored', { stored, unchanged });
  }

  /** The battery of a status message. Returns the tank that has the device. */
  async noteStatus(
    { deviceId, at, battery }: Ignored,
    boundTo: string | null,
    isDryRun: boolean,
  ): Promise<string | null> {
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
      await this.writer.write({ batch, boundTo, isAtomic: false, uplink });
    }
    return tank.id;
  }

  /** Which tank it is about, and what its sensor makes of it; nothing to do with alerts. */
  private async judge({ uplink, origin }: Sent): Promise<Judged> {
    if (uplink.isMalformed === true) return unknown({ uplink, origin }, 'malformed');
    const tank = await this.sensors.tankOf(uplink.deviceId, origin.boundTo);
    if (typeof tank === 'string') return unknown({ uplink, origin }, tank);
    const interpreted =
      tank.sensor === undefined
        ? { ...NOTHING_KNOWN, reason: 'no_sensor' as const }
        : interpret(uplink, tank.sensor, Date.now());
    const { fill, history } = interpreted;
    // Made here, between one look-up and the next: those of a hundred histories at once would take the thread for long.
    const batches = {
      batch: batchFor(tank, fill === null ? [] : [[uplink.at, fill]]),
      history: batchFor(tank, history?.fills ?? []),
    };
    return { uplink, origin, tank, interpreted, ...batches };
  }

  /** Undefined when the tank has gone meanwhile. */
  private async writeJudged(judged: Judged): Promise<UplinkResultResponse | undefined> {
    const { origin, interpreted, batch, history } = judged;
    const { fill, reason } = interpreted;
    const { boundTo } = origin;
    const record = toRecord(judged);
    const written = await this.writer.write({ batch, history, boundTo, isAtomic: false, uplink: record });
    if (batch.refused + history.refused > 0) return undefined;
    if (reason !== null) {
      const outcome = unusedAs(reason);
      const uplink_id = outcome === 'quarantined' ? (origin.keptAs ?? written.uplinkId ?? null) : null;
      return Object.assign(describeResult(judged, outcome), { uplink_id });
    }
    const { created, updated, unchanged } = written.history ?? NOTHING_WRITTEN;
    const outcome = nameOutcome(fill === null ? (written.history ?? written) : written);
    return describeResult(judged, outcome, { stored: created + updated, unchanged });
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

function unknown({ uplink, origin }: Sent, reason: Reason): Judged {
  const interpreted = { ...NOTHING_KNOWN, reason };
  const [batch, history] = [batchFor(undefined, []), batchFor(undefined, [])];
  return { uplink, origin, tank: undefined, interpreted, batch, history };
}

function nameOutcome({ created, updated, unchanged }: Omit<Written, 'history'>): Outcome {
  return unchanged > 0 && created + updated === 0 ? 'unchanged' : 'stored';
}

/** What becomes of an uplink that gives no reading. */
function unusedAs(reason: Interpreted['reason']): Outcome {
  return reason === NOT_A_MEASUREMENT ? 'ignored' : 'quarantined';
}

/** `entries`: what became of those of its history. */
function describeResult(
  { uplink, tank, interpreted: { reason, fill, history } }: Judged,
  outcome: Outcome,
  entries = { stored: 0, unchanged: 0 },
): UplinkResultResponse {
  return toUplinkResult(uplink, {
    outcome,
    reason,
    tank_id: tank?.id ?? null,
    fill_percentage: fill,
    history: history && { ...entries, skipped: history.skipped },
  });
}

/** As write_uplinks() takes it. */
function toRecord({ uplink, origin, tank, interpreted }: Judged): UplinkRecord {
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
    ...(reason !== null && toUplinkRecord(origin)),
  };
}

/** What quarantine keeps of it. */
function toUplinkRecord(origin: Origin): UplinkRecord {
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
