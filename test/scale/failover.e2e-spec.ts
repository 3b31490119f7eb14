// The primary dies and a standby takes its place behind the same address, under load: reads go on, readings come in again, and
// nothing that was acknowledged is lost.
import { describe, expect, it } from '@jest/globals';
import { execute, query } from '../support/database.js';
import { hasDebianPostgres } from '../faults/support/debian-postgres.js';
import { createKey } from '../faults/support/fleet.js';
import { expectOnly, expectSound } from '../faults/support/judgement.js';
import { Load } from '../faults/support/load.js';
import { lostReadings, Senders } from '../faults/support/senders.js';
import { ServiceProcess } from '../faults/support/service-process.js';
import { StrangeProxy } from '../faults/support/strange-proxy.js';
import { until } from '../faults/support/until.js';
import { DATABASE, startPrimary, startStandbys } from './support/replication.js';

const described = hasDebianPostgres ? describe : describe.skip;
described("a failover (skipped without Debian's postgresql-15)", () => {
  it('lets reads go on, readings come in again, and loses nothing', async () => {
    const { primary, fleet } = await startPrimary();
    const address = await StrangeProxy.start(primary.url(DATABASE));
    // They follow the address too, so the second goes on behind the first.
    const [first, second] = await startStandbys(Number(new URL(address.url).port));
    await primary.set('synchronous_standby_names', 'standby_1');
    const key = await createKey(primary.url(DATABASE), { scopes: ['read', 'telemetry:write'] });
    const service = await ServiceProcess.start({
      DATABASE_URL: address.url,
      DATABASE_READ_URLS: `${first.url(DATABASE)},${second.url(DATABASE)}`,
    });
    const readers = new Load(service, fleet, 5);
    const senders = new Senders({ serviceUrl: service.url, key, tankIds: [fleet.tankId], senders: 4 });
    const acknowledged = (count: number) =>
      until(`${count} readings are acknowledged`, () => senders.acknowledged.size >= count);
    await readers.seen(200, 50);
    await acknowledged(50);

    await primary.crash();
    const crashedAt = performance.now();
    await readers.seen(200, 50, crashedAt);
    await until('senders are told to come again', () =>
      senders.outcomes.some(({ status }) => status === 503),
    );
    await execute(first.url('postgres'), 'select pg_promote()');
    address.moveTo(first.url(DATABASE));
    const movedAt = performance.now();
    await acknowledged(senders.acknowledged.size + 50);
    await readers.seen(200, 50, movedAt);
    await until('the other standby follows the new primary', async () => {
      const followers = await query(
        first.url('postgres'),
        "select from pg_stat_replication where state = 'streaming'",
      );
      return followers.length === 1;
    });
    await Promise.all([readers.stop(), senders.stop()]);

    expectOnly([200], readers.outcomes);
    expectOnly([200, 503], senders.outcomes);
    expect(await lostReadings(first.url(DATABASE), senders.acknowledged)).toEqual([]);
    await expectSound(service);
  });
});
