-- Locks the next tanks after "after_tank" with which something may have happened and returns what judge() needs: what was known, what
-- is known now, what is remembered, and the readings since the known one, newest first, with as many before it as its silence
-- depends on; none that was history at the first write. Of a tank with very many readings since, the oldest come first ("goes_on"): the
-- others in the next rounds. Of a tank that somebody else holds it returns the key alone. What was to be judged of a deleted tank is removed.
-- Without enable_seqscan = off, that delete is a hash join over a sequential scan of tank_states: the whole fleet, for each batch.
create or replace function take_unjudged_tanks(after_tank bigint, most integer)
returns table (
  tank_key bigint, is_taken boolean, threshold integer, known_threshold integer,
  known_at timestamptz, known_fill double precision, was_silent boolean, was_restored boolean,
  written_at timestamptz[], reached timestamptz[], is_silent boolean, is_low boolean, silence_reported boolean,
  moments timestamptz[], fills double precision[], goes_on boolean
) language plpgsql security definer set search_path = public, pg_temp set enable_seqscan = off set jit = off as $$
declare
  wanted bigint[]; taken bigint[]; sinces timestamptz[];
begin
  wanted := array(select note.tank_key from tanks_to_judge note where note.tank_key > after_tank order by 1 limit most);
  if wanted = '{}' then return; end if;
  perform hold_tanks(wanted);
  taken := array(
    select state.tank_key from tank_states state where state.tank_key = any (wanted)
    order by state.tank_key for no key update skip locked);
  delete from tanks_to_judge note using tank_states state
  where note.tank_key = any (taken) and state.tank_key = note.tank_key and state.deleted;
  select array_agg(note.tank_key order by note.tank_key),
         array_agg(greatest(note.known_at, note.written_at[1] - {{HISTORY_MOST_AGE}} * interval '1 second') order by note.tank_key)
  into taken, sinces
  from tanks_to_judge note where note.tank_key = any (taken);

  return query
    with readings as materialized (select * from readings_of(taken, sinces, {{SILENT_AFTER_READINGS}}, {{JUDGED_AT_ONCE}}))
    select each.tank_key, note.tank_key is not null, state.min_fill_alert_percentage, note.known_threshold,
           note.known_at::timestamptz, note.known_fill, note.was_silent, note.was_restored, note.written_at, note.reached,
           state.silent, coalesce(alert.low, false), coalesce(alert.silence_reported, false),
           readings.moments, readings.fills, coalesce(readings.moments[1] < state.reported_at, false)
    from unnest(wanted) each (tank_key)
    left join readings on readings.tank_key = each.tank_key
    left join tanks_to_judge note on note.tank_key = readings.tank_key
    left join tank_states state on state.tank_key = note.tank_key
    left join tank_alerts alert on alert.tank_key = note.tank_key
    order by each.tank_key;
end $$;
revoke execute on function take_unjudged_tanks from public;
