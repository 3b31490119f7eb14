-- Inserts the readings that are new, in the order that all writers keep, and returns which those were.
create or replace function insert_readings(tank_keys bigint[], instants timestamptz[], levels double precision[])
returns table (tank_key bigint, instant timestamptz) language plpgsql as $$
begin
  return query
    insert into telemetry (tank_key, created_at, fill_percentage)
    select reading.tank_key, reading.instant, reading.level
    from unnest(tank_keys, instants, levels) reading (tank_key, instant, level)
    order by reading.tank_key, reading.instant
    on conflict do nothing
    returning telemetry.tank_key, telemetry.created_at;
end $$;
