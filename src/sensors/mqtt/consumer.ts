// Consumes what a broker has for the service, in one process at a time: takes the lease, connects, subscribes, and goes on until the
// connection, the lease, the database or the key is lost. Then it waits and begins anew; what was not acknowledged comes again.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../platform/config/config.js';
import { reasonOf } from '../../platform/database/failures.js';
import type { Logger } from '../../platform/logging/logger.js';
import { BrokerConnection } from './connection.js';
import type { MqttIntake } from './intake.js';
import { KeyEnded } from './key.js';
import type { Lease } from './lease.js';
import { widest } from './topics.js';

export type MqttSettings = NonNullable<Config['mqtt']>;

/** How often the lease is looked at, and how many looks later it is renewed. */
const LOOK_AT_LEASE_MS = 1_000;
const RENEW_AFTER_LOOKS = 3;
/** Somebody else consumes, who may stop. */
const LOOK_AGAIN_MS = 2_000;
const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;
/** For the message that is being handled when the process stops. */
const LEAVE_WITHIN_MS = 2_000;

export class MqttConsumer {
  private connection: BrokerConnection | undefined;
  private isConsuming = false;
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private waitMs = MIN_WAIT_MS;
  /** What the log says last: a state is told once, not with each attempt to end it. */
  private said = '';

  constructor(
    private readonly settings: MqttSettings,
    private readonly lease: Lease,
    private readonly intake: MqttIntake,
    /** Rejects with KeyEnded. */
    private readonly checkKey: () => Promise<unknown>,
    private readonly logger: Logger,
  ) {}

  /** Whether messages come in here, from all that was asked for. */
  get isConnected(): boolean {
    return this.isConsuming;
  }

  start(): void {
    this.running = this.run();
  }

  /** Resolves when somebody else may consume. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.connection?.leave(LEAVE_WITHIN_MS);
    await this.running;
  }

  private get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      const waitMs = await this.consume().catch((error: unknown) => this.explain(error));
      await sleep(waitMs, undefined, { signal: this.stopping.signal, ref: false }).catch(() => undefined);
    }
  }

  /** Resolves with how long to wait when somebody else consumes; otherwise rejects with why it ended. */
  private async consume(): Promise<number> {
    await this.checkKey();
    const known = await this.lease.take();
    if (known === undefined) return LOOK_AGAIN_MS;
    const guard = this.guardLease();
    try {
      this.connection = await this.connect();
      if (this.isStopped) this.connection.abort(new Error('the service stops'));
      await this.connection.established();
      const connectedAt = performance.now();
      await this.subscribe(this.connection, known);
      const reason = await this.connection.ended;
      // One that goes at once again and again is left alone for longer.
      if (performance.now() - connectedAt > MAX_WAIT_MS) this.waitMs = MIN_WAIT_MS;
      throw reason;
    } finally {
      this.isConsuming = false;
      clearInterval(guard);
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

  /** Renews it. Whoever cannot ends the connection before somebody else may take the lease. */
  private guardLease(): NodeJS.Timeout {
    let [isAsking, looks] = [false, 0];
    const renew = async (): Promise<void> => {
      await this.checkKey();
      await this.lease.take();
    };
    return setInterval(() => {
      if (!this.lease.isHeld) this.connection?.abort(new Error('the lease could not be renewed'));
      looks += 1;
      if (isAsking || looks % RENEW_AFTER_LOOKS !== 0) return;
      isAsking = true;
      renew()
        .catch((error: unknown) => {
          if (error instanceof KeyEnded) this.connection?.abort(error);
        })
        .finally(() => (isAsking = false));
    }, LOOK_AT_LEASE_MS).unref();
  }

  /** Returns how long to wait. */
  private explain(error: unknown): number {
    const { broker, key } = this.settings;
    if (this.isStopped) return 0;
    if (error instanceof KeyEnded) {
      this.say(
        'error',
        { key: key.split('.', 1)[0] },
        `MQTT: nothing is taken, since MQTT_KEY ${error.message}`,
      );
    } else {
      this.say('warn', { broker: broker.host, reason: reasonOf(error) }, 'MQTT: not connected, trying again');
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
