-- After how many seconds without a reading a tank counts as silent, by the moments of its newest readings, newest first: a multiple of the
-- median of their gaps, within bounds; silentAfterSeconds() in src/rules.ts is the same. Gaps are whole milliseconds, so that nothing is
-- lost before the seconds are rounded. One row, and not a value, since only such a function becomes part of the statement that calls it.
create or replace function silent_after(moments timestamptz[]) returns table (seconds integer) language sql immutable rows 1 as $$
  select case when count(*) + 1 < {{SILENT_AFTER_LEAST_READINGS}} then {{SILENT_AFTER_TOO_FEW_READINGS}} else least(greatest(round(
           {{SILENT_AFTER_GAPS}} * percentile_cont(0.5) within group (order by round(date_part('epoch', later - earlier) * 1000))::numeric / 1000),
           {{SILENT_AFTER_LEAST}}), {{SILENT_AFTER_MOST}})::integer end
  from (select unnest(moments) as later, unnest(moments[2:]) as earlier) gap where earlier is not null
$$;
