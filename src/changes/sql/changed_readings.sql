-- What there is now between the instants of changes of readings, in the order of the changes, at most "most" rows, each with the
-- "place" of its change. A change without readings is one row with nulls; one of a tank that this key does not see, or that is deleted,
-- is none. Of more than 1,000 readings there are 1,001.
create or replace function changed_readings(
  places bigint[], tank_keys bigint[], sinces timestamptz[], untils timestamptz[], visible_owner_id text, most integer
) returns table (place bigint, tank_id text, created_at timestamptz, fill_percentage double precision)
language plpgsql stable as $$
begin
  return query
    select change.place, tank.id, reading.created_at, reading.fill_percentage
    from unnest(places, tank_keys, sinces, untils) change (place, tank_key, since, until)
    cross join lateral (
      select id from tanks
      where key = change.tank_key and not deleted and (visible_owner_id is null or owner_id = visible_owner_id) offset 0
    ) tank
    left join lateral (
      select telemetry.created_at, telemetry.fill_percentage from telemetry
      where telemetry.tank_key = change.tank_key and telemetry.created_at between change.since and change.until
      order by telemetry.created_at limit 1001
    ) reading on true
    limit most;
end $$;
