// Monthly partitions of the readings, for fleets whose old readings should go at once: made, kept ahead of time, and undone.
// Readings of a month without a partition (the far past, the future) are in the default partition, telemetry_other.
import type { ClientBase } from 'pg';
import type { DataSource } from 'typeorm';
import { waitedTooLong } from '../../platform/database/failures.js';
import { inSeveralTries, type Database } from './old-readings.js';
import { inTransaction, findPool, withClient } from '../../platform/database/pool.js';
import { takeLock } from '../../platform/schema/locks.js';

type Report = (step: string) => void;

export interface PartitionStatus {
  /** As in 2025-01, each with the bytes it takes. Undefined: the table is not partitioned. */
  readonly months: { readonly month: string; readonly bytes: number }[] | undefined;
  readonly bytes: number;
  readonly readingsInDefault: number;
}

const MONTHS_AHEAD = 3;
const TRIES = 30;

/** A month outside of these is somebody's wrong clock. */
const MONTHS_WITH_PARTITION = `between '2000-01-01' and now() + interval '1 year'`;

const COMING_MONTHS = `
  select month::date as start from generate_series(
    date_trunc('month', now() at time zone 'UTC'),
    now() at time zone 'UTC' + interval '${MONTHS_AHEAD} months', interval '1 month') month`;

const IS_PARTITIONED = `
  coalesce((select relkind = 'p' from pg_class where oid = to_regclass('telemetry')), false)`;

/** Where there are partitions already, adds the months of readings in the default partition. */
export async function partitionOn(dataSource: DataSource, report: Report): Promise<void> {
  const [answer]: { is_cluster: boolean }[] = await dataSource.query(
    `select to_regclass('pg_dist_partition') is not null as is_cluster`,
  );
  if (answer?.is_cluster === true) {
    throw new Error(
      'This database is on Citus, which spreads the readings by tank: partitions are for one machine.',
    );
  }
  if (await changeTable(dataSource, report, true)) return;
  await withClient(findPool(dataSource), async (client) => {
    const added = [
      ...(await addMonthsAhead(client, TRIES)),
      ...(await addMonths(
        client,
        `select distinct date_trunc('month', created_at at time zone 'UTC')::date from telemetry_other
         where created_at ${MONTHS_WITH_PARTITION}`,
        TRIES,
      )),
    ];
    for (const month of added) report(`Added ${month}.`);
    if (added.length > 0) report('The partitions are complete.');
    else report('The readings are partitioned already: nothing to do.');
  });
}

export async function partitionOff(dataSource: DataSource, report: Report): Promise<void> {
  if (await changeTable(dataSource, report, false)) return;
  report('The readings are one table already: nothing to do.');
}

export async function partitionStatus(dataSource: DataSource): Promise<PartitionStatus> {
  const [table]: { is_partitioned: boolean; bytes: number }[] = await dataSource.query(`
    select ${IS_PARTITIONED} as is_partitioned,
           coalesce((select sum(pg_total_relation_size(relid)) from pg_partition_tree('telemetry')),
                    pg_total_relation_size('telemetry'))::float8 as bytes`);
  const { is_partitioned: hasPartitions, bytes } = table ?? { is_partitioned: false, bytes: 0 };
  if (!hasPartitions) return { months: undefined, bytes, readingsInDefault: 0 };
  const months: { month: string; bytes: number }[] = await dataSource.query(`
    select to_char(month, 'YYYY-MM') as month,
           pg_total_relation_size(to_regclass('telemetry_' || to_char(month, 'YYYY_MM')))::float8 as bytes
    from telemetry_months() month`);
  const [other]: { n: number }[] = await dataSource.query(
    'select count(*)::float8 as n from telemetry_other',
  );
  return { months, bytes, readingsInDefault: other?.n ?? 0 };
}

/** This month's partition and the next ones'. Does nothing where they are there, or where there are no partitions. */
export async function addMonthsAhead(database: Database, tries = 1): Promise<string[]> {
  return addMonths(database, COMING_MONTHS, tries);
}

/** `months` is a select of their first days. Each is a transaction of its own. */
async function addMonths(database: Database, months: string, tries: number): Promise<string[]> {
  const { rows } = await database.query<{ month: string }>(`
    select month::text from (${months}) wanted (month)
    where telemetry_is_partitioned() and month not in (select telemetry_months()) order by month`);
  for (const { month } of rows) {
    await inSeveralTries(tries, () => database.query('select add_telemetry_month($1)', [month]));
  }
  return rows.map(({ month }) => month.slice(0, 7));
}

/** Returns false where the table is already as wanted. Others wait while this waits for the table, so not for long. */
async function changeTable(dataSource: DataSource, report: Report, toPartitions: boolean): Promise<boolean> {
  const options = {
    mode: 'isolation level read committed, read write',
    settings: [`lock_timeout = '10s'`, `maintenance_work_mem = '256MB'`],
  };
  const isChanged = await inTransaction(dataSource, options, async (client) => {
    // As add_telemetry_month() does: one at a time.
    await client.query(takeLock('OLD_READINGS'));
    const { rows } = await client.query<{ answer: boolean }>(`select ${IS_PARTITIONED} as answer`);
    if (rows[0]?.answer === toPartitions) return false;
    await copyReadings(client, report, toPartitions);
    return true;
  });
  if (isChanged) await dataSource.query('analyze telemetry');
  return isChanged;
}

/** Triggers and grants are read from the table, so that what later versions add is not lost here. */
async function copyReadings(client: ClientBase, report: Report, toPartitions: boolean): Promise<void> {
  report('Waiting for those who read and write readings; from now on they wait for this.');
  await client.query('lock table telemetry in access exclusive mode').catch((error: unknown) => {
    if (!waitedTooLong(error)) throw error;
    throw new Error(
      'Somebody has been using the readings for 10 seconds: nothing was changed. Try again later.',
    );
  });
  await client.query(AS_ITS_OWNER);
  const { rows: dependents } = await client.query<{ statement: string }>(TRIGGERS_AND_GRANTS);
  await client.query('alter table telemetry rename to telemetry_before');
  await client.query(`create table telemetry (like telemetry_before including all excluding indexes)
    ${toPartitions ? 'partition by range (created_at)' : ''}`);
  await client.query(`
    create or replace function telemetry_is_partitioned() returns boolean language sql immutable parallel safe as $$
      select ${toPartitions}
    $$`);
  if (toPartitions) {
    await client.query('create table telemetry_other partition of telemetry default');
    const { rows } = await client.query(ADD_MONTHS);
    report(`Made ${rows.length} monthly partitions, ${MONTHS_AHEAD} of them for months to come.`);
  }
  // Before the triggers are there: what is counted stays counted.
  const { rowCount } = await client.query('insert into telemetry select * from telemetry_before');
  report(`Copied ${(rowCount ?? 0).toLocaleString('en')} readings.`);
  await client.query('drop table telemetry_before');
  await client.query(
    'alter table telemetry add constraint telemetry_pkey primary key (tank_key, created_at)',
  );
  report('Made the index.');
  for (const { statement } of dependents) await client.query(statement);
}

/** Of the readings, and those to come. */
const ADD_MONTHS = `
  select add_telemetry_month(start) from (
    select start from telemetry_counts where level = 1 and start ${MONTHS_WITH_PARTITION} union ${COMING_MONTHS}) months`;

/** Also when a superuser does it. */
const AS_ITS_OWNER = `
  select set_config('role', pg_get_userbyid(relowner), true) from pg_class
  where oid = 'telemetry'::regclass and pg_get_userbyid(relowner) <> current_user`;

const TRIGGERS_AND_GRANTS = `
  select pg_get_triggerdef(oid) as statement from pg_trigger where tgrelid = 'telemetry'::regclass and not tgisinternal
  union all
  select format('grant %s on telemetry to %s', acl.privilege_type,
                case acl.grantee when 0 then 'public' else acl.grantee::regrole::text end)
  from pg_class cross join lateral aclexplode(relacl) acl
  where pg_class.oid = 'telemetry'::regclass and acl.grantee <> relowner`;
