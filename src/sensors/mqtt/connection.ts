// One connection to the broker, by MQTT.js. What has come is handled together, each message is acknowledged when it was handled, in the order
// in which they came, and what comes meanwhile is handled after that. It is never made again: an acknowledgement that comes late would count on the new connection for a message that was never handled.
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IClientOptions, IPublishPacket, MqttClient } from 'mqtt';
import type { MqttBroker } from '../../platform/config/mqtt-settings.js';

/** For the connection and for each answer of the broker. */
const ANSWER_WITHIN_MS = 10_000;
/** For the last acknowledgement to leave. */
const LEAVE_WITHIN_MS = 1_000;
const KEEPALIVE_SECONDS = 30;

/** The broker keeps what is not acknowledged yet, so nothing is gained by more in memory. */
const MAX_UNACKNOWLEDGED = 20;
const MAX_PACKET_BYTES = 1_048_576;
const NEVER_EXPIRES = 0xff_ff_ff_ff;

const NOT_YET = new Error('acknowledged later');

/** One promise a message, each of which resolves when it may be acknowledged. */
type Handle = (packets: readonly IPublishPacket[]) => readonly Promise<void>[];

interface Waiting {
  readonly packet: IPublishPacket;
  readonly acknowledge: (error?: Error) => void;
}

export class BrokerConnection {
  /** Why it ended. */
  readonly ended: Promise<Error>;
  private readonly waiting: Waiting[] = [];
  private isBusy = false;
  private goOn: () => void = () => undefined;
  private handling: Promise<unknown> = Promise.resolve();
  private state: 'open' | 'leaving' | 'over' = 'open';
  private tellEnd: (reason: Error) => void = () => undefined;

  /** `handle` rejects for a message that has to come again; then the connection is over. */
  private constructor(
    private readonly client: MqttClient,
    private readonly handle: Handle,
  ) {
    this.ended = new Promise((resolve) => (this.tellEnd = resolve));
    client.handleMessage = (packet, acknowledge) => {
      if (this.state !== 'open') return;
      this.waiting.push({ packet, acknowledge });
      // Called with an error it hands over the next message, and acknowledges nothing.
      const goOn = () => acknowledge(NOT_YET);
      if (this.waiting.length < MAX_UNACKNOWLEDGED) goOn();
      else this.goOn = goOn;
      this.handleWaiting();
    };
    client.on('error', (error) => this.abort(error)); // after one of the protocol it would stay open otherwise
    client.on('close', () => this.abort(new Error('the connection was closed')));
  }

  private handleWaiting(): void {
    if (this.isBusy || this.waiting.length === 0 || this.state !== 'open') return;
    this.isBusy = true;
    const taken = this.waiting.splice(0);
    this.goOn();
    this.goOn = () => undefined;
    this.handling = this.acknowledgeInTurn(taken)
      .catch((error: unknown) => this.abort(error instanceof Error ? error : new Error(String(error))))
      .finally(() => {
        this.isBusy = false;
        this.handleWaiting();
      });
  }

  private async acknowledgeInTurn(taken: readonly Waiting[]): Promise<void> {
    const handled = this.handle(taken.map(({ packet }) => packet));
    for (const one of handled) one.catch(() => undefined); // the first that fails ends it; the others come again
    for (const [i, { acknowledge }] of taken.entries()) {
      await handled[i];
      if (this.state === 'over') return;
      acknowledge();
    }
  }

  static async open(broker: MqttBroker, clientId: string, handle: Handle): Promise<BrokerConnection> {
    const { default: mqtt } = await import('mqtt');
    const client = mqtt.connect(optionsFor(broker, clientId));
    const connection = new BrokerConnection(client, handle);
    client.connect();
    // Otherwise an acknowledgement waits for the one before to arrive.
    if (client.stream instanceof Socket) client.stream.setNoDelay();
    return connection;
  }

  /** Rejects with why the broker cannot be used. */
  async established(): Promise<void> {
    if (this.client.connected) return;
    await this.answer(new Promise((resolve) => this.client.once('connect', resolve)));
  }

  /** Those that the broker refused. What is retained is not asked for: it would come again with every connection. */
  async subscribe(filters: readonly string[]): Promise<string[]> {
    const refused: string[] = [];
    for (const filter of filters) {
      const asked = this.client.subscribeAsync(filter, { qos: 1, rh: 2 });
      await this.answer(asked).catch((error: unknown) => {
        if (this.state !== 'open') throw error;
        refused.push(filter);
      });
    }
    return refused;
  }

  async unsubscribe(filters: readonly string[]): Promise<void> {
    if (filters.length > 0) await this.answer(this.client.unsubscribeAsync([...filters]));
  }

  /** At once: what is being handled is not acknowledged any more. */
  abort(reason: Error): void {
    if (this.state === 'over') return;
    this.state = 'over';
    // Not by its end(), after which a packet that was read already would meet a store that is gone, and throw where nobody catches it.
    this.client.stream.destroy();
    this.tellEnd(reason);
  }

  /** What is being handled is still acknowledged, if that takes no longer than `withinMs`. */
  async leave(withinMs: number): Promise<void> {
    if (this.state !== 'open') return;
    this.state = 'leaving';
    await Promise.race([this.handling, sleep(withinMs, undefined, { ref: false })]);
    await Promise.race([this.client.endAsync(), sleep(LEAVE_WITHIN_MS, undefined, { ref: false })]);
    this.abort(new Error('the connection was ended'));
  }

  /** A connection without an answer is over. */
  private async answer<T>(asked: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.abort(new Error('the broker does not answer')), ANSWER_WITHIN_MS);
    asked.catch(() => undefined); // heard of below, unless the connection ended first
    const failed = this.ended.then((reason) => Promise.reject(reason));
    try {
      return await Promise.race([asked, failed]);
    } finally {
      clearTimeout(timer);
      failed.catch(() => undefined);
    }
  }
}

function optionsFor(
  { protocol, host, port, path, username, password, version }: MqttBroker,
  clientId: string,
): IClientOptions {
  const isWebSocket = protocol.startsWith('ws');
  return {
    protocol,
    host: isWebSocket ? host : host.replaceAll(/[[\]]/g, ''), // those of an IPv6 address
    ...(port !== undefined && { port }),
    ...(isWebSocket && { path }),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    protocolVersion: version,
    clientId,
    clean: false,
    ...(version === 5 && {
      properties: {
        sessionExpiryInterval: NEVER_EXPIRES,
        receiveMaximum: MAX_UNACKNOWLEDGED,
        maximumPacketSize: MAX_PACKET_BYTES,
      },
    }),
    keepalive: KEEPALIVE_SECONDS,
    connectTimeout: ANSWER_WITHIN_MS,
    reconnectPeriod: 0,
    manualConnect: true, // handleMessage comes first
    log: () => undefined, // DEBUG would show what is in messages
  };
}
