-- After how many seconds without a reading a tank counts as silent, by the moments of its newest ten, newest first: three times the median
-- of their gaps, from an hour to seven days; a day while there are fewer than three. Gaps are whole milliseconds, so that nothing is
-- lost before the seconds are rounded.
create or replace function silent_after(moments timestamptz[]) returns integer language sql immutable as $$
  select case when coalesce(cardinality(moments), 0) < 3 then 86400 else (
    select least(greatest(round(3 * avg(gap) / 1000), 3600), 604800)::integer
    from (select round(date_part('epoch', moments[i] - moments[i + 1]) * 1000)::bigint as gap
          from generate_series(1, cardinality(moments) - 1) i
          order by gap offset (cardinality(moments) - 2) / 2 limit 1 + cardinality(moments) % 2) in_the_middle)
  end
$$;
