-- A tank's readings of a range [since, until) in buckets, each of which ends where the next one starts, the last with the range. No row: there is
-- no such tank for this caller.
create or replace function telemetry_buckets(
  tank_id text, visible_owner_id text, since timestamptz, until timestamptz, starts timestamptz[]
) returns table (total bigint, data json, gaps json, gaps_total bigint, refills json, refills_total bigint)
language plpgsql stable rows 1 as $$
declare
  tank bigint;
  silent_after interval;
  open_gap_from timestamptz;
begin
  select key into tank from tanks
  where id = tank_id and (visible_owner_id is null or owner_id = visible_owner_id);
  if tank is null then return; end if;
  select known.silent_after_seconds * interval '1 second',
         case when known.silent_at < now() and known.reported_at < until and since <= now() then known.reported_at end
  into silent_after, open_gap_from
  from tank_states known where known.tank_key = tank;
  return query
    select series.total, series.data, series.gaps, series.gaps_total, series.refills, series.refills_total
    from telemetry_buckets_of(tank, since, until, starts, silent_after, open_gap_from) series;
end $$;
