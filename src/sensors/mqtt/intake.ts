// What becomes of a message: it goes the way of one that was posted with the key, and what can never become a reading is kept, so that no
// message holds up the others.
import type { IPublishPacket } from 'mqtt';
import type { ApiKeysService } from '../../common/auth/api-keys.service.js';
import type { Caller } from '../../common/auth/caller.js';
import { Problem } from '../../common/problems/problem.js';
import type { MqttTopic } from '../../platform/config/mqtt-settings.js';
import { codeOf, DatabaseOverloaded, DatabaseUnavailable } from '../../platform/database/failures.js';
import type { IngestWrites } from '../../platform/database/ingest-writes.js';
import type { Statement } from '../../platform/database/named-query.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { Metrics } from '../../platform/metrics/metrics.js';
import type { Outcome } from '../uplink-writer.js';
import type { UplinksService } from '../uplinks.service.js';
import { callerOf } from './key.js';
import { deviceToKeep, keptText, postedAs } from './message.js';
import { matches } from './topics.js';

const KEEP_MALFORMED: Statement = {
  name: 'keep_malformed_uplink',
  text: 'select keep_malformed_uplink($1, $2, $3, $4, $5, $6)',
};

export type MqttMetrics = Pick<Metrics, 'countUplink' | 'countMqttMessage' | 'countMqttQos0'>;

export interface Parts {
  readonly topics: readonly MqttTopic[];
  readonly key: string;
  readonly keys: ApiKeysService;
  readonly uplinks: UplinksService;
  readonly writes: IngestWrites;
  readonly logger: Logger;
  readonly metrics: MqttMetrics | undefined;
}

export class MqttIntake {
  private hasWarned = false;

  constructor(private readonly parts: Parts) {}

  /** Resolves when all of it is committed. Rejects when it has to come again: the database is away, or the key has ended. */
  async take(packet: IPublishPacket): Promise<void> {
    const { topics, key, keys, logger, metrics } = this.parts;
    const entry = topics.find(({ filter }) => matches(filter, packet.topic));
    if (entry === undefined || packet.retain) {
      metrics?.countMqttMessage(entry?.source ?? 'none', 'ignored');
      return;
    }
    if (packet.qos === 0) this.noteQos0();
    const begunAt = performance.now();
    const caller = await callerOf(keys, key);
    const outcome = await this.post(entry, packet, caller);
    metrics?.countMqttMessage(entry.source, outcome);
    const duration_ms = Math.round((performance.now() - begunAt) * 10) / 10;
    logger.info({ mqtt: entry.source, outcome, duration_ms, key: caller.id });
  }

  private async post(entry: MqttTopic, packet: IPublishPacket, caller: Caller): Promise<Outcome> {
    const payload = Buffer.from(packet.payload);
    try {
      const { body, event } = postedAs(entry, packet.topic, payload);
      return (await this.parts.uplinks.take(entry.source, body, event, false, caller)).outcome;
    } catch (error) {
      if (!isOfMessage(error)) throw error;
      if (!(error instanceof Problem))
        this.parts.logger.error({ err: error }, 'a message of MQTT cannot be stored');
      return this.keep(entry, packet, payload, caller);
    }
  }

  private async keep(
    entry: MqttTopic,
    { topic, dup }: IPublishPacket,
    payload: Buffer,
    { customerId }: Caller,
  ): Promise<Outcome> {
    const { writes, metrics } = this.parts;
    const device = deviceToKeep(entry, topic, payload);
    const arrivedAt = new Date().toISOString();
    const values = [entry.source, customerId, device, arrivedAt, keptText(payload), String(dup)];
    await writes.row(KEEP_MALFORMED, values);
    metrics?.countUplink(entry.source, 'quarantined');
    return 'quarantined';
  }

  private noteQos0(): void {
    this.parts.metrics?.countMqttQos0();
    if (this.hasWarned) return;
    this.hasWarned = true;
    this.parts.logger.warn(
      'messages come with QoS 0, which can be lost on the way: publishers have to use QoS 1',
    );
  }
}

/** Values that PostgreSQL cannot store, a row that no table takes, a limit of its own. */
const STATES_OF_MESSAGES = /^(22|23|54)/;

/** It would fail again however often it came; everything else may pass. */
function isOfMessage(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable || error instanceof DatabaseOverloaded) return false;
  const isFromServer = error instanceof Error && 'severity' in error;
  return !isFromServer || STATES_OF_MESSAGES.test(codeOf(error));
}
