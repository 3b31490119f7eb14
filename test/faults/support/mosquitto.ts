// A mosquitto of the test's own, always on the same port, that can be stopped and brought back with what it kept; and a publisher.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import mqtt, { type IClientPublishOptions, type MqttClient } from 'mqtt';
import { Child } from './child.js';
import { temporaryFolder } from './folder.js';
import { freePort, isOpen } from './ports.js';
import { stage } from './stage.js';
import { until } from './until.js';

export class Mosquitto {
  private server: Child;

  private constructor(
    private readonly folder: string,
    readonly port: number,
  ) {}

  /** Debian's packages mosquitto and mosquitto-clients. */
  static async start(): Promise<Mosquitto> {
    const mosquitto = stage.add(new Mosquitto(await temporaryFolder(), await freePort()));
    await mosquitto.bringUp();
    return mosquitto;
  }

  get url(): string {
    return `mqtt://127.0.0.1:${this.port}`;
  }

  async bringUp(): Promise<void> {
    const { folder, port } = this;
    const file = join(folder, 'mosquitto.conf');
    const settings = ['allow_anonymous true', 'max_queued_messages 0', 'persistence true', 'user root'];
    const lines = [`listener ${port} 127.0.0.1`, ...settings, `persistence_location ${folder}/`, ''];
    await writeFile(file, lines.join('\n'));
    this.server = new Child({ command: 'mosquitto', args: ['-c', file], folder });
    await this.server.until('mosquitto lets clients in', () => isOpen(port));
  }

  /** What it said: who connected, with which subscriptions. */
  log(): Promise<string> {
    return this.server.stderr();
  }

  /** It writes down what it has. */
  async stop(): Promise<void> {
    await this.server?.stop();
  }

  /** Connected, and again whenever it is away. */
  async publisher(): Promise<Publisher> {
    const client = mqtt.connect(this.url, { reconnectPeriod: 100, protocolVersion: 5 });
    await until('the publisher is connected', () => client.connected);
    return stage.add(new Publisher(client));
  }
}

export class Publisher {
  constructor(private readonly client: MqttClient) {}

  /** With QoS 1, and resolved when the broker has it. */
  async publish(topic: string, message: unknown, options: IClientPublishOptions = {}): Promise<void> {
    const payload =
      Buffer.isBuffer(message) || typeof message === 'string' ? message : JSON.stringify(message);
    await this.client.publishAsync(topic, payload, { qos: 1, ...options });
  }

  async stop(): Promise<void> {
    await this.client.endAsync(true);
  }
}
