-- As for the other lists: the total of a range, and where one of its pages starts. No type means all of them.
create or replace function events_locate(
  wanted_type text, since timestamptz, until timestamptz, skip bigint,
  out total bigint, out newest timestamptz, out passed bigint
) language plpgsql stable as $$
declare
  bounds timestamptz[] := array[since, until];
  ranks bigint[];   -- how many events are older than each bound
  place bigint;     -- of the page's newest event, counted from the oldest
begin
  for i in 1..2 loop
    ranks[i] := (
      select coalesce(sum(n), 0) from event_counts
      where day < (bounds[i] at time zone 'UTC')::date and (wanted_type is null or type = wanted_type)
    ) + (
      select count(*) from events
      where created_at >= date_trunc('day', bounds[i], 'UTC') and created_at < bounds[i]
        and (wanted_type is null or type = wanted_type));
  end loop;
  total := greatest(ranks[2] - ranks[1], 0);
  if skip >= total then
    newest := '-infinity'; passed := 0; return;
  elsif skip <= 500 then
    newest := until; passed := skip; return;
  end if;
  place := ranks[2] - 1 - skip;
  select (day + 1)::timestamp at time zone 'UTC', upto - 1 - place into newest, passed
  from (select day, sum(sum(n)) over (order by day) as upto
        from event_counts where wanted_type is null or type = wanted_type group by day) days
  where upto > place order by day limit 1;
end $$;
