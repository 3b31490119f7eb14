// Copies that follow the changes, beside standbys, through a failover that loses some, and after a restore.
import { describe, expect, it } from '@jest/globals';
import { hasDebianPostgres, type DebianPostgres } from '../faults/support/debian-postgres.js';
import { createKey } from '../faults/support/fleet.js';
import { Senders, sendReading } from '../faults/support/senders.js';
import { ServiceProcess } from '../faults/support/service-process.js';
import { StrangeProxy } from '../faults/support/strange-proxy.js';
import { until } from '../faults/support/until.js';
import { execute, query } from '../support/database.js';
import { Client, Refused, Replica } from '../support/replica.js';
import { DATABASE, startPrimary, startStandbys } from './support/replication.js';

const rename = (server: DebianPostgres, name: string) =>
  execute(server.url(DATABASE), `update tanks set name = '${name}'`);

/** All that was written has its place in the feed. */
const placed = (server: DebianPostgres) =>
  until('all is placed', async () => {
    const left = await query(server.url(DATABASE), 'select from change_notes');
    return left.length === 0;
  });

/** Nobody writes any more: waits until all is in the feed, follows it to its end, and compares. */
async function expectEqual(replica: Replica): Promise<void> {
  const isEqual = async (): Promise<boolean> => {
    await replica.catchUp({ size: '1000' });
    return JSON.stringify(replica.contents()) === JSON.stringify(await replica.client.contents());
  };
  await until('the copy is what the lists show', isEqual).catch(() => undefined);
  expect(replica.contents()).toEqual(await replica.client.contents());
}

const described = hasDebianPostgres ? describe : describe.skip;
described("who follows the changes (skipped without Debian's postgresql-15)", () => {
  it('beside standbys gets none before every one of them has it, and loses none', async () => {
    const { primary, fleet } = await startPrimary();
    const standbys = await startStandbys(primary.port);
    const environment = {
      DATABASE_URL: primary.url(DATABASE),
      DATABASE_READ_URLS: standbys.map((standby) => standby.url(DATABASE)).join(','),
    };
    const service = await ServiceProcess.start(environment);
    const bound = await createKey(primary.url(DATABASE), { customerId: fleet.customerId });
    const sender = await createKey(primary.url(DATABASE), { scopes: ['telemetry:write'] });
    const client = new Client(service.url, fleet.key);
    const replicas = [new Replica(client), new Replica(new Client(service.url, bound))];
    for (const replica of replicas) await replica.begin();

    const [, behind] = standbys;
    await behind.pauseReplay();
    const { next: after } = await client.changes({ after: 'latest' });
    const instant = '2026-06-01T00:00:00.000Z';
    expect(await sendReading(service.url, sender, fleet.tankId, instant)).toMatchObject({ status: 200 });
    await placed(primary);
    expect(await client.changes({ after, wait: '2' })).toMatchObject({ data: [], has_more: false });
    // An instance that is started now leaves this standby out, and so gives out more. Its cursors are good here, too.
    const another = new Client((await ServiceProcess.start(environment)).url, fleet.key);
    const { next: ahead } = await another.changes({ after: 'latest' });
    expect(await client.changes({ after: ahead })).toMatchObject({ data: [], next: ahead, has_more: false });
    for (let turn = 0; turn < 6; turn += 1) {
      expect(await another.readings(fleet.tankId, `created_at_gte=${instant}`)).toEqual({ [instant]: 50 });
    }

    await behind.resumeReplay();
    expect(await client.changes({ after, wait: '20' })).toMatchObject({ data: [{ id: fleet.tankId }] });
    for (let turn = 0; turn < 6; turn += 1) {
      expect(await client.readings(fleet.tankId, `created_at_gte=${instant}`)).toEqual({ [instant]: 50 });
    }

    const tankIds = [fleet.tankId];
    const senders = new Senders({ serviceUrl: service.url, key: sender, tankIds, senders: 3 });
    for (let turn = 0; turn < 10; turn += 1) {
      const standby = standbys[turn % 2] ?? behind;
      await standby.pauseReplay();
      await rename(primary, `Turn ${turn}`);
      for (const replica of replicas) await replica.step({ wait: '1', size: '7' });
      await standby.resumeReplay();
    }
    await senders.stop();
    for (const replica of replicas) await expectEqual(replica);
  });

  it('through a failover that lost changes is told to begin again, and ends with what the lists show', async () => {
    const { primary, fleet } = await startPrimary();
    const address = await StrangeProxy.start(primary.url(DATABASE));
    const [standby] = await startStandbys(primary.port);
    const service = await ServiceProcess.start({ DATABASE_URL: address.url });
    const replica = await new Replica(new Client(service.url, fleet.key)).begin();
    await rename(primary, 'Before');
    await expectEqual(replica);
    await until('the standby has it', async () => {
      const [row] = await query<{ name: string }>(standby.url(DATABASE), 'select name from tanks limit 1');
      return row?.name === 'Before';
    });

    await standby.set('primary_conninfo', '');
    const receives = "select from pg_stat_replication where application_name = 'standby_1'";
    await until('the standby receives no more', async () => {
      const sent = await query(primary.url('postgres'), receives);
      const received = await query(standby.url('postgres'), 'select from pg_stat_wal_receiver');
      return sent.length + received.length === 0;
    });
    await rename(primary, 'Lost');
    // A page of an earlier change shows the name, too: this one is to be in the cursor.
    await placed(primary);
    await expectEqual(replica);
    await primary.crash();
    expect(await query(standby.url(DATABASE), 'select name from tanks limit 1')).toEqual([
      { name: 'Before' },
    ]);
    await execute(standby.url('postgres'), 'select pg_promote()');
    address.moveTo(standby.url(DATABASE));
    await rename(standby, 'Instead');

    // 503 while the service looks for the new primary, then at once 410: no page of the other history is ever given out.
    let refusal = 503;
    await until('the service has found the new primary', async () => {
      refusal = await replica.step().then(
        () => 200,
        (error: unknown) => (error instanceof Refused ? error.status : 503),
      );
      return refusal !== 503;
    });
    expect(refusal).toBe(410);
    await replica.begin();
    await rename(standby, 'Afterwards');
    await expectEqual(replica);
  });
});
