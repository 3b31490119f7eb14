// What becomes of messages: they go the way of those that are posted with the key, several at a time, and what can never become a reading
// is kept, so that no message holds up the others.
import { Inject, Injectable } from '@nestjs/common';
import type { IPublishPacket } from 'mqtt';
import type { Caller } from '../../common/auth/caller.js';
import { Problem } from '../../common/problems/problem.js';
import type { MqttTopic } from '../../platform/config/mqtt-settings.js';
import { findCode, DatabaseOverloaded, DatabaseUnavailable } from '../../platform/database/failures.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { SourceCatalog } from '../source-catalog.js';
import type { Outcome } from '../dto/uplink-result.response.js';
import { mostTelling } from '../uplink-writer.js';
import { toLabel, UplinksService } from '../uplinks.service.js';
import { MQTT_SETTINGS, MqttKey, type MqttSettings } from './key.js';
import { isSender } from '../uplink.js';
import { deviceToKeep, readJson, keptText, postedAs } from './message.js';
import { firstWildLevel, matches } from './topics.js';

/** A message that is ready to be written, and under which name it counts. */
interface Prepared {
  readonly label: string;
  readonly write: () => Promise<Outcome>;
}

/** However many come at once, their times are no more than this ahead of the clock. */
const MOST_AHEAD_MS = 1_000;

@Injectable()
export class MqttIntake {
  private hasWarned = false;
  private lastAt = 0;

  constructor(
    @Inject(MQTT_SETTINGS) private readonly settings: MqttSettings,
    private readonly key: MqttKey,
    private readonly catalog: SourceCatalog,
    private readonly uplinks: UplinksService,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  /**
   * One promise a message, which resolves when all of it is committed, and rejects when it has to come again: the database is away, or the
   * key has ended. They are written together, in their order.
   */
  takeAll(packets: readonly IPublishPacket[]): Promise<void>[] {
    const all = Promise.all(packets.map((packet) => this.prepare(packet)));
    return packets.map(async (_, i) => {
      const prepared = await all;
      await prepared[i]?.();
    });
  }

  /** Never rejects: what is wrong shows when it is written. */
  private async prepare(packet: IPublishPacket): Promise<() => Promise<void>> {
    const entry = this.settings.topics.find(({ filter }) => matches(filter, packet.topic));
    if (entry === undefined || packet.retain) {
      this.metrics.count('mqtt_messages_total', { source: entry?.source ?? 'none', outcome: 'ignored' });
      return () => Promise.resolve();
    }
    if (packet.qos === 0) this.noteQos0();
    const begunAt = performance.now();
    try {
      const arrivedAt = this.nextInstant();
      const caller = await this.key.caller();
      const keep = (error: unknown) => this.prepareToKeep(entry, packet, caller, error, arrivedAt);
      const { label, write } = await this.prepareWrite(entry, packet, caller, arrivedAt).catch(keep);
      return async () => {
        const outcome = await write().catch((error: unknown) => keep(error).write());
        this.metrics.count('mqtt_messages_total', { source: label, outcome });
        const duration_ms = Math.round((performance.now() - begunAt) * 10) / 10;
        this.logger.info({ mqtt: entry.source, outcome, duration_ms, key: caller.id });
      };
    } catch (error) {
      return () => Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** No two of the same millisecond: of one tank, the later would take the place of the other. */
  private nextInstant(): number {
    const now = Date.now();
    this.lastAt = this.lastAt - now > MOST_AHEAD_MS ? now : Math.max(now, this.lastAt + 1);
    return this.lastAt;
  }

  private async prepareWrite(
    entry: MqttTopic,
    packet: IPublishPacket,
    caller: Caller,
    at: number,
  ): Promise<Prepared> {
    const { source: id, filter } = entry;
    const { topic, dup: isRedelivered } = packet;
    const payload = Buffer.from(packet.payload);
    if (isSender(id)) {
      const { body, event } = postedAs({ source: id, filter }, topic, payload);
      const write = await this.uplinks.prepare(id, body, event, caller, false, { at, topic });
      return { label: id, write: async () => (await write()).outcome };
    }
    const source = await this.catalog.find(id, caller.customerId);
    if (source === undefined) throw new NotReadable('custom', 'There is no such source any more.');
    const label = toLabel(source);
    const json = readJson(payload);
    if (json === null) return { label, write: () => Promise.resolve('ignored') };
    if (json === undefined) throw new NotReadable(label, 'The message is neither JSON nor a number.');
    const arrival = { at, topic, topicDevice: firstWildLevel(filter, topic) };
    const write = await this.uplinks.prepareBySource(
      source,
      { payload: json, arrival, isRedelivered },
      caller,
    );
    return { label, write: async () => mostTelling((await write()).map(({ outcome }) => outcome)) };
  }

  /** Throws what may pass. */
  private prepareToKeep(
    entry: MqttTopic,
    { topic, dup: isRedelivered, payload: bytes }: IPublishPacket,
    { customerId: boundTo }: Caller,
    error: unknown,
    arrivedAt: number,
  ): Prepared {
    if (!isOfMessage(error)) throw error;
    const { source } = entry;
    const isKnown = error instanceof Problem || error instanceof NotReadable;
    if (!isKnown) this.logger.error({ err: error }, 'a message of MQTT cannot be stored');
    const label = error instanceof NotReadable ? error.label : isSender(source) ? source : 'custom';
    const detail = isSender(source) ? undefined : isKnown ? error.message : 'The message cannot be stored.';
    const payload = Buffer.from(bytes);
    const kept = { source, boundTo, topic, isRedelivered, form: 'text', payload: keptText(payload) } as const;
    const origin = detail === undefined ? kept : { ...kept, detail };
    const device = deviceToKeep(entry, topic, payload);
    return { label, write: () => this.uplinks.keep(origin, label, device, arrivedAt) };
  }

  private noteQos0(): void {
    this.metrics.count('mqtt_qos0_messages_total', {});
    if (this.hasWarned) return;
    this.hasWarned = true;
    this.logger.warn('messages come with QoS 0, which can be lost on the way: publishers have to use QoS 1');
  }
}

/** A message that no source can read. */
class NotReadable extends Error {
  constructor(
    readonly label: string,
    reason: string,
  ) {
    super(reason);
  }
}

/** Values that PostgreSQL cannot store, a row that no table takes, a limit of its own. */
const STATES_OF_MESSAGES = /^(22|23|54)/;

/** It would fail again however often it came; everything else may pass. */
function isOfMessage(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable || error instanceof DatabaseOverloaded) return false;
  const isFromServer = error instanceof Error && 'severity' in error;
  return !isFromServer || STATES_OF_MESSAGES.test(findCode(error));
}
