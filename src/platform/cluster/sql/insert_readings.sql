-- Inserts the readings that are new and returns which those were. As a list of values, which goes to each node once; a select would
-- open a connection for each of its shards.
create or replace function insert_readings(tank_keys bigint[], instants timestamptz[], levels double precision[])
returns table (tank_key bigint, instant timestamptz) language plpgsql as $$
begin
  return query execute (
    select 'insert into telemetry (tank_key, created_at, fill_percentage) values '
           || string_agg(format('(%s, %L, %s)', reading.tank_key, reading.instant, reading.level), ', '
                         order by reading.tank_key, reading.instant)
           || ' on conflict do nothing returning tank_key, created_at::timestamptz'
    from unnest(tank_keys, instants, levels) reading (tank_key, instant, level));
end $$;
