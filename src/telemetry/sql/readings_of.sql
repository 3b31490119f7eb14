-- Of each tank its readings at and after an instant ("most": no more than so many, the oldest), and some before it, newest first; without an instant, its newest; null for a
-- tank without any. Of partitioned readings only the months that are needed are opened: none before the last one that has enough.
create or replace function readings_of(tank_keys bigint[], sinces timestamptz[], before integer, most integer default null)
returns table (tank_key bigint, moments timestamptz[], fills double precision[])
language sql stable as $$
  select wanted.tank_key, found.moments, found.fills
  from unnest(tank_keys, sinces) wanted (tank_key, since)
  cross join lateral (
    select array_agg(reading.created_at order by reading.created_at desc) as moments,
           array_agg(reading.fill_percentage order by reading.created_at desc) as fills
    from (
      (select telemetry.created_at, telemetry.fill_percentage from telemetry
       where telemetry.tank_key = wanted.tank_key and telemetry.created_at >= wanted.since
       order by telemetry.created_at limit most)
      union all
      (select telemetry.created_at, telemetry.fill_percentage from telemetry
       where telemetry.tank_key = wanted.tank_key and telemetry.created_at < coalesce(wanted.since, 'infinity')
         and telemetry.created_at >= case when telemetry_is_partitioned() then coalesce((
           select counted.start::timestamp at time zone 'UTC' from telemetry_counts counted
           where counted.tank_key = wanted.tank_key and counted.level = 1 and counted.n >= before
             and (counted.start + interval '1 month') at time zone 'UTC' <= coalesce(wanted.since, 'infinity')
           order by counted.start desc limit 1), '-infinity') else '-infinity' end
       order by telemetry.created_at desc limit before)
    ) reading
  ) found
$$;
