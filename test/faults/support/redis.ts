// A Redis of the test's own, always on the same port, that can be killed and brought back.
import { Child } from './child.js';
import { temporaryFolder } from './folder.js';
import { freePort, isOpen } from './ports.js';
import { stage } from './stage.js';

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
    const { folder, port, password } = this;
    const settings = {
      port,
      bind: '127.0.0.1',
      dir: folder,
      save: '',
      appendonly: 'no',
      requirepass: password,
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    this.server = new Child({ command: 'redis-server', args, folder });
    await this.server.until('Redis lets clients in', () => isOpen(port));
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
}
