// The current state of each tank: its newest reading, whether that is low and when the tank will count as silent. Triggers keep it in the
// transaction of whatever writes readings or tanks.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { installFunctions } from '../functions.js';

export class TankStates1767225600004 implements MigrationInterface {
  readonly name = 'TankStates1767225600004';

  async up(runner: QueryRunner): Promise<void> {
    // Nobody writes between the filling of the states and the triggers that keep them.
    await runner.query('lock table tanks, telemetry in share row exclusive mode');
    await runner.query(IS_PARTITIONED);
    await runner.query(TABLES);
    await installFunctions(runner);
    await runner.query(FILL);
    await runner.query(INDEXES);
    await runner.query(triggers('tanks', 'keep_states_of_tanks'));
    await runner.query(triggers('telemetry', 'keep_states_of_readings'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      do $$
      begin
        if telemetry_is_partitioned() then
          raise 'The readings are partitioned, which an earlier version does not know: run "partition off" first.';
        end if;
      end $$`);
    await runner.query(`
      drop function keep_states_of_readings, keep_states_of_tanks, expect_insert cascade;
      drop table fleet_count_changes, fleet_counts, tank_states;
      drop index tanks_of_device;
      drop function telemetry_is_partitioned cascade`);
  }
}

// A constant that `partition on` and `partition off` replace, and so no file beside the others.
const IS_PARTITIONED = `
  create function telemetry_is_partitioned() returns boolean language sql immutable parallel safe as $$ select false $$`;

// Deleted tanks have a row, too. "silent" is set some time after "silent_at" has passed: what has to be exact uses "silent_at".
// "fleet_group" is what a tank is counted and filtered by, a number from 0 to 19: five times the use case (none, residential, commercial,
// industrial) plus 0 never reported, 1 well, 2 low, 3 silent, 4 low and silent; null for a deleted tank.
// Writers of different tanks would queue for the rows of fleet_counts, so they append what they changed; it is added up now and then.
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

const FILL = `
  insert into tank_states (tank_key, tank_id, owner_id, use_case, created_at, deleted, min_fill_alert_percentage,
                           reported_at, fill_percentage, low, silent_after_seconds, silent_at, silent)
  select tank_key, tank_id, owner_id, use_case, created_at, deleted, min_fill_alert_percentage,
         reported_at, fill_percentage, low, silent_after_seconds, silent_at, coalesce(silent_at < now(), false)
  from states_of_tanks(array(select key from tanks))
  order by tank_key;
  insert into fleet_counts
  select fleet_group, count(*) from tank_states where fleet_group is not null group by fleet_group;
  analyze tank_states`;

// One for each order of the fleet, by group: any filter is a few groups, read in order and merged. tank_states_by_silence finds the tanks
// where "silent" is not right yet, tanks_of_device the tank that has a device, however that is written.
const INDEXES = `
  create index tank_states_by_fill on tank_states (fleet_group, fill_percentage, tank_id) where fleet_group is not null;
  create index tank_states_by_report on tank_states (fleet_group, reported_at nulls first, tank_id)
    where fleet_group is not null;
  create index tank_states_by_age on tank_states (fleet_group, created_at desc, tank_id) where fleet_group is not null;
  create index tank_states_by_silence on tank_states (silent, silent_at)
    where fleet_group is not null and silent_at is not null;
  create index tank_states_of_owner on tank_states (owner_id) where fleet_group is not null;
  create index tanks_of_device on tanks (device_key(assigned_device_id)) where not deleted`;

// Their names sort after those of the counts, so that every writer takes the locks of counts before those of states.
const triggers = (table: string, keep: string): string => `
  create trigger keep_before_insert before insert on ${table} for each statement execute function expect_insert();
  create trigger keep_insert after insert on ${table} referencing new table as new_rows
    for each statement execute function ${keep}();
  create trigger keep_update after update on ${table} referencing old table as old_rows new table as new_rows
    for each statement execute function ${keep}();
  create trigger keep_delete after delete on ${table} referencing old table as old_rows
    for each statement execute function ${keep}();
  create trigger keep_truncate after truncate on ${table} for each statement execute function ${keep}()`;
