// Recounts all counted lists and computes the tanks' states anew. Triggers keep both exact; this is for writes that fired none (a load
// with triggers off, a dropped partition), and to be sure.
import type { ClientBase } from 'pg';
import type { DataSource } from 'typeorm';
import { inTransaction } from '../../platform/database/pool.js';
import { takeLock } from '../../platform/schema/locks.js';
import { time } from '../export/export-lines.js';

interface CountDifference {
  /** `customers`, `tanks`, the telemetry or the state of a tank, a group of the fleet, a type of events, or a list of activity. */
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
            beside_differences as (${BESIDE_DIFFERENCES}) ${READ_DIFFERENCES}`,
    ),
  );
}

/** Corrects the counts that are wrong and leaves the others alone. Writers wait, readers go on. */
export async function rebuildCounts(dataSource: DataSource): Promise<CountDifferences> {
  // Each statement sees what was committed before it, so also what the lock waited for.
  const mode = 'isolation level read committed, read write';
  return inTransaction(dataSource, { mode }, async (client) => {
    // Before the table: whoever folds the counts of activity has it, and then waits for the table.
    await client.query(takeLock('ACTIVITY_COUNTS'));
    await client.query(
      'lock table customers, tanks, telemetry, tank_states, events, activity in share row exclusive mode',
    );
    for (const statement of [
      `create temp table count_differences on commit drop as ${DIFFERENCES}`,
      correctCounts('list_counts', 'list', 'tank_key is null'),
      correctCounts('telemetry_counts', 'tank_key', 'tank_key is not null'),
      REMOVE_EMPTY,
      // After the counts are right: of partitioned readings, they say where a tank's newest ones are.
      `create temp table state_differences on commit drop as ${STATE_DIFFERENCES}`,
      `create temp table beside_differences on commit drop as ${BESIDE_DIFFERENCES}`,
      CORRECT_STATES,
      ...BESIDE.map(correctAll),
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

/** Those without a tank, or those with one. */
const correctCounts = (table: 'list_counts' | 'telemetry_counts', key: string, isTheirs: string): string => `
  insert into ${table} (${key}, level, start, n)
  select ${key}, level, start, actual from count_differences where ${isTheirs}
  order by ${key}, level, start
  on conflict (${key}, level, start) do update set n = excluded.n`;

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
    select list, case when day is not null then 'day' end, to_char(day, 'YYYY-MM-DD'), counted, actual, kind, 0 from beside_differences
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

// The tanks' states against their readings.

const READINGS_STATE = ['reported_at', 'fill_percentage', 'low', 'silent_after_seconds', 'silent_at'];
const TANKS_STATE = ['tank_id', 'owner_id', 'use_case', 'created_at', 'deleted', 'min_fill_alert_percentage'];

const columns = (table: string, names: readonly string[]): string =>
  names.map((name) => `${table}.${name}`).join(', ');

const described = (row: string, isThere: string): string => `
  case when ${isThere} then concat_ws(', ',
    coalesce(${row}.fill_percentage || ' % at ' || ${time(`${row}.reported_at`)}, 'no reading'),
    case when ${row}.low then 'low' end, 'silent after ' || ${row}.silent_after_seconds || ' s')
  else 'none' end`;

const TANK_IS_OUTDATED = `
  (${columns('state', TANKS_STATE)}) is distinct from (${columns('known', TANKS_STATE)})`;

/** "silent" is set some time after it has become true, so a tank where it is not set yet is no difference. */
const STATE_DIFFERENCES = `
  select coalesce(known.tank_key, state.tank_key) as tank_key, 'state of ' || coalesce(known.tank_id, state.tank_id) as list,
         ${described('state', 'state.tank_key is not null')}
         || case when state.tank_key is not null and ${TANK_IS_OUTDATED} then ', of an outdated tank' else '' end
         || case when state.silent then ', silent' else '' end as counted,
         ${described('known', 'known.tank_key is not null')} as actual
  from states_of_tanks(array(select key from tanks order by key)) known
  full join tank_states state on state.tank_key = known.tank_key
  where known.tank_key is null or state.tank_key is null or ${TANK_IS_OUTDATED}
     or (${columns('state', READINGS_STATE)}) is distinct from (${columns('known', READINGS_STATE)})
     or (state.silent and (state.silent_at < now()) is not true)`;

/** Of the tanks in "state_differences". What was written past the triggers is judged as if it came now. */
const CORRECT_STATES = `
  delete from tank_states where tank_key in (select tank_key from state_differences)
    and not exists (select from tanks where tanks.key = tank_states.tank_key);
  insert into tank_states (tank_key, tank_id, owner_id, use_case, created_at, deleted, min_fill_alert_percentage)
  select key, id, owner_id, use_case, created_at, deleted, min_fill_alert_percentage from tanks
  where key in (select tank_key from state_differences)
  order by key on conflict (tank_key) do nothing;
  select keep_tank_states(array(select tank_key from state_differences))`;

// The counts that are kept beside their rows without the tanks' keys: of the fleet's states, of events and of activity.

interface CountsBeside {
  readonly table: string;
  /** What has changed since it was added to the table. */
  readonly changes?: string;
  readonly keys: string;
  /** A recount. */
  readonly actual: string;
  readonly kind: string;
  /** What a difference is called, of the keys. */
  readonly list: string;
}

const BESIDE: readonly CountsBeside[] = [
  {
    table: 'fleet_counts',
    changes: 'fleet_count_changes',
    keys: 'fleet_group',
    actual:
      'select fleet_group, count(*) as n from tank_states where fleet_group is not null group by fleet_group',
    kind: 'fleet',
    list: `'fleet group ' || fleet_group`,
  },
  {
    table: 'alert_counts',
    changes: 'alert_count_changes',
    keys: 'use_case, hour',
    actual: `
      select (fleet_group / 5)::smallint as use_case, alert_hours[1] as hour, count(*) as n
      from tank_states where alert_hours[1] is not null group by 1, 2`,
    kind: 'fleet',
    list: `'alerts of use case ' || use_case || ' in hour ' || hour`,
  },
  {
    table: 'event_counts',
    keys: 'type, day',
    actual: `select type, ${day('created_at')} as day, count(*) as n from events group by 1, 2`,
    kind: 'events',
    list: `'events of type ' || type`,
  },
  {
    table: 'activity_counts',
    changes: 'activity_count_changes',
    keys: 'list, day',
    // Every entry is in four lists: of all, of its type, of its actor, and of both.
    actual: `
      select list, day, sum(n)::bigint as n
      from (select type, actor, ${day('created_at')} as day, count(*) as n from activity group by 1, 2, 3) counted
      cross join lateral (values (' '), (type || ' '), (' ' || actor), (type || ' ' || actor)) lists (list)
      group by list, day`,
    kind: 'activity',
    list: `concat_ws(' ', 'activity', 'of type ' || nullif(split_part(list, ' ', 1), ''),
                     'by ' || nullif(substr(list, strpos(list, ' ') + 1), ''))`,
  },
];

const BESIDE_DIFFERENCES = BESIDE.map(({ table, changes, keys, actual, kind, list }) => {
  const both = changes === undefined ? '' : `union all select ${keys}, n from ${changes}`;
  return `
    select '${kind}' as kind, ${list} as list, ${keys.endsWith('day') ? 'day' : 'null::date'} as day,
           coalesce(counted.n, 0)::text as counted, coalesce(actual.n, 0)::text as actual
    from (select ${keys}, sum(n) as n from (select ${keys}, n from ${table} ${both}) counted group by ${keys}) counted
    full join (${actual}) actual using (${keys})
    where coalesce(counted.n, 0) <> coalesce(actual.n, 0)`;
}).join(' union all ');

const correctAll = ({ table, changes, actual }: CountsBeside): string => `
  ${changes === undefined ? '' : `delete from ${changes};`}
  delete from ${table};
  insert into ${table} ${actual}`;
