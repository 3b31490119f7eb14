// Old readings go: row by row from a plain table, a whole month at once from one that is partitioned by month. Counts and states
// stay exact, and nothing rings for it.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TELEMETRY_PAGE_FROM_NEARER_END } from './1767225600002-nearer-end-of-the-day.js';
import { stateOfReadings } from './1767225600004-tank-states.js';
import { telemetrySeries } from './1767225600006-series.js';
import { BOUNDED_READS } from './1767225600009-bounded-reads.js';

export class OldReadings1767225600009 implements MigrationInterface {
  readonly name = 'OldReadings1767225600009';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      ...BOUNDED_READS,
      judgeStates(`when (current_setting('tank_monitoring.events', true) is distinct from 'off')`),
      FORGET_READINGS,
      TELEMETRY_MONTHS,
      ADD_MONTH,
      DROP_MONTH,
    ]) {
      await runner.query(statement);
    }
    // They run with their owner's rights, so that the role of the background work needs nothing but them.
    for (const name of ['forget_readings', 'add_telemetry_month', 'drop_telemetry_month']) {
      await runner.query(`
        alter function ${name} security definer set search_path = public, pg_temp;
        revoke execute on function ${name} from public`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      ONLY_WITHOUT_PARTITIONS,
      'drop function drop_telemetry_month, add_telemetry_month, telemetry_months, forget_readings',
      judgeStates(''),
      stateOfReadings(),
      telemetrySeries(),
      TELEMETRY_PAGE_FROM_NEARER_END,
      'drop function telemetry_is_partitioned',
    ]) {
      await runner.query(statement);
    }
  }
}

const ONLY_WITHOUT_PARTITIONS = `
  do $$
  begin
    if telemetry_is_partitioned() then
      raise 'The readings are partitioned, which an earlier version does not know: run "partition off" first.';
    end if;
  end $$`;

// Readings that go for their age change a tank's state (fewer gaps, or no reading left), but nothing has happened to the tank.
const judgeStates = (condition: string): string => `
  drop trigger judge_states on tank_states;
  create trigger judge_states after update on tank_states referencing old table as old_states new table as new_states
    for each statement ${condition} execute function judge_states()`;

// Within a transaction. Not as a setting of the functions: only a superuser may give them one that PostgreSQL does not know.
export const EVENTS_OFF = `set_config('tank_monitoring.events', 'off', true)`;
export const EVENTS_ON = `set_config('tank_monitoring.events', '', true)`;

// One at a time, whoever is at it: each call is a short transaction, and others take their turn after it.
export const TAKE_TURNS = `pg_advisory_xact_lock(hashtext('tank-monitoring old readings'))`;

// No setting can ask for these: whoever may call the functions still cannot erase everything.
export const refuseCurrentMonth = (keepFrom: string): string => `
    if ${keepFrom} > date_trunc('month', now() at time zone 'UTC') then
      raise 'Readings of the current month are not removed.' using errcode = 'invalid_parameter_value';
    end if;`;

// Looks at the next 10,000 tanks after "after_tank" and removes at most "most" readings of the months before "keep_from", the
// first day of a month. "reached" is where to go on, null after the last tank. The counts tell which tanks have such readings.
// A tank's count is locked before its readings, as those do who write new readings and change old ones.
const FORGET_READINGS = `
  create function forget_readings(
    keep_from date, after_tank bigint, most integer, out forgotten integer, out reached bigint
  ) language plpgsql set plan_cache_mode = force_generic_plan as $$
  declare
    tank_keys bigint[]; old_keys bigint[]; old_instants timestamptz[];
  begin${refuseCurrentMonth('keep_from')}
    perform ${TAKE_TURNS};
    forgotten := 0;
    select array_agg(key order by key), max(key) into tank_keys, reached
    from (select key from tanks where key > after_tank order by key limit 10000) next_tanks;

    select array_agg(tank_key), array_agg(created_at) into old_keys, old_instants
    from (
      select tank.key as tank_key, reading.created_at
      from unnest(tank_keys) tank (key)
      cross join lateral (
        select from telemetry_counts counted
        where counted.tank_key = tank.key and counted.level = 1 and counted.start < keep_from limit 1
      ) has_old
      cross join lateral (
        select created_at from telemetry
        where telemetry.tank_key = tank.key and telemetry.created_at < keep_from::timestamp at time zone 'UTC'
        order by created_at limit most
      ) reading
      limit most
    ) old;
    if old_keys is null then return; end if;

    perform from telemetry_counts
    where tank_key = any (array(select distinct unnest(old_keys))) and level = 0 order by tank_key for no key update;
    perform from unnest(old_keys, old_instants) old (tank_key, instant)
    join telemetry on telemetry.tank_key = old.tank_key and telemetry.created_at = old.instant
    order by telemetry.tank_key, telemetry.created_at for update of telemetry;
    perform ${EVENTS_OFF};
    delete from telemetry using unnest(old_keys, old_instants) old (tank_key, instant)
    where telemetry.tank_key = old.tank_key and telemetry.created_at = old.instant;
    get diagnostics forgotten = row_count;
    perform ${EVENTS_ON};
    -- The last tank may have more of them.
    if cardinality(old_keys) = most then reached := old_keys[most] - 1; end if;
  end $$`;

// The months that have a partition of their own, each named after it. None: the table is not partitioned.
const TELEMETRY_MONTHS = `
  create function telemetry_months() returns setof date language sql stable as $$
    select to_date(right(relname, 7), 'YYYY_MM') from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = to_regclass('telemetry') and relname ~ '^telemetry_[0-9]{4}_[0-9]{2}$'
    order by 1
  $$`;

// Returns how many readings of the month were in the net (telemetry_other, which takes what has no month) and have moved; null
// when there was nothing to do. They move past the triggers, and stay counted. A table is attached under a lock that readers and
// writers do not notice, except those who need the net.
const ADD_MONTH = `
  create function add_telemetry_month(month date) returns bigint language plpgsql set lock_timeout = '500ms' as $$
  declare
    partition text := 'telemetry_' || to_char(month, 'YYYY_MM');
    month_start timestamptz := month::timestamp at time zone 'UTC';
    month_end timestamptz := (month + interval '1 month') at time zone 'UTC';
    moved bigint;
  begin
    perform ${TAKE_TURNS};
    if not telemetry_is_partitioned() or month in (select telemetry_months()) then return null; end if;
    lock table only telemetry in share update exclusive mode;
    lock table telemetry_other in access exclusive mode;
    execute format('create table %I (like telemetry including all)', partition);
    execute format('with moved as (delete from telemetry_other where created_at >= %L and created_at < %L returning *)
                    insert into %I select * from moved', month_start, month_end, partition);
    get diagnostics moved = row_count;
    execute format('alter table telemetry attach partition %I for values from (%L) to (%L)',
                   partition, month_start, month_end);
    return moved;
  end $$`;

// A partition holds whole UTC months, so the counts know what goes: the readings are not read. Those of tanks whose state may
// depend on the month, since they have had fewer than ten readings in any month after it, go first and in the usual way. Writers
// wait meanwhile; readers only for the drop itself. Whoever does not give way within half a second makes it fail, unchanged.
const DROP_MONTH = `
  create function drop_telemetry_month(month date) returns bigint language plpgsql
  set lock_timeout = '500ms' set plan_cache_mode = force_generic_plan as $$
  declare
    tank_keys bigint[];
    dropped bigint;
  begin${refuseCurrentMonth("month + interval '1 month'")}
    perform ${TAKE_TURNS};
    if month not in (select telemetry_months()) then return null; end if;
    lock table telemetry in share row exclusive mode;
    select array_agg(tank.key order by tank.key), coalesce(sum(counted.n), 0) into tank_keys, dropped
    from tanks tank cross join lateral (
      select n from telemetry_counts where tank_key = tank.key and level = 1 and start = month limit 1) counted;

    perform ${EVENTS_OFF};
    delete from telemetry
    where tank_key = any (array(
        select tank.key from unnest(tank_keys) tank (key)
        where not exists (
          select from telemetry_counts later
          where later.tank_key = tank.key and later.level = 1 and later.start > month and later.n >= 10)))
      and created_at >= month::timestamp at time zone 'UTC'
      and created_at < (month + interval '1 month') at time zone 'UTC';
    perform ${EVENTS_ON};

    update telemetry_counts whole set n = whole.n - gone.n
    from telemetry_counts gone
    where gone.tank_key = any (tank_keys) and gone.level = 1 and gone.start = month
      and whole.tank_key = gone.tank_key and whole.level = 0 and whole.start = '-infinity';
    delete from telemetry_counts
    where tank_key = any (tank_keys) and level = 2 and start >= month and start < month + interval '1 month';
    delete from telemetry_counts where tank_key = any (tank_keys) and level = 1 and start = month;
    execute format('drop table %I', 'telemetry_' || to_char(month, 'YYYY_MM'));
    return dropped;
  end $$`;
