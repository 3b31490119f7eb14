-- Readings come as two arrays, oldest first, which is faster than window functions over rows. They may hold the readings next to the
-- range, since gaps reach beyond it. A bucket is a slice of the arrays, whose ends a binary search finds (width_bucket() returns how many
-- moments are not after an instant): [number, count, first, last, min, max, mean, used]; empty buckets are left out. Instants are
-- milliseconds since 1970. Of gaps and refills the newest 1,000 are returned, newest first.
-- Few pairs of readings are compared: a refill or a large fall within a bucket, or into it, makes its extremes lie as far apart; and a
-- stretch of several readings that is shorter than a gap has none. A stretch has as many readings as nearly everywhere fit into a gap,
-- measured at 32 places. A rise is compared after rounding to 6 decimals: 17.4 - 12.4 is 5. "offset 0" makes sure that what is computed once is.
-- The falls of a bucket, of all pairs whose later reading it holds, add up to the level before it minus its last; what is not use is
-- taken from that: refills, large falls, and pairs so far apart that they are gaps, too.
create or replace function buckets_of_readings(
  moments timestamptz[], fills double precision[], since timestamptz, until timestamptz,
  starts timestamptz[], silent_after interval, open_gap_from timestamptz,
  out data json, out gaps json, out gaps_total bigint, out refills json, out refills_total bigint
) language sql stable as $$
  with bucket as materialized (
    select number, oldest, newest, least_fill, most_fill, sum_of_fills / (newest - oldest + 1) as mean
    from (
      select number,
             1 + width_bucket(greatest(starts[number + 1], since) - interval '1 ms', moments) as oldest,
             width_bucket(least(starts[number + 2], until) - interval '1 ms', moments) as newest
      from generate_series(0, cardinality(starts) - 1) number
      offset 0
    ) slice, lateral (
      select min(fill) as least_fill, max(fill) as most_fill, sum(fill) as sum_of_fills
      from (select unnest(fills[oldest:newest]) as fill) reading
    ) filled
    where newest >= oldest
  ),
  jump as materialized (
    select number, position, rise >= {{REFILL_RISE}}e6 as is_refill
    from (
      select number, position, round((fills[position] - fills[position - 1]) * 1e6) as rise
      from (
        select number, generate_series(oldest, newest) as position from bucket
        where round((greatest(most_fill, fills[oldest - 1]) - least(least_fill, fills[oldest - 1])) * 1e6) >= {{REFILL_RISE}}e6
      ) candidate
      offset 0
    ) pair
    where rise >= {{REFILL_RISE}}e6 or -rise > {{LARGEST_CREDIBLE_FALL}}e6
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
    select position, moments[position] as gap_from, moments[position + 1] as gap_to
    from (
      select generate_series(start, start + length - 1) as position from stretch
      where (moments[start + length] <= moments[start] + silent_after) is not true
    ) candidate
    where moments[position + 1] > moments[position] + silent_after
    union all
    select null, open_gap_from, null where open_gap_from is not null
  ),
  not_used as (
    select number, count(*) as pairs, sum(fills[position - 1] - fills[position]) as fall
    from (
      select number, position from jump
      union
      select (array(select number from bucket order by number))[
               width_bucket(position + 1, array(select oldest from bucket order by number))], position + 1
      from gap
      where gap_to > gap_from + {{USED_MOST_APART}} * interval '1 second' and gap_to < until
    ) pair
    group by number
  )
  select
    (select array_to_json(array_agg(
       array[number, newest - oldest + 1, fills[oldest], fills[newest], least_fill, most_fill, mean,
             case when newest - oldest + 1 - (oldest = 1)::integer > coalesce(pairs, 0)
               then coalesce(fills[oldest - 1], fills[oldest]) - fills[newest] - coalesce(fall, 0) end]))
     from bucket left join not_used using (number)),
    (select json_agg(json_build_array(round(date_part('epoch', gap_from) * 1000), round(date_part('epoch', gap_to) * 1000)))
     from (select * from gap order by gap_from desc limit 1000) newest),
    (select count(*) from gap),
    (select json_agg(json_build_array(round(date_part('epoch', moments[position]) * 1000),
                                      fills[position - 1], fills[position]))
     from (select * from jump where is_refill order by position desc limit 1000) newest),
    (select count(*) from jump where is_refill)
$$;
