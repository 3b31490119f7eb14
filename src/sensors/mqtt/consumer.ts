// Consumes what a broker has for the service, in one process at a time: takes the lease, connects, subscribes, and goes on until the
// connection, the lease, the database or the key is lost. Then it waits and begins anew; what was not acknowledged comes again.
import { Inject, Injectable } from '@nestjs/common';
import { LastUse } from '../../common/auth/last-use.js';
import { describeFailure } from '../../platform/database/failures.js';
import type { Task } from '../../platform/lifecycle/scheduler.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { BrokerConnection } from './connection.js';
import { MqttIntake } from './intake.js';
import { KeyEnded, MQTT_SETTINGS, MqttKey, type MqttSettings } from './key.js';
import { Lease } from './lease.js';
import { widest } from './topics.js';

/** How often the lease is looked at, and renewed. */
const LOOK_AT_LEASE_MS = 1_000;
const RENEW_LEASE_MS = 3_000;
/** Somebody else consumes, who may stop. */
const LOOK_AGAIN_MS = 2_000;
const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;
/** For the message that is being handled when the process stops. */
const LEAVE_WITHIN_MS = 2_000;

@Injectable()
export class MqttConsumer {
  private connection: BrokerConnection | undefined;
  /** Whether messages come in here, from all that was asked for. */
  private isConsuming = false;
  private mustRenew = false;
  /** Until the next attempt, and after that one. */
  private restMs = 0;
  private waitMs = MIN_WAIT_MS;
  /** What the log says last: a state is told once, not with each attempt to end it. */
  private said = '';

  constructor(
    @Inject(MQTT_SETTINGS) private readonly settings: MqttSettings,
    private readonly lease: Lease,
    private readonly intake: MqttIntake,
    private readonly key: MqttKey,
    private readonly lastUse: LastUse,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    const help = 'Whether this process takes the messages of the broker.';
    metrics.gauge('mqtt_connected', help, () => Number(this.isConsuming));
  }

  get tasks(): Task[] {
    return [
      {
        name: 'mqtt',
        everyMs: MIN_WAIT_MS,
        run: (stopped) => this.consumeUntil(stopped),
        restMs: () => this.restMs,
        end: () => this.lastUse.flush(),
      },
      { name: 'mqtt lease', everyMs: RENEW_LEASE_MS, run: () => this.renewLease() },
      { name: 'mqtt lease watch', everyMs: LOOK_AT_LEASE_MS, run: () => this.watchLease() },
    ];
  }

  /** When this resolves, somebody else may consume. */
  private async consumeUntil(stopped: AbortSignal): Promise<void> {
    const leave = (): void => void this.connection?.leave(LEAVE_WITHIN_MS);
    stopped.addEventListener('abort', leave);
    try {
      this.restMs = await this.consume(stopped);
    } catch (error) {
      this.restMs = stopped.aborted ? 0 : this.explain(error);
    } finally {
      stopped.removeEventListener('abort', leave);
    }
  }

  /** Resolves with how long to wait when somebody else consumes; otherwise rejects with why it ended. */
  private async consume(stopped: AbortSignal): Promise<number> {
    await this.key.caller();
    const known = await this.lease.take();
    if (known === undefined) return LOOK_AGAIN_MS;
    this.mustRenew = true;
    try {
      this.connection = await this.connect();
      if (stopped.aborted) this.connection.abort(new Error('the service stops'));
      await this.connection.established();
      const connectedAt = performance.now();
      await this.subscribe(this.connection, known);
      const reason = await this.connection.ended;
      // One that goes at once again and again is left alone for longer.
      if (performance.now() - connectedAt > MAX_WAIT_MS) this.waitMs = MIN_WAIT_MS;
      throw reason;
    } finally {
      this.isConsuming = false;
      this.mustRenew = false;
      this.connection?.abort(new Error('the connection was ended'));
      this.connection = undefined;
      await this.lease.release().catch(() => undefined); // it runs out by itself
    }
  }

  private connect(): Promise<BrokerConnection> {
    const { broker, clientId } = this.settings;
    return BrokerConnection.open(broker, clientId, (packets) => {
      if (!this.lease.isHeld) throw new Error('the lease was lost');
      return this.intake.takeAll(packets).map(async (taken) => {
        await taken;
        this.waitMs = MIN_WAIT_MS;
      });
    });
  }

  /** The filters are noted before they are sent and after the others were taken out: so none is forgotten, whenever it is killed. */
  private async subscribe(connection: BrokerConnection, known: readonly string[]): Promise<void> {
    const { broker, topics, clientId } = this.settings;
    const filters = widest(topics.map(({ filter }) => filter));
    const old = known.filter((filter) => !filters.includes(filter));
    await this.lease.noteFilters([...old, ...filters]);
    const refused = await connection.subscribe(filters);
    await connection.unsubscribe(old);
    await this.lease.noteFilters(filters);
    if (refused.length === 0) {
      this.isConsuming = true;
      this.say('info', { broker: broker.host, client_id: clientId }, 'MQTT: connected, messages are taken');
      return;
    }
    this.say(
      'error',
      { broker: broker.host, refused },
      'MQTT: the broker refuses subscriptions, they are tried again',
    );
    setTimeout(() => connection.abort(new Error('the broker refused subscriptions')), MAX_WAIT_MS).unref();
  }

  private async renewLease(): Promise<void> {
    if (!this.mustRenew) return;
    try {
      await this.key.caller();
      if (this.mustRenew) await this.lease.take();
    } catch (error) {
      if (error instanceof KeyEnded) this.connection?.abort(error);
    }
  }

  /** Whoever could not renew it ends the connection before somebody else may take it. */
  private watchLease(): Promise<void> {
    if (!this.lease.isHeld) this.connection?.abort(new Error('the lease could not be renewed'));
    return Promise.resolve();
  }

  /** Returns how long to wait. */
  private explain(error: unknown): number {
    const { broker, key } = this.settings;
    if (error instanceof KeyEnded) {
      this.say(
        'error',
        { key: key.split('.', 1)[0] },
        `MQTT: nothing is taken, since MQTT_KEY ${error.message}`,
      );
    } else {
      this.say(
        'warn',
        { broker: broker.host, reason: describeFailure(error) },
        'MQTT: not connected, trying again',
      );
    }
    const { waitMs } = this;
    this.waitMs = Math.min(waitMs * 2, MAX_WAIT_MS);
    return waitMs;
  }

  private say(level: 'info' | 'warn' | 'error', fields: object, message: string): void {
    const said = JSON.stringify([fields, message]);
    if (said !== this.said) this.logger[level](fields, message);
    this.said = said;
  }
}
