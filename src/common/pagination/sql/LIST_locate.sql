-- The total of a range [since, until) and where one of its pages starts: at the rows created before "newest", newest first, after passing
-- over "passed" of them. Near the top of the list that is the range's end; deeper, it is the end of the day that holds the page's first
-- row, found by walking the months and then the days of one month.
create or replace function {{LIST}}_locate(
  since timestamptz, until timestamptz, skip bigint, out total bigint, out newest timestamptz, out passed bigint
) language plpgsql stable as $$
declare
  rows_until bigint;
  place bigint;      -- of the page's newest row, counted from the oldest row of the list
  month date;
  day date;
  older bigint;      -- rows before the month, then rows up to the end of the day
begin
  if until = 'infinity' then
    rows_until := coalesce((select n from list_counts where list = '{{LIST}}' and level = 0 and start = '-infinity'), 0);
  else
    rows_until := {{LIST}}_rank(until);
  end if;
  total := greatest(rows_until - case when since = '-infinity' then 0 else {{LIST}}_rank(since) end, 0);

  if skip >= total then
    newest := '-infinity'; passed := 0; return;
  elsif skip <= 500 then
    newest := until; passed := skip; return;
  end if;

  place := rows_until - 1 - skip;
  select start, upto - n into month, older
  from (select start, n, sum(n) over (order by start rows unbounded preceding) as upto
        from list_counts where list = '{{LIST}}' and level = 1) months
  where upto > place order by start limit 1;
  select start, older + upto into day, older
  from (select start, sum(n) over (order by start rows unbounded preceding) as upto
        from list_counts where list = '{{LIST}}' and level = 2 and start >= month and start < month + interval '1 month') days
  where upto > place - older order by start limit 1;
  newest := (day + 1)::timestamp at time zone 'UTC';
  passed := older - 1 - place;
end $$;
