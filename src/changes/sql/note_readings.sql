-- One note a tank and statement: between these instants, both included, something changed. On a cluster
-- only TRUNCATE gets here, and not for the copies on workers.
create or replace function note_readings() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if tg_table_name <> 'telemetry' then return null; end if;
  if tg_op = 'INSERT' then
    insert into change_notes (kind, tank_key, since, until)
    select 'r', tank_key, min(created_at), max(created_at) from new_rows group by tank_key;
  elsif tg_op = 'DELETE' then
    insert into change_notes (kind, tank_key, since, until)
    select 'r', tank_key, min(created_at), max(created_at) from old_rows group by tank_key;
  elsif tg_op = 'UPDATE' then
    insert into change_notes (kind, tank_key, since, until)
    select 'r', tank_key, min(created_at), max(created_at)
    from ((select * from new_rows except select * from old_rows)
          union all
          (select * from old_rows except select * from new_rows)) changed
    group by tank_key;
  elsif current_setting('citus.enable_ddl_propagation', true) is distinct from 'off' then
    perform expect_read_committed();
    insert into change_notes (kind, tank_key, since, until)
    select 'r', tank_key, '0001-01-01Z', '9999-12-31T23:59:59.999Z' from tank_states where reported_at is not null;
  end if;
  return null;
end $$;
