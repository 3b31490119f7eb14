// Workers are killed, and their sessions cut, while others write: nothing is lost. And who waits when the service is told to stop is
// answered at once.
import { afterAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, Replica } from '../support/replica.js';
import { Child } from './support/child.js';
import { createFleet, createKey } from './support/fleet.js';
import { temporaryFolder } from './support/folder.js';
import { OwnPostgres } from './support/own-postgres.js';
import { Senders } from './support/senders.js';
import { ServiceProcess } from './support/service-process.js';
import { Stage } from './support/stage.js';
import { until } from './support/until.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const stage = new Stage();
afterAll(() => stage.clear());

const postgres = stage.add(await OwnPostgres.start());
const fleet = await createFleet(postgres.url);
const bound = await createKey(postgres.url, { customerId: fleet.customerId });
const sender = await createKey(postgres.url, { scopes: ['telemetry:write'] });

async function startWorker(): Promise<Child> {
  const child = new Child({
    command: process.execPath,
    args: [CLI, 'worker'],
    environment: { PATH: process.env['PATH'], DATABASE_URL: postgres.url },
    folder: await temporaryFolder(),
  });
  return stage.add(child);
}

const waiting = async (): Promise<number> => (await postgres.query('select from change_notes')).length;

describe('changes', () => {
  it('are neither lost nor out of order, whenever a worker is killed or cut off', async () => {
    const service = stage.add(await ServiceProcess.start({ DATABASE_URL: postgres.url, WORKER: 'false' }));
    const replicas = [fleet.key, bound].map((key) => new Replica(new Client(service.url, key)));
    for (const replica of replicas) await replica.begin();
    const senders = stage.add(
      new Senders({ serviceUrl: service.url, key: sender, tankIds: [fleet.tankId], senders: 4 }),
    );
    for (let round = 0; round < 6; round += 1) {
      const [first, second] = await Promise.all([startWorker(), startWorker()]);
      await until('there is something to place', async () => (await waiting()) > 0);
      // At a moment of chance: in the middle of a call, between two, or before the first.
      await sleep(Math.random() * 1_500);
      await postgres.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tank-monitoring-worker'`,
      );
      await postgres.query(`update tanks set name = 'Round ${round}', owner_id = (
        select id from customers where id <> tanks.owner_id order by random() limit 1)`);
      await sleep(Math.random() * 500);
      first.signal('SIGKILL');
      second.signal('SIGKILL');
      await Promise.all([first.ended, second.ended]);
      for (const replica of replicas) await replica.step({ size: '20' });
    }
    await senders.stop();
    await startWorker();
    await until('all is placed', async () => (await waiting()) === 0, 20_000);
    for (const replica of replicas) {
      await replica.catchUp({ size: '1000' });
      expect(replica.contents()).toEqual(await replica.client.contents());
    }
  });

  it('who waits for one when SIGTERM comes gets an ordinary empty answer at once', async () => {
    const service = stage.add(
      await ServiceProcess.start({ DATABASE_URL: postgres.url, SHUTDOWN_DELAY_MS: '1000' }),
    );
    const client = new Client(service.url, fleet.key);
    const { next: after } = await client.changes({ after: 'latest' });
    await new Replica(client).begin();
    const started = performance.now();
    const answers = Promise.all(Array.from({ length: 20 }, () => client.changes({ after, wait: '25' })));
    await Promise.race([answers, sleep(1_000)]);
    service.child.signal('SIGTERM');
    const late = client.changes({ after, wait: '25' });
    for (const answer of [...(await answers), await late]) {
      expect(answer).toEqual({ object: 'changes', data: [], next: expect.any(String), has_more: false });
    }
    expect(performance.now() - started).toBeLessThan(15_000);
    expect(await service.child.ended).toEqual({ code: 0, signal: null });
  });
});
