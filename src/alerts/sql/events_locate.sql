-- As for the other lists: the total of a range, and where one of its pages starts. No type means all of them.
create or replace function events_locate(
  wanted_type text, since timestamptz, until timestamptz, skip bigint,
  out total bigint, out newest timestamptz, out passed bigint
) language plpgsql stable as $$
declare
  rows_until bigint := events_rank(wanted_type, until);
  place bigint;     -- of the page's newest event, counted from the oldest
  found_day date;
  upto bigint;      -- events up to the end of that day
begin
  total := greatest(rows_until - events_rank(wanted_type, since), 0);
  if skip >= total then
    newest := '-infinity'; passed := 0; return;
  elsif skip <= 500 then
    newest := until; passed := skip; return;
  end if;
  place := rows_until - 1 - skip;
  select day, running into found_day, upto
  from (select day, sum(sum(n)) over (order by day) as running
        from event_counts where wanted_type is null or type = wanted_type group by day) days
  where running > place order by day limit 1;
  newest := (found_day + 1)::timestamp at time zone 'UTC';
  passed := upto - 1 - place;
end $$;
