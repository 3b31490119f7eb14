// Recounts all counted lists and computes the tanks' states anew. Triggers keep both exact; this is for writes that fired none (a load
// with triggers off, a dropped partition), and to be sure.
import type { ClientBase } from 'pg';
import type { DataSource } from 'typeorm';
import { inTransaction } from '../database/transaction.js';
import {
  CORRECT_EVENT_COUNTS,
  CORRECT_FLEET_COUNTS,
  CORRECT_STATES,
  EVENT_DIFFERENCES,
  FLEET_DIFFERENCES,
  STATE_DIFFERENCES,
} from './state-and-event-differences.js';

interface CountDifference {
  /** `customers`, `tanks`, the telemetry or the state of a tank, a group of the fleet, or a type of events. */
  readonly list: string;
  readonly level: 'all' | 'month' | 'day' | null;
  /** The first day of the month, or the day. */
  readonly start: string | null;
  readonly counted: string;
  readonly actual: string;
}

export interface CountDifferences {
  readonly first: CountDifference[];
  readonly total: number;
}

/** Compares every count with a recount: one statement, so one snapshot. */
export async function verifyCounts(dataSource: DataSource): Promise<CountDifferences> {
  // On a cluster, from all shards at once; other servers ignore it.
  const settings = ['citus.multi_shard_modify_mode = parallel'];
  return inTransaction(dataSource, { mode: 'read only', settings }, (client) =>
    readDifferences(
      client,
      `with count_differences as (${DIFFERENCES}), state_differences as (${STATE_DIFFERENCES}),
            fleet_differences as (${FLEET_DIFFERENCES}), event_differences as (${EVENT_DIFFERENCES}) ${READ_DIFFERENCES}`,
    ),
  );
}

/** Corrects the counts that are wrong and leaves the others alone. Writers wait, readers go on. */
export async function rebuildCounts(dataSource: DataSource): Promise<CountDifferences> {
  // Each statement sees what was committed before it, so also what the lock waited for.
  const mode = 'isolation level read committed, read write';
  return inTransaction(dataSource, { mode }, async (client) => {
    await client.query(
      'lock table customers, tanks, telemetry, tank_states, events in share row exclusive mode',
    );
    for (const statement of [
      `create temp table count_differences on commit drop as ${DIFFERENCES}`,
      CORRECT_LIST_COUNTS,
      CORRECT_TELEMETRY_COUNTS,
      REMOVE_EMPTY,
      // After the counts are right: of partitioned readings, they say where a tank's newest ones are.
      `create temp table state_differences on commit drop as ${STATE_DIFFERENCES}`,
      `create temp table fleet_differences on commit drop as ${FLEET_DIFFERENCES}`,
      `create temp table event_differences on commit drop as ${EVENT_DIFFERENCES}`,
      CORRECT_STATES,
      CORRECT_FLEET_COUNTS,
      CORRECT_EVENT_COUNTS,
    ]) {
      await client.query(statement);
    }
    const differences = await readDifferences(client, READ_DIFFERENCES);
    // What was written past the triggers is in no change: whoever follows them has to begin again.
    if (differences.total > 0) await client.query('select restart_changes()');
    return differences;
  });
}

const day = (column: string): string => `(${column} at time zone 'UTC')::date`;

/** Days are counted from the rows, months and totals from the days. */
const BUCKETS = `
  cross join lateral (values
    (0, date '-infinity'), (1, date_trunc('month', day::timestamp)::date), (2, day)) bucket (level, start)`;

/** A list without a tank is one of the whole tables. A missing count and a count of 0 say the same. */
const DIFFERENCES = `
  with list_days as (
    select 'customers' as list, ${day('created_at')} as day, count(*) as n
    from customers where not deleted group by 2
    union all
    select 'tanks', ${day('created_at')}, count(*) from tanks where not deleted group by 2
  ), telemetry_days as (
    select tank_key, ${day('created_at')} as day, count(*) as n from telemetry group by 1, 2
  ), actual_lists as (
    select list, level, start, sum(n)::bigint as n from list_days ${BUCKETS} group by 1, 2, 3
  ), actual_telemetry as (
    select tank_key, level, start, sum(n)::bigint as n from telemetry_days ${BUCKETS} group by 1, 2, 3
  )
  select list, null::bigint as tank_key, level, start,
         coalesce(counted.n, 0) as counted, coalesce(actual.n, 0) as actual
  from list_counts counted full join actual_lists actual using (list, level, start)
  where coalesce(counted.n, 0) <> coalesce(actual.n, 0)
  union all
  select 'telemetry', tank_key, level, start, coalesce(counted.n, 0), coalesce(actual.n, 0)
  from telemetry_counts counted full join actual_telemetry actual using (tank_key, level, start)
  where coalesce(counted.n, 0) <> coalesce(actual.n, 0)`;

const CORRECT_LIST_COUNTS = `
  insert into list_counts (list, level, start, n)
  select list, level, start, actual from count_differences where tank_key is null
  order by list, level, start
  on conflict (list, level, start) do update set n = excluded.n`;

const CORRECT_TELEMETRY_COUNTS = `
  insert into telemetry_counts (tank_key, level, start, n)
  select tank_key, level, start, actual from count_differences where tank_key is not null
  order by tank_key, level, start
  on conflict (tank_key, level, start) do update set n = excluded.n`;

/** A count of 0 would still refer to its tank. */
const REMOVE_EMPTY = `
  delete from telemetry_counts using count_differences difference
  where difference.tank_key = telemetry_counts.tank_key and difference.level = telemetry_counts.level
    and difference.start = telemetry_counts.start and telemetry_counts.n = 0`;

const READ_DIFFERENCES = `
  select list, level, start, counted, actual, (count(*) over ())::float8 as total
  from (
    select case when difference.tank_key is null then difference.list
                else 'telemetry of ' || coalesce(tanks.id, 'no tank (key ' || difference.tank_key || ')') end as list,
           (array['all', 'month', 'day'])[difference.level + 1] as level,
           case when difference.level > 0 then to_char(difference.start, 'YYYY-MM-DD') end as start,
           difference.counted::text, difference.actual::text, difference.list as kind, difference.level as depth
    from count_differences difference left join tanks on tanks.key = difference.tank_key
    union all
    select list, null, null, counted, actual, 'telemetry states', 0 from state_differences
    union all
    select list, null, null, counted, actual, 'fleet', 0 from fleet_differences
    union all
    select list, 'day', to_char(day, 'YYYY-MM-DD'), counted, actual, 'events', 2 from event_differences
  ) difference
  order by kind, list collate "C", depth, start
  limit 20`;

async function readDifferences(client: ClientBase, statement: string): Promise<CountDifferences> {
  const { rows } = await client.query<CountDifference & { total: number }>(statement);
  return {
    total: rows[0]?.total ?? 0,
    first: rows.map(({ list, level, start, counted, actual }) => ({ list, level, start, counted, actual })),
  };
}
