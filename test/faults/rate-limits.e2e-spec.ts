// Rate limits that several instances share, and that are never a reason to fail.
import { describe, expect, it } from '@jest/globals';
import { Child } from './support/child.js';
import { createFleet, createKey } from './support/fleet.js';
import { temporaryFolder } from './support/folder.js';
import { expectOnly, expectSound } from './support/judgement.js';
import { Load } from './support/load.js';
import { freePort, isOpen } from './support/ports.js';
import { ask, type Outcome } from './support/requests.js';
import { ServiceProcess, type Environment } from './support/service-process.js';
import { newDatabase, stage } from './support/stage.js';
import { until } from './support/until.js';

/** Of this spec, always on the same port. */
class OwnRedis {
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

const LIMIT = 10;

const database = await newDatabase();
const fleet = await createFleet(database.url);

async function startService(environment: Environment = {}): Promise<ServiceProcess> {
  return ServiceProcess.start({
    DATABASE_URL: database.url,
    RATE_LIMIT_REQUESTS: String(LIMIT),
    ...environment,
  });
}

/** One after the other, so that their order is known. */
async function askTimes(
  count: number,
  services: readonly ServiceProcess[],
  headers: Record<string, string>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let i = 0; i < count; i++) {
    const service = services[i % services.length];
    if (service !== undefined) outcomes.push(await ask(service.url, { path: '/v1/tanks', headers }));
  }
  return outcomes;
}

const statusesOf = (outcomes: readonly Outcome[]) => outcomes.map(({ status }) => status);
const times = (count: number, status: number): number[] => Array<number>(count).fill(status);

describe('two instances and a Redis', () => {
  it('share one limit, and go on alone when Redis is killed, frozen and back', async () => {
    const redis = await OwnRedis.start();
    const start = () => startService({ REDIS_URL: redis.url });
    const services = [await start(), await start()] as const;
    const shared = await askTimes(LIMIT + 2, services, fleet.headers);
    expect(statusesOf(shared)).toEqual([...times(LIMIT, 200), 429, 429]);
    expectOnly([200, 429], shared);

    const unspent = { 'X-API-Key': await createKey(database.url) };
    const load = new Load(services[0], { paths: fleet.paths, headers: unspent }, 4);
    await load.seen(429, 20);
    await redis.kill();
    const killedAt = performance.now();
    // Alone it starts to count anew, and so serves again before it refuses again.
    await load.seen(200, 1, killedAt);
    await load.seen(429, 20, killedAt);
    await redis.bringUp();
    // The new Redis knows nothing of what was spent: who is served again has found it.
    await load.seen(200, 1, performance.now());
    redis.freeze();
    const frozenAt = performance.now();
    await load.seen(429, 10, frozenAt);
    redis.thaw();
    await load.stop();

    expectOnly([200, 429], load.outcomes);
    await Promise.all(services.map(expectSound));
  });

  it('a Redis out of reach from the start only warns, and its password is not in the log', async () => {
    const redis = await OwnRedis.start('the-right-password');
    const url = new URL(redis.url);
    url.password = 'the-wrong-password';
    const service = await startService({ REDIS_URL: url.href });

    const outcomes = await askTimes(LIMIT + 1, [service], fleet.headers);
    expect(statusesOf(outcomes)).toEqual([...times(LIMIT, 200), 429]);
    const warning = 'Redis is out of reach; counting requests per instance';
    await until('it is told', async () => (await service.logLines()).some(({ msg }) => msg === warning));
    expect(await service.output()).not.toContain('the-wrong-password');
    await expectSound(service);
  });
});
