// Workers are killed, and their sessions cut, while others write: nothing is lost. And who waits when the service is told to stop is
// answered at once.
import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Replica } from '../support/replica.js';
import { createFleet, createKey } from './support/fleet.js';
import { lockTable, OwnPostgres, waitForLocks } from './support/own-postgres.js';
import { Senders } from './support/senders.js';
import { ServiceProcess, startWorker } from './support/service-process.js';
import { until } from './support/until.js';

const postgres = await OwnPostgres.start();
const fleet = await createFleet(postgres.url);
const bound = await createKey(postgres.url, { customerId: fleet.customerId });
const sender = await createKey(postgres.url, { scopes: ['telemetry:write'] });

const countOf = async (rows: string): Promise<number> => (await postgres.query(`select ${rows}`)).length;
const waiting = (): Promise<number> => countOf('from change_notes');
const placed = (): Promise<number> => countOf('from change_feed');
const endSessions = (which = 'true') =>
  postgres.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'tank-monitoring-worker' and ${which}`,
  );

/** Returns when a worker stands in the middle of placing, and how to let it go on. */
async function stopInTheMiddle(): Promise<() => Promise<void>> {
  const release = await lockTable(postgres.url, 'change_feed', 'share row exclusive');
  await waitForLocks(postgres.url, 1, 'worker');
  return release;
}

it('events are judged and changes placed while storage and forecasts hang', async () => {
  const hanging = () => countOf("from pg_stat_activity where wait_event_type = 'Lock'");
  const service = await ServiceProcess.start({ DATABASE_URL: postgres.url, WORKER: 'false' });
  const releases = await Promise.all(
    ['address_history', 'forecast_fleet'].map((table) => lockTable(postgres.url, table)),
  );
  const worker = await startWorker({ DATABASE_URL: postgres.url, ANSWER_TIMEOUT_MS: '30000' }); // waits for a lock for over a minute
  await until('both hang', async () => (await hanging()) >= 2);
  const [changes, events] = [await placed(), await countOf('from events')];

  const reading = { tank_id: fleet.tankId, created_at: new Date().toISOString(), fill_percentage: 90 };
  expect((await service.send(sender, 'POST', '/v1/telemetry', { readings: [reading] })).status).toBe(200);

  await until('it is judged', async () => (await countOf('from events')) > events);
  await until('it is placed', async () => (await placed()) > changes);
  expect(await hanging()).toBeGreaterThanOrEqual(2); // all the while
  await Promise.all(releases.map((release) => release()));
  expect((await worker.terminate()).code).toBe(0);
});

describe('changes', () => {
  it('are neither lost nor out of order, whenever a worker is killed or cut off', async () => {
    const service = await ServiceProcess.start({ DATABASE_URL: postgres.url, WORKER: 'false' });
    const replicas = [fleet.key, bound].map((key) => new Replica(new Client(service.url, key)));
    for (const replica of replicas) await replica.begin();
    const tankIds = [fleet.tankId];
    const senders = new Senders({ serviceUrl: service.url, key: sender, tankIds, senders: 4 });
    for (let round = 0; round < 6; round += 1) {
      const before = await placed();
      const workers = await Promise.all([1, 2].map(() => startWorker({ DATABASE_URL: postgres.url })));
      await until('a worker places', async () => (await placed()) > before);
      await postgres.query(`update tanks set name = 'Round ${round}', owner_id = (
        select id from customers where id <> tanks.owner_id order by random() limit 1)`);
      if (round % 2 === 0) {
        const release = await stopInTheMiddle();
        if (round % 4 === 0) await endSessions(`query like '%place_changes%'`);
        for (const worker of workers) worker.signal('SIGKILL');
        await release();
      } else {
        await sleep(Math.random() * 500); // at a moment of chance
        await endSessions();
        await sleep(Math.random() * 500);
        for (const worker of workers) worker.signal('SIGKILL');
      }
      await Promise.all(workers.map(({ ended }) => ended));
      for (const replica of replicas) await replica.step({ size: '20' });
    }
    await senders.stop();
    expect(senders.acknowledged.size).toBeGreaterThan(20);
    await startWorker({ DATABASE_URL: postgres.url });
    await until('all is placed', async () => (await waiting()) === 0);
    for (const replica of replicas) {
      await replica.catchUp({ size: '1000' });
      expect(replica.contents()).toEqual(await replica.client.contents());
    }
  });

  it('are given out and, after 7 days, forgotten by a service that does the background work', async () => {
    await postgres.query(`update change_feed set placed_at = placed_at - interval '8 days'`);
    const service = await ServiceProcess.start({ DATABASE_URL: postgres.url });
    await until('old ones are gone', async () => (await placed()) <= 1);
    const client = new Client(service.url, fleet.key);
    const { next: after } = await client.changes({ after: 'latest' });
    const answer = client.changes({ after, wait: '25' });
    await postgres.query(`update tanks set name = 'Given out' where id = '${fleet.tankId}'`);
    expect(await answer).toMatchObject({ data: [{ id: fleet.tankId, data: { name: 'Given out' } }] });
    await service.stop();
  });

  it('who waits for one when SIGTERM comes gets an ordinary empty answer at once', async () => {
    const service = await ServiceProcess.start({ DATABASE_URL: postgres.url });
    const client = new Client(service.url, fleet.key);
    await until('nothing is left to place', async () => (await waiting()) === 0);
    const { next: after } = await client.changes({ after: 'latest' });
    const answers = Promise.all(Array.from({ length: 20 }, () => client.changes({ after, wait: '25' })));
    await client.changes({ after, wait: '1' }); // meanwhile they wait
    service.child.signal('SIGTERM');
    const late = client.changes({ after, wait: '25' });
    for (const answer of [...(await answers), await late]) {
      expect(answer).toEqual({ object: 'changes', data: [], next: expect.any(String), has_more: false });
    }
    // Whoever waited for all of the 25 seconds would be cut off after 15.
    expect(await service.child.ended).toEqual({ code: 0, signal: null });
  });
});
