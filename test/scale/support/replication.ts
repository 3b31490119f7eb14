// A primary with two streaming standbys, migrated, with a small fleet in it.
import { execute, query } from '../../support/database.js';
import { DebianPostgres } from '../../faults/support/debian-postgres.js';
import { createFleet, type Fleet } from '../../faults/support/fleet.js';
import { migrateAt } from '../../faults/support/own-postgres.js';
import { until } from '../../faults/support/until.js';

export const DATABASE = 'tanks';

export async function startPrimary(): Promise<{ primary: DebianPostgres; fleet: Fleet }> {
  const primary = await DebianPostgres.start();
  await execute(primary.url('postgres'), `create database ${DATABASE}`);
  await migrateAt(primary.url(DATABASE));
  return { primary, fleet: await createFleet(primary.url(DATABASE)) };
}

/** Copies of what listens on that port, which go on following it. */
export async function startStandbys(port: number): Promise<readonly [DebianPostgres, DebianPostgres]> {
  const first = await DebianPostgres.startStandby(port, 'standby_1');
  const second = await DebianPostgres.startStandby(port, 'standby_2');
  return [first, second];
}

/** All that was committed before this was asked for can be read on the standby. */
export async function caughtUp(primary: DebianPostgres, standby: DebianPostgres): Promise<void> {
  const [now] = await query<{ lsn: string }>(primary.url(DATABASE), 'select pg_current_wal_lsn() as lsn');
  await until('the standby has caught up', async () => {
    const [row] = await query<{ done: boolean }>(
      standby.url(DATABASE),
      'select pg_last_wal_replay_lsn() >= $1::pg_lsn as done',
      [now?.lsn],
    );
    return row?.done === true;
  });
}
