// A Redis of the test's own, always on the same port, that can be killed and brought back.
import { connect } from 'node:net';
import { Child } from './child.js';
import { temporaryFolder } from './folder.js';
import { freePort } from './ports.js';
import { stage } from './stage.js';
import { until } from './until.js';

export class OwnRedis {
  private server: Child;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly password: string,
  ) {}

  static async start(password = ''): Promise<OwnRedis> {
    const redis = stage.add(new OwnRedis(await temporaryFolder(), await freePort(), password));
    await redis.bringUp();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Keeps everything in memory: one that was killed comes back empty. */
  async bringUp(): Promise<void> {
    const settings = {
      port: String(this.port),
      bind: '127.0.0.1',
      dir: this.folder,
      save: '',
      appendonly: 'no',
      requirepass: this.password,
    };
    this.server = new Child({
      command: 'redis-server',
      args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
      environment: { PATH: process.env['PATH'] },
      folder: this.folder,
    });
    await until('Redis lets clients in', async () => {
      if (!this.server.isRunning) throw new Error(`Redis did not start:\n${await this.server.stdout()}`);
      return this.accepts();
    });
  }

  async kill(): Promise<void> {
    this.server.signal('SIGKILL');
    await this.server.ended;
  }

  /** It goes on accepting connections, but answers nobody. */
  freeze(): void {
    this.server.signal('SIGSTOP');
  }

  thaw(): void {
    this.server.signal('SIGCONT');
  }

  async stop(): Promise<void> {
    await this.server?.stop();
  }

  private accepts(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(false));
    });
  }
}
