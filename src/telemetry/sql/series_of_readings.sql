-- Readings come as two arrays, oldest first, which is faster than window functions over rows. They may hold the readings next to the
-- range, since gaps reach beyond it. A bucket is a slice of the arrays, whose ends a binary search finds (width_bucket() returns how many
-- moments are not after an instant): [number, count, first, last, min, max, mean]; empty buckets are left out. Instants are milliseconds
-- since 1970. Of gaps and refills the newest 1,000 are returned, newest first.
-- Few pairs of readings are compared: a refill within a bucket, or into it, makes its extremes lie as far apart; and a stretch of
-- several readings that is shorter than a gap has none. A stretch has as many readings as nearly everywhere fit into a gap, measured at
-- 32 places. A rise is compared after rounding to 6 decimals: 17.4 - 12.4 is 5. "offset 0" makes sure that what is computed once is.
create or replace function series_of_readings(
  moments timestamptz[], fills double precision[], since timestamptz, until timestamptz,
  first_bucket timestamptz, buckets integer, step interval, silent_after interval, open_gap_from timestamptz,
  out data json, out gaps json, out gaps_total bigint, out refills json, out refills_total bigint
) language sql stable as $$
  with bucket as materialized (
    select number, oldest, newest, least_fill, most_fill, sum_of_fills / (newest - oldest + 1) as mean
    from (
      select number,
             1 + width_bucket(greatest(first_bucket + number * step, since) - interval '1 ms', moments) as oldest,
             width_bucket(least(first_bucket + (number + 1) * step, until) - interval '1 ms', moments) as newest
      from generate_series(0, buckets - 1) number
      offset 0
    ) slice, lateral (
      select min(fill) as least_fill, max(fill) as most_fill, sum(fill) as sum_of_fills
      from (select unnest(fills[oldest:newest]) as fill) reading
    ) filled
    where newest >= oldest
  ),
  refill as materialized (
    select position
    from (
      select generate_series(oldest, newest) as position from bucket
      where round((greatest(most_fill, fills[oldest - 1]) - least(least_fill, fills[oldest - 1])) * 1e6) >= {{REFILL_RISE}}e6
    ) candidate
    where round((fills[position] - fills[position - 1]) * 1e6) >= {{REFILL_RISE}}e6
  ),
  stretch as (
    select generate_series(1, readings - 1, length) as start, length
    from (
      select readings, greatest(1, (
        select percentile_disc(0.1) within group (order by width_bucket(moments[at] + silent_after, moments) - at)
        from generate_series(1, readings - 1, readings / 32 + 1) at
      )) as length
      from cardinality(moments) readings
      offset 0
    ) steady
  ),
  gap as materialized (
    select moments[position] as gap_from, moments[position + 1] as gap_to
    from (
      select generate_series(start, start + length - 1) as position from stretch
      where (moments[start + length] <= moments[start] + silent_after) is not true
    ) candidate
    where moments[position + 1] > moments[position] + silent_after
    union all
    select open_gap_from, null where open_gap_from is not null
  )
  select
    (select array_to_json(array_agg(
       array[number, newest - oldest + 1, fills[oldest], fills[newest], least_fill, most_fill, mean]))
     from bucket),
    (select json_agg(json_build_array(round(date_part('epoch', gap_from) * 1000), round(date_part('epoch', gap_to) * 1000)))
     from (select * from gap order by gap_from desc limit 1000) newest),
    (select count(*) from gap),
    (select json_agg(json_build_array(round(date_part('epoch', moments[position]) * 1000),
                                      fills[position - 1], fills[position]))
     from (select * from refill order by position desc limit 1000) newest),
    (select count(*) from refill)
$$;
