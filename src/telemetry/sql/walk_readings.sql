-- The next readings of live tanks after a place, by the tanks' keys and then oldest first: one row a tank, at most "most" readings in all
-- (on a cluster a few more), as two texts with commas: numbers one by one take twice as long. Tanks are walked by an index, and each one's
-- readings by another; those whose newest reading is too old are passed over without a look. Planned anew each time, for owner and range.
create or replace function walk_readings(
  visible_owner_id text, after_key bigint, after_instant timestamptz, since timestamptz, until timestamptz, most integer
) returns table (tank_key bigint, tank_id text, moments text, fills text)
language plpgsql stable set jit = off as $$
begin
  return query execute format($walk$
    select walked.tank_key, min(walked.tank_id),
           string_agg(walked.created_at::text, ','), string_agg(walked.fill_percentage::text, ',') -- in the order of "walked"
    from (
      select state.tank_key, state.tank_id, reading.created_at, reading.fill_percentage
      from tank_states state
      cross join lateral (
        select telemetry.created_at, telemetry.fill_percentage from telemetry
        where telemetry.tank_key = state.tank_key and telemetry.created_at >= $4 and telemetry.created_at < $5
          and telemetry.created_at > case when state.tank_key = $2 then $3 else '-infinity' end
        order by telemetry.created_at limit $6
      ) reading
      where state.fleet_group is not null and state.tank_key >= $2 and state.reported_at >= $4 and %s
      order by state.tank_key, reading.created_at limit $6
    ) walked
    group by walked.tank_key order by walked.tank_key
  $walk$, case when visible_owner_id is null then '$1 is null' else 'state.owner_id = $1' end)
  using visible_owner_id, after_key, after_instant, since, until, most;
end $$;
