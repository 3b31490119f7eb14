-- For instances of 2.0, whose buckets are all of one length: they take the first seven values of a bucket.
create or replace function telemetry_series(
  tank_id text, visible_owner_id text, since timestamptz, until timestamptz,
  first_bucket timestamptz, buckets integer, step interval
) returns table (total bigint, data json, gaps json, gaps_total bigint, refills json, refills_total bigint)
language sql stable rows 1 as $$
  select * from telemetry_buckets(
    tank_id, visible_owner_id, since, until, array(select first_bucket + number * step from generate_series(0, buckets - 1) number))
$$;
