-- The current state of each tank, deleted ones too: its newest reading, whether that is low, when the tank counts as silent, and when its
-- alert is forecast. Triggers keep it in the transaction of whatever writes readings or tanks.
-- "silent" is set some time after "silent_at" has passed: what has to be exact uses "silent_at".
-- "fleet_group" is what a tank is counted and filtered by, a number from 0 to 19: five times the use case (none, residential, commercial,
-- industrial) plus 0 never reported, 1 well, 2 low, 3 silent, 4 low and silent; null for a deleted tank.
-- "alert_hours": whole hours since 1970, as p10, p50, p90; null while there is no forecast, or the tank is low. "alert_order" sorts low tanks
-- by their fill level, which is always below an hour of our time, and others by their alert.
create table tank_states (
  tank_key                   bigint primary key,
  tank_id                    text collate "C" not null,
  owner_id                   text collate "C" not null,
  use_case                   text,
  created_at                 timestamptz(3) not null,
  deleted                    boolean not null,
  min_fill_alert_percentage  integer not null,
  reported_at                timestamptz(3),
  fill_percentage            double precision,
  low                        boolean not null default false,
  silent_after_seconds       integer not null default 86400,
  silent_at                  timestamptz(3),
  silent                     boolean not null default false,
  fleet_group                smallint generated always as (
    case when deleted then null else
      case use_case when 'residential' then 5 when 'commercial' then 10 when 'industrial' then 15 else 0 end
      + case when reported_at is null then 0 else 1 + low::integer + 2 * silent::integer end
    end) stored,
  forecast_made_at           timestamptz(3),
  alert_hours                integer[],
  alert_order                double precision generated always as (
    case when low then fill_percentage else alert_hours[2] end) stored
);
-- One for each order of the fleet, by group: any filter is a few groups, read in order and merged.
create index tank_states_by_fill on tank_states (fleet_group, fill_percentage, tank_id) where fleet_group is not null;
create index tank_states_by_report on tank_states (fleet_group, reported_at nulls first, tank_id) where fleet_group is not null;
create index tank_states_by_age on tank_states (fleet_group, created_at desc, tank_id) where fleet_group is not null;
create index tank_states_by_alert on tank_states (fleet_group, alert_order, tank_id) where fleet_group is not null;
create index tank_states_by_first_alert on tank_states (fleet_group, (alert_hours[1])) where alert_hours is not null;
-- Finds the tanks where "silent" is not right yet.
create index tank_states_by_silence on tank_states (silent, silent_at) where fleet_group is not null and silent_at is not null;
create index tank_states_of_owner on tank_states (owner_id) where fleet_group is not null;
create index tank_states_of_owner_by_key on tank_states (owner_id, tank_key) where fleet_group is not null;

-- Writers of different tanks would queue for the rows of fleet_counts, so they append what they changed; it is added up now and then.
create table fleet_counts (
  fleet_group  smallint primary key,
  n            bigint not null
);
create table fleet_count_changes (
  id           bigint generated always as identity primary key,
  fleet_group  smallint not null,
  n            bigint not null
);

-- Their names sort after those of the counts, so that every writer takes the locks of counts before those of states.
create trigger keep_before_insert before insert on tanks for each statement execute function expect_insert();
create trigger keep_insert after insert on tanks referencing new table as new_rows
  for each statement execute function keep_states_of_tanks();
create trigger keep_update after update on tanks referencing old table as old_rows new table as new_rows
  for each statement execute function keep_states_of_tanks();
create trigger keep_delete after delete on tanks referencing old table as old_rows
  for each statement execute function keep_states_of_tanks();
create trigger keep_truncate after truncate on tanks for each statement execute function keep_states_of_tanks();
create trigger keep_before_insert before insert on telemetry for each statement execute function expect_insert();
create trigger keep_insert after insert on telemetry referencing new table as new_rows
  for each statement execute function keep_states_of_readings();
create trigger keep_update after update on telemetry referencing old table as old_rows new table as new_rows
  for each statement execute function keep_states_of_readings();
create trigger keep_delete after delete on telemetry referencing old table as old_rows
  for each statement execute function keep_states_of_readings();
create trigger keep_truncate after truncate on telemetry for each statement execute function keep_states_of_readings();
