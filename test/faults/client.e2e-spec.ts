// The client while the service is killed and started again: a walk, a send and a follow go on where they were.
import { afterEach, describe, expect, it } from '@jest/globals';
import { TankMonitoring, type Tank } from 'tank-monitoring-client';
import { openPool, wayTo, type TestDatabase } from '../support/database.js';
import { aCustomer, insertCustomers, insertTank } from '../support/builders.js';
import { createKey } from './support/fleet.js';
import { freePort } from './support/ports.js';
import { ServiceProcess } from './support/service-process.js';
import { newDatabase, stage } from './support/stage.js';
import { until } from './support/until.js';

afterEach(() => stage.clear());

/** A service that can be killed, and comes back on the same port. */
class Restarted {
  private running: ServiceProcess | undefined;

  private constructor(
    private readonly database: TestDatabase,
    readonly port: number,
  ) {}

  static async start(): Promise<Restarted> {
    const database = await newDatabase();
    const service = stage.add(new Restarted(database, await freePort()));
    await service.bringUp();
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get databaseUrl(): string {
    return this.database.url;
  }

  async bringUp(): Promise<void> {
    this.running = await ServiceProcess.start({ ...wayTo(this.database.url), PORT: String(this.port) });
  }

  async restart(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.running?.child.signal(signal);
    await this.running?.child.ended;
    await this.bringUp();
  }

  async stop(): Promise<void> {
    await this.running?.stop();
  }
}

async function prepare() {
  const service = await Restarted.start();
  const sql = openPool(service.databaseUrl, { max: 1 });
  stage.add({ stop: () => sql.end() });
  const key = await createKey(service.databaseUrl, { scopes: ['read', 'telemetry:write'] });
  // A slow machine may need longer to start a service than three retries wait.
  const tms = new TankMonitoring({ url: service.url, key, maxRetries: 10 });
  return { service, sql, tms };
}

describe.each(['SIGKILL', 'SIGTERM'] as const)('the service is restarted by %s', (signal) => {
  it('in the middle of a walk, which gives every item once', async () => {
    const { service, sql, tms } = await prepare();
    const customers = Array.from({ length: 300 }, () => aCustomer());
    await insertCustomers(sql, customers);
    const seen: string[] = [];
    let restarted: Promise<void> | undefined;
    for await (const { id } of tms.customers.list({ size: 20 })) {
      seen.push(id);
      if (seen.length === 70) restarted = service.restart(signal);
    }
    expect(restarted).toBeDefined();
    await restarted;
    expect(seen).toEqual(customers.map(({ id }) => id).toReversed());
  });

  it('in the middle of a send, which stores every reading', async () => {
    const { service, sql, tms } = await prepare();
    await insertCustomers(sql, [aCustomer({ id: 'ours' })]);
    await insertTank(sql, 'ours', { id: 'a' });
    let restarted: Promise<void> | undefined;
    function* readings() {
      for (let n = 0; n < 40_000; n += 1) {
        if (n === 12_000) restarted = service.restart(signal);
        const created_at = new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString();
        yield { tank_id: 'a', created_at, fill_percentage: n % 101 };
      }
    }
    const { created, updated, unchanged } = await tms.telemetry.send(readings());
    await restarted;
    // What was stored and not answered is there already when it is sent again.
    expect({ sum: created + unchanged, updated }).toEqual({ sum: 40_000, updated: 0 });
    const { rows } = await sql.query<{ n: number }>('select count(*)::int as n from telemetry');
    expect(rows).toEqual([{ n: 40_000 }]);
  });

  it('in the middle of a follow, which misses nothing', async () => {
    const { service, sql, tms } = await prepare();
    await insertCustomers(sql, [aCustomer({ id: 'ours' })]);
    const copy = new Map<string, Tank>();
    const follow = async (after: string) => {
      for await (const { data } of tms.changes.follow({ after, types: ['tank'], size: 5 })) {
        for (const change of data) {
          if (change.type !== 'tank') continue;
          if ('deleted' in change.data) copy.delete(change.id);
          else copy.set(change.id, change.data);
        }
        if (copy.has('z-last')) return;
      }
    };
    const following = follow((await tms.changes.list({ after: 'latest' })).next);
    let restarted: Promise<void> | undefined;
    for (let n = 0; n < 60; n += 1) {
      if (n === 20) {
        await until('some have come', () => copy.size > 0);
        restarted = service.restart(signal);
      }
      await insertTank(sql, 'ours', { id: `t-${n}` });
      if (n % 3 === 0) await sql.query('update tanks set deleted = true where id = $1', [`t-${n}`]);
    }
    await restarted;
    await insertTank(sql, 'ours', { id: 'z-last' }); // of those that get their places together it is the last, by its id
    await following;
    const listed: Tank[] = [];
    for await (const tank of tms.tanks.list()) listed.push(tank);
    expect(Object.fromEntries(copy)).toEqual(Object.fromEntries(listed.map((tank) => [tank.id, tank])));
    expect(copy.size).toBe(41);
  });
});
