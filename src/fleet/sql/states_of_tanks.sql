-- The state of each tank as it should be, by its row and its newest readings; a tank without readings has one, too. "moments" and
-- "fills" are those readings, newest first.
create or replace function states_of_tanks(tank_keys bigint[])
returns table (tank_key bigint, tank_id text, owner_id text, use_case text, created_at timestamptz, deleted boolean,
               min_fill_alert_percentage integer, reported_at timestamptz, fill_percentage double precision, low boolean,
               silent_after_seconds integer, silent_at timestamptz, moments timestamptz[], fills double precision[])
language sql stable as $$
  with newest as materialized (
    select * from readings_of(tank_keys, '{}', {{SILENT_AFTER_READINGS}})
  )
  select tank.key, tank.id, tank.owner_id, tank.use_case, tank.created_at, tank.deleted, tank.min_fill_alert_percentage,
         newest.moments[1], newest.fills[1], coalesce(newest.fills[1] <= tank.min_fill_alert_percentage, false),
         pause.seconds, newest.moments[1] + pause.seconds * interval '1 second', newest.moments, newest.fills
  from newest
  join tanks tank on tank.key = newest.tank_key
  cross join lateral silent_after(newest.moments) pause
$$;
