// What is known of each tank now: one row a tank with its newest reading, whether that is low and when it will count as
// silent. Triggers keep it in the transaction of whatever writes readings or tanks, once a tank and statement.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TRIGGERS_OF_READINGS, TRIGGERS_OF_TANKS, UPSERTS } from './1767225600004-state-triggers.js';

export class TankStates1767225600004 implements MigrationInterface {
  readonly name = 'TankStates1767225600004';

  async up(runner: QueryRunner): Promise<void> {
    // Nobody writes between the filling of the states and the triggers that keep them.
    await runner.query('lock table tanks, telemetry in share row exclusive mode');
    await runner.query(TABLES);
    await runner.query(CASELESS);
    await runner.query(stateOfReadings());
    await runner.query(FILL);
    await runner.query(INDEXES);
    for (const statement of [
      CHANGE_COUNTS,
      keepTankStates(FROM_THE_INDEX),
      MARK_SILENT,
      UPSERTS,
      TRIGGERS_OF_TANKS,
      TRIGGERS_OF_READINGS,
    ])
      await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function keep_states_of_readings, keep_states_of_tanks, expect_insert cascade;
      drop function take_upserted;
      drop function mark_silent_tanks, keep_tank_states, fold_fleet_counts, change_fleet_counts, state_of_readings,
        caseless;
      drop table fleet_count_changes, fleet_counts, tank_states`);
  }
}

// Of the tank, what the fleet is sorted and filtered by; of its readings, the rest. Deleted tanks have a row too.
// "silent" is noted by a sweep, some time after "silent_at" has passed: what has to be exact asks "silent_at".
// "fleet_group" names everything a tank is counted and filtered by in one number from 0 to 19, null for a deleted one:
// five times the use case (none, residential, commercial, industrial) plus 0 never reported, 1 well, 2 low, 3 silent,
// 4 low and silent.
// fleet_counts: how many tanks a group has. Writers of different tanks would queue for its rows, so they only append what
// they changed; it is added now and then. The count of a group is the sum of both.
const TABLES = `
  create table tank_states (
    tank_key              bigint primary key,
    tank_id               text collate "C" not null,
    owner_id              text collate "C" not null,
    use_case              text,
    created_at            timestamptz(3) not null,
    deleted               boolean not null,
    min_fill_alert_percentage  integer not null,
    reported_at           timestamptz(3),
    fill_percentage       double precision,
    low                   boolean not null default false,
    silent_after_seconds  integer not null default 86400,
    silent_at             timestamptz(3),
    silent                boolean not null default false,
    fleet_group           smallint generated always as (
      case when deleted then null else
        case use_case when 'residential' then 5 when 'commercial' then 10 when 'industrial' then 15 else 0 end
        + case when reported_at is null then 0 else 1 + low::integer + 2 * silent::integer end
      end) stored
  );
  create table fleet_counts (
    fleet_group smallint primary key,
    n bigint not null
  );
  create table fleet_count_changes (
    id bigint generated always as identity primary key,
    fleet_group smallint not null,
    n bigint not null
  )`;

// Texts that differ in case only become the same, in any script: "ß" and "SS", "ς" and "Σ". The server's own rules for case may
// know ASCII only, so Unicode's are named: by ICU where the server has it, or the server's copy of them (from 17 on). ASCII needs neither.
const CASELESS = `
  do $do$
  declare
    rules text;
  begin
    select collname into rules from pg_collation
    where collname in ('und-x-icu', 'pg_unicode_fast', 'pg_c_utf8')
      and collencoding in (-1, (select encoding from pg_database where datname = current_database()))
    order by array_position(array['und-x-icu', 'pg_unicode_fast', 'pg_c_utf8']::name[], collname) limit 1;
    execute format($create$
      create function caseless(original text) returns text language sql immutable parallel safe as $$
        select case when octet_length(original) = length(original) then upper(original collate "C")
                    else upper(lower(original collate %1$I) collate %1$I) collate "C" end
      $$ $create$, coalesce(rules, 'default'));
  end $do$`;

// What a tank's newest ten readings tell. It counts as silent three times the median of their gaps after the newest, but not
// before an hour and not after seven days. Of an even number of gaps the median is the mean of the two in the middle; gaps
// are whole milliseconds and their mean is a decimal, so nothing is lost before the seconds are rounded.
// The function is inlined where it is called; sub-selects in FROM are worked out once, those in SELECT once per mention.
// "oldest" may say since when the newest ten are.
export const stateOfReadings = (oldest = `'-infinity'`): string => `
  create or replace function state_of_readings(tank bigint, min_fill_alert_percentage integer)
  returns table (reported_at timestamptz, fill_percentage double precision, low boolean, silent_after_seconds integer,
                 silent_at timestamptz)
  language sql stable rows 1 as $$
    select newest.moments[1], newest.fills[1], coalesce(newest.fills[1] <= min_fill_alert_percentage, false),
           pause.seconds, newest.moments[1] + pause.seconds * interval '1 second'
    from (
      select count(*)::integer as n, array_agg(reading.created_at order by reading.created_at desc) as moments,
             array_agg(reading.fill_percentage order by reading.created_at desc) as fills
      from (select telemetry.created_at, telemetry.fill_percentage from telemetry
            where telemetry.tank_key = tank and telemetry.created_at >= ${oldest}
            order by telemetry.created_at desc limit 10) reading
    ) newest
    cross join lateral (
      select case when newest.n < 3 then 86400
                  else least(greatest(round(3 * avg(in_the_middle.gap) / 1000), 3600), 604800)::integer end as seconds
      from (select round(date_part('epoch', newest.moments[i] - newest.moments[i + 1]) * 1000)::bigint as gap
            from generate_series(1, newest.n - 1) i
            order by gap offset greatest(newest.n - 2, 0) / 2 limit 1 + newest.n % 2) in_the_middle
    ) pause
  $$`;

const FILL = `
  insert into tank_states (tank_key, tank_id, owner_id, use_case, created_at, deleted, min_fill_alert_percentage,
                           reported_at, fill_percentage, low, silent_after_seconds, silent_at, silent)
  select tank.key, tank.id, tank.owner_id, tank.use_case, tank.created_at, tank.deleted, tank.min_fill_alert_percentage,
         known.reported_at, known.fill_percentage, known.low, known.silent_after_seconds, known.silent_at,
         coalesce(known.silent_at < now(), false)
  from tanks tank cross join lateral state_of_readings(tank.key, tank.min_fill_alert_percentage) known
  order by tank.key;
  insert into fleet_counts
  select fleet_group, count(*) from tank_states where fleet_group is not null group by fleet_group;
  analyze tank_states`;

// One for each order of the fleet, by group: any filter is a few groups, read in order and merged.
// tank_states_by_silence finds the tanks whose silence is not noted yet, and those noted whose time has not come.
const INDEXES = `
  create index tank_states_by_fill on tank_states (fleet_group, fill_percentage, tank_id) where fleet_group is not null;
  create index tank_states_by_report on tank_states (fleet_group, reported_at nulls first, tank_id)
    where fleet_group is not null;
  create index tank_states_by_age on tank_states (fleet_group, created_at desc, tank_id) where fleet_group is not null;
  create index tank_states_by_silence on tank_states (silent, silent_at)
    where fleet_group is not null and silent_at is not null;
  create index tank_states_of_owner on tank_states (owner_id) where fleet_group is not null`;

// Folding deletes and adds what is visible, under a lock that nobody waits for: whoever finds it taken leaves the work to
// another. It needs a snapshot as young as the lock, so not one of a whole transaction.
const CHANGE_COUNTS = `
  create function fold_fleet_counts() returns void language plpgsql as $$
  begin
    if current_setting('transaction_isolation') <> 'read committed'
       or not pg_try_advisory_xact_lock(hashtextextended('tank_monitoring.fleet_counts', 0)) then
      return;
    end if;
    with folded as (delete from fleet_count_changes returning fleet_group, n)
    insert into fleet_counts as counted (fleet_group, n)
    select fleet_group, sum(n) from folded group by fleet_group having sum(n) <> 0
    on conflict (fleet_group) do update set n = counted.n + excluded.n;
  end $$;

  create function change_fleet_counts(groups smallint[], changes bigint[]) returns void language plpgsql as $$
  begin
    insert into fleet_count_changes (fleet_group, n)
    select fleet_group, sum(n) from unnest(groups, changes) change (fleet_group, n)
    where fleet_group is not null group by fleet_group having sum(n) <> 0;
    if random() < 0.02 then perform fold_fleet_counts(); end if;
  end $$`;

// Two statements, each with a snapshot of its own: the rows of the states, locked in the order of their keys, let one writer
// of a tank pass at a time, and what the others committed before is seen when the state is worked out. Rows that stay as
// they are are not written.
// Whoever writes readings or tanks in several statements says tank_monitoring.states = 'by_caller' for its transaction
// and calls this once, last, with every tank it touched: so that states are locked once, in one order.
// What differs on a cluster, where the readings are elsewhere, is handed in: what comes before the locks, and where what the
// newest readings of a tank tell is known from.
const FROM_THE_INDEX = {
  // Before any state: a TRUNCATE of the readings takes their table first, and the states after it.
  first: 'lock table telemetry in access share mode',
  known: 'cross join lateral state_of_readings(tank.key, tank.min_fill_alert_percentage) known',
};
export const keepTankStates = ({ first, known }: typeof FROM_THE_INDEX): string => `
  create or replace function keep_tank_states(tank_keys bigint[]) returns void language plpgsql
  set plan_cache_mode = force_generic_plan as $$
  declare
    clock timestamptz; groups smallint[]; changes bigint[];
  begin
    ${first};
    perform from tank_states where tank_key = any (tank_keys) order by tank_key for no key update;
    clock := clock_timestamp();

    with fresh as (
      select tank.key as tank_key, tank.id as tank_id, tank.owner_id, tank.use_case, tank.created_at, tank.deleted,
             tank.min_fill_alert_percentage, known.reported_at, known.fill_percentage, known.low,
             known.silent_after_seconds, known.silent_at, coalesce(known.silent_at < clock, false) as silent
      from unnest(tank_keys) touched (tank_key)
      join tanks tank on tank.key = touched.tank_key
      ${known}
    ), kept as (
      update tank_states state
      set tank_id = fresh.tank_id, owner_id = fresh.owner_id, use_case = fresh.use_case,
          created_at = fresh.created_at, deleted = fresh.deleted,
          min_fill_alert_percentage = fresh.min_fill_alert_percentage, reported_at = fresh.reported_at,
          fill_percentage = fresh.fill_percentage, low = fresh.low,
          silent_after_seconds = fresh.silent_after_seconds, silent_at = fresh.silent_at, silent = fresh.silent
      from fresh join tank_states before on before.tank_key = fresh.tank_key
      where state.tank_key = fresh.tank_key
        and (before.tank_id, before.owner_id, before.use_case, before.created_at, before.deleted,
             before.min_fill_alert_percentage, before.reported_at, before.fill_percentage, before.low,
             before.silent_after_seconds, before.silent_at, before.silent)
          is distinct from
            (fresh.tank_id, fresh.owner_id, fresh.use_case, fresh.created_at, fresh.deleted,
             fresh.min_fill_alert_percentage, fresh.reported_at, fresh.fill_percentage, fresh.low,
             fresh.silent_after_seconds, fresh.silent_at, fresh.silent)
      returning before.fleet_group as group_before, state.fleet_group as group_now
    )
    select array_agg(moved.fleet_group), array_agg(moved.n) into groups, changes
    from kept cross join lateral (values (group_before, -1), (group_now, 1)) moved (fleet_group, n)
    where group_before is distinct from group_now;

    if groups is not null then perform change_fleet_counts(groups, changes); end if;
  end $$`;

// Any number of services may sweep at once: a tank that another one holds is left to it.
const MARK_SILENT = `
  create function mark_silent_tanks(at_most integer) returns integer language plpgsql as $$
  declare
    late bigint[]; groups smallint[]; changes bigint[];
  begin
    lock table telemetry in access share mode; -- before any state, as in keep_tank_states()
    select array_agg(tank_key) into late from (
      select tank_key from tank_states
      where fleet_group is not null and not silent and silent_at < now()
      order by silent_at limit at_most for no key update skip locked) locked;
    if late is null then return 0; end if;

    with marked as (
      update tank_states state set silent = true
      from tank_states before
      where state.tank_key = any (late) and before.tank_key = state.tank_key
      returning before.fleet_group as group_before, state.fleet_group as group_now
    )
    select array_agg(moved.fleet_group), array_agg(moved.n) into groups, changes
    from marked cross join lateral (values (group_before, -1), (group_now, 1)) moved (fleet_group, n);
    perform change_fleet_counts(groups, changes);
    return cardinality(late);
  end $$`;
