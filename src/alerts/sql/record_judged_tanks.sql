-- Records what was judged of the tanks that take_unjudged_tanks() has locked: their events, and what is remembered of each. A tank of
-- which nothing is remembered has no row. A tank that goes on is judged further from the reading that was reached.
-- Without enable_seqscan = off, record_events() planned while there were no events reads all of them for each tank, once there are.
create or replace function record_judged_tanks(
  tank_keys bigint[], lows boolean[], silences_reported boolean[],
  event_keys bigint[], types text[], ats timestamptz[], levels double precision[],
  befores timestamptz[], before_levels double precision[], silences integer[],
  going_on bigint[], reached_ats timestamptz[], reached_levels double precision[]
) returns void language plpgsql security definer set search_path = public, pg_temp set enable_seqscan = off set jit = off as $$
begin
  insert into tank_alerts as alert (tank_key, low, silence_reported)
  select * from unnest(tank_keys, lows, silences_reported) judged (tank_key, low, silence_reported) where low or silence_reported
  on conflict (tank_key) do update set low = excluded.low, silence_reported = excluded.silence_reported
  where (alert.low, alert.silence_reported) <> (excluded.low, excluded.silence_reported);
  delete from tank_alerts where tank_key = any (array(
    select tank_key from unnest(tank_keys, lows, silences_reported) judged (tank_key, low, silence_reported)
    where not low and not silence_reported));
  if cardinality(event_keys) > 0 then
    perform record_events(event_keys, types, ats, levels, befores, before_levels, silences);
  end if;
  -- Last: events take their causes from there.
  delete from tanks_to_judge where tank_key = any (tank_keys) and tank_key <> all (going_on);
  update tanks_to_judge note set known_at = reached.at, known_fill = reached.level, known_threshold = state.min_fill_alert_percentage
  from unnest(going_on, reached_ats, reached_levels) reached (tank_key, at, level) join tank_states state using (tank_key)
  where note.tank_key = reached.tank_key;
end $$;
revoke execute on function record_judged_tanks from public;
