-- Of one tank's readings what LIST_locate.sql (common/pagination/sql) is for the other lists, step by step.
create or replace function telemetry_locate(
  tank bigint, since timestamptz, until timestamptz, skip bigint, out total bigint, out newest timestamptz, out passed bigint
) language plpgsql stable as $$
declare
  rows_until bigint;
  place bigint;
  month date;
  day date;
  older bigint;
begin
  if until = 'infinity' then
    rows_until := coalesce((select n from telemetry_counts where tank_key = tank and level = 0 and start = '-infinity'), 0);
  else
    rows_until := telemetry_rank(tank, until);
  end if;
  total := greatest(rows_until - case when since = '-infinity' then 0 else telemetry_rank(tank, since) end, 0);

  if skip >= total then
    newest := '-infinity'; passed := 0; return;
  elsif skip <= 500 then
    newest := until; passed := skip; return;
  end if;

  place := rows_until - 1 - skip;
  select start, upto - n into month, older
  from (select start, n, sum(n) over (order by start rows unbounded preceding) as upto
        from telemetry_counts where tank_key = tank and level = 1) months
  where upto > place order by start limit 1;
  select start, older + upto into day, older
  from (select start, sum(n) over (order by start rows unbounded preceding) as upto
        from telemetry_counts where tank_key = tank and level = 2 and start >= month and start < month + interval '1 month') days
  where upto > place - older order by start limit 1;
  newest := (day + 1)::timestamp at time zone 'UTC';
  passed := older - 1 - place;
end $$;
