-- After how many seconds without a reading a tank counts as silent, by the moments of its newest ten, newest first: three times the median
-- of their gaps, from an hour to seven days; a day while there are fewer than three. Gaps are whole milliseconds, so that nothing is
-- lost before the seconds are rounded. One row, and not a value, since only such a function becomes part of the statement that calls it.
create or replace function silent_after(moments timestamptz[]) returns table (seconds integer) language sql immutable rows 1 as $$
  select case when count(*) < 2 then 86400 else least(greatest(round(
           3 * percentile_cont(0.5) within group (order by round(date_part('epoch', later - earlier) * 1000))::numeric / 1000),
           3600), 604800)::integer end
  from (select unnest(moments) as later, unnest(moments[2:]) as earlier) gap where earlier is not null
$$;
