// A mosquitto of the test's own, always on the same port, that can be stopped, killed and brought back with what it kept; and a publisher.
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { connect as connectTo } from 'node:net';
import { join } from 'node:path';
import mqtt, { type IClientPublishOptions, type MqttClient } from 'mqtt';
import { Child } from './child.js';
import { temporaryFolder } from './folder.js';
import { freePort } from './ports.js';
import { stage } from './stage.js';
import { until } from './until.js';

const SETTINGS = ['allow_anonymous true', 'max_queued_messages 0'];

export class Mosquitto {
  private server: Child;

  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly settings: readonly string[],
  ) {}

  /** `settings`: lines of its configuration, those of the listener first. */
  static async start(settings: readonly string[] = []): Promise<Mosquitto> {
    const { error } = spawnSync('mosquitto', ['-h'], { stdio: 'ignore' });
    if (error !== undefined)
      throw new Error('These tests need mosquitto: apt-get install mosquitto mosquitto-clients', {
        cause: error,
      });
    const mosquitto = stage.add(new Mosquitto(await temporaryFolder(), await freePort(), settings));
    await mosquitto.bringUp();
    return mosquitto;
  }

  get url(): string {
    return `mqtt://127.0.0.1:${this.port}`;
  }

  async bringUp(): Promise<void> {
    const file = join(this.folder, 'mosquitto.conf');
    const persistence = ['persistence true', `persistence_location ${this.folder}/`, 'user root'];
    const lines = [`listener ${this.port} 127.0.0.1`, ...this.settings, ...SETTINGS, ...persistence, ''];
    await writeFile(file, lines.join('\n'));
    this.server = new Child({
      command: 'mosquitto',
      args: ['-c', file],
      environment: { PATH: process.env['PATH'] },
      folder: this.folder,
    });
    await until('mosquitto lets clients in', async () => {
      if (!this.server.isRunning) throw new Error(`mosquitto did not start:\n${await this.server.stderr()}`);
      return this.accepts();
    });
  }

  /** It writes down what it has. */
  async shutDown(): Promise<void> {
    await this.server.stop();
  }

  freeze(): void {
    this.server.signal('SIGSTOP');
  }

  thaw(): void {
    this.server.signal('SIGCONT');
  }

  /** What it said: who connected, with which subscriptions. */
  log(): Promise<string> {
    return this.server.stderr();
  }

  async stop(): Promise<void> {
    await this.server?.stop();
  }

  /** Connected, and again whenever it is away. */
  async publisher(options: mqtt.IClientOptions = {}): Promise<Publisher> {
    const client = mqtt.connect(this.url, { reconnectPeriod: 100, protocolVersion: 5, ...options });
    await until('the publisher is connected', () => client.connected);
    return stage.add(new Publisher(client));
  }

  private accepts(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connectTo(this.port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(false));
    });
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
