-- The state of each tank by its newest ten readings; a tank without readings has a row, too. Readings are read once.
create or replace function states_of_tanks(tank_keys bigint[])
returns table (tank_key bigint, reported_at timestamptz, fill_percentage double precision, low boolean,
               silent_after_seconds integer, silent_at timestamptz, moments timestamptz[], fills double precision[])
language sql stable as $$
  with newest as materialized (
    select * from readings_of(tank_keys, array_fill('infinity'::timestamptz, array[cardinality(tank_keys)]), 10)
  )
  select tank.key, newest.moments[1], newest.fills[1],
         coalesce(newest.fills[1] <= tank.min_fill_alert_percentage, false),
         pause.seconds, newest.moments[1] + pause.seconds * interval '1 second', newest.moments, newest.fills
  from newest
  join tanks tank on tank.key = newest.tank_key
  cross join lateral (select silent_after(newest.moments) as seconds offset 0) pause
$$;
