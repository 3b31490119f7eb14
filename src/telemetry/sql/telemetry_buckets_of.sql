-- A tank's readings of a range [since, until) in buckets. Too many are only counted; others are read once, with the readings
-- next to the range, which are in its own months or in the next ones that have any.
create or replace function telemetry_buckets_of(
  tank bigint, since timestamptz, until timestamptz, starts timestamptz[],
  silent_after interval, open_gap_from timestamptz
) returns table (total bigint, data json, gaps json, gaps_total bigint, refills json, refills_total bigint)
language plpgsql stable rows 1 as $$
declare
  oldest timestamptz := '-infinity';
  newest timestamptz := 'infinity';
  read_since timestamptz;
  read_until timestamptz;
begin
  total := greatest(telemetry_rank(tank, until) - telemetry_rank(tank, since), 0);
  gaps_total := 0;
  refills_total := 0;
  if total > {{SERIES_MOST_READINGS}} or since >= until then
    return next;
    return;
  end if;

  if telemetry_is_partitioned() then
    oldest := date_trunc('month', since at time zone 'UTC') at time zone 'UTC';
    oldest := coalesce((select max(start)::timestamp at time zone 'UTC' from telemetry_counts
                        where tank_key = tank and level = 1 and start < oldest at time zone 'UTC'), oldest);
    newest := date_trunc('month', until at time zone 'UTC') at time zone 'UTC';
    newest := coalesce((select min(start)::timestamp at time zone 'UTC' from telemetry_counts
                        where tank_key = tank and level = 1 and start > newest at time zone 'UTC'), newest);
    newest := (newest at time zone 'UTC' + interval '1 month') at time zone 'UTC';
  end if;
  read_since := coalesce(
    (select max(created_at) from telemetry where tank_key = tank and created_at < since and created_at >= oldest), since);
  read_until := coalesce(
    (select min(created_at) from telemetry where tank_key = tank and created_at >= until and created_at < newest)
    + interval '1 ms', until);

  return query
    select total, drawn.*
    from (
      select coalesce(array_agg(created_at), '{}') as moments, coalesce(array_agg(fill_percentage), '{}') as fills
      from (select created_at, fill_percentage from telemetry
            where tank_key = tank and created_at >= read_since and created_at < read_until
            order by created_at) in_order
    ) reading
    cross join lateral buckets_of_readings(
      moments, fills, since, until, starts, silent_after, open_gap_from) drawn;
end $$;
