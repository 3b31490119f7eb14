-- Reads existing readings and locks them to the end of the transaction, in the order that all writers keep.
create or replace function lock_readings(tank_keys bigint[], instants timestamptz[])
returns table (tank_key bigint, instant timestamptz, level double precision) language plpgsql as $$
begin
  return query
    select telemetry.tank_key, telemetry.created_at, telemetry.fill_percentage
    from unnest(tank_keys, instants) wanted (tank_key, instant)
    join telemetry on telemetry.tank_key = wanted.tank_key and telemetry.created_at = wanted.instant
    order by telemetry.tank_key, telemetry.created_at
    for no key update of telemetry;
end $$;
