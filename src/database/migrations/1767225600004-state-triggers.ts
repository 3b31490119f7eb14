// The triggers that keep the states of tanks: they collect the tanks a statement touched and hand them to keep_tank_states().

// An upsert fires the triggers for its updates before those for its inserts: states would be locked before the counts of the
// inserts are. So while an insert is under way, updates leave their tanks to the trigger that comes last.
export const UPSERTS = `
  create function expect_insert() returns trigger language plpgsql as $$
  begin
    if current_setting('tank_monitoring.states', true) is distinct from 'by_caller' then
      perform set_config('tank_monitoring.upserted_' || tg_table_name, '{}', true);
    end if;
    return null;
  end $$;

  create function take_upserted(of_table text, is_insert boolean, tank_keys bigint[]) returns bigint[] language plpgsql as $$
  declare
    setting text := 'tank_monitoring.upserted_' || of_table;
    upserted bigint[] := nullif(current_setting(setting, true), '');
  begin
    if upserted is null then return tank_keys; end if;
    perform set_config(setting, case when is_insert then '' else (upserted || tank_keys)::text end, true);
    return case when is_insert then upserted || tank_keys end;
  end $$`;

// A new tank has no readings yet. A tank that is gone takes its state along. Trigger names sort after those of the counts,
// so that every writer takes the locks of counts before those of states.
export const TRIGGERS_OF_TANKS = `
  create function keep_states_of_tanks() returns trigger language plpgsql as $$
  declare
    tank_keys bigint[]; groups smallint[]; changes bigint[];
  begin
    if tg_op = 'INSERT' then
      with added as (
        insert into tank_states (tank_key, tank_id, owner_id, use_case, created_at, deleted, min_fill_alert_percentage)
        select key, id, owner_id, use_case, created_at, deleted, min_fill_alert_percentage from new_rows
        returning fleet_group
      )
      select array_agg(fleet_group), array_agg(n) into groups, changes
      from (select fleet_group, count(*) as n from added where fleet_group is not null group by fleet_group) change;
      tank_keys := take_upserted('tanks', true, '{}');
    elsif tg_op = 'DELETE' then
      perform from tank_states where tank_key in (select key from old_rows) order by tank_key for update;
      with removed as (
        delete from tank_states where tank_key in (select key from old_rows) returning fleet_group
      )
      select array_agg(fleet_group), array_agg(-n) into groups, changes
      from (select fleet_group, count(*) as n from removed where fleet_group is not null group by fleet_group) change;
    elsif tg_op = 'TRUNCATE' then
      truncate tank_states;
      delete from fleet_counts;
      delete from fleet_count_changes;
    elsif current_setting('tank_monitoring.states', true) is distinct from 'by_caller' then
      select array_agg(key) into tank_keys
      from new_rows after join old_rows before using (key)
      where (after.id, after.owner_id, after.use_case, after.created_at, after.deleted, after.min_fill_alert_percentage)
        is distinct from
            (before.id, before.owner_id, before.use_case, before.created_at, before.deleted, before.min_fill_alert_percentage);
      tank_keys := take_upserted('tanks', false, tank_keys);
    end if;
    if tank_keys <> '{}' then perform keep_tank_states(tank_keys); end if;
    if groups is not null then perform change_fleet_counts(groups, changes); end if;
    return null;
  end $$;

  create trigger keep_before_insert before insert on tanks for each statement execute function expect_insert();
  create trigger keep_insert after insert on tanks referencing new table as new_rows
    for each statement execute function keep_states_of_tanks();
  create trigger keep_update after update on tanks referencing old table as old_rows new table as new_rows
    for each statement execute function keep_states_of_tanks();
  create trigger keep_delete after delete on tanks referencing old table as old_rows
    for each statement execute function keep_states_of_tanks();
  create trigger keep_truncate after truncate on tanks
    for each statement execute function keep_states_of_tanks()`;

export const TRIGGERS_OF_READINGS = `
  create function keep_states_of_readings() returns trigger language plpgsql as $$
  declare
    tank_keys bigint[];
  begin
    if current_setting('tank_monitoring.states', true) = 'by_caller' then return null; end if;
    if tg_op = 'INSERT' then
      select array_agg(distinct tank_key) into tank_keys from new_rows;
    elsif tg_op = 'DELETE' then
      select array_agg(distinct tank_key) into tank_keys from old_rows;
    elsif tg_op = 'UPDATE' then
      select array_agg(tank_key) into tank_keys
      from (select tank_key from new_rows union select tank_key from old_rows) touched;
    else
      select array_agg(tank_key) into tank_keys from tank_states where reported_at is not null;
    end if;
    if tg_op in ('INSERT', 'UPDATE') then tank_keys := take_upserted('telemetry', tg_op = 'INSERT', tank_keys); end if;
    if tank_keys <> '{}' then perform keep_tank_states(tank_keys); end if;
    return null;
  end $$;

  create trigger keep_before_insert before insert on telemetry for each statement execute function expect_insert();
  create trigger keep_insert after insert on telemetry referencing new table as new_rows
    for each statement execute function keep_states_of_readings();
  create trigger keep_update after update on telemetry referencing old table as old_rows new table as new_rows
    for each statement execute function keep_states_of_readings();
  create trigger keep_delete after delete on telemetry referencing old table as old_rows
    for each statement execute function keep_states_of_readings();
  create trigger keep_truncate after truncate on telemetry
    for each statement execute function keep_states_of_readings()`;
