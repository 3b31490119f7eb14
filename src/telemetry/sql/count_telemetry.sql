-- Keeps the counts of readings as count_LIST.sql (common/pagination/sql) those of the other lists. A count of nothing would still hold on to
-- its tank, and so goes.
create or replace function count_telemetry() returns trigger language plpgsql as $$
declare
  tanks bigint[];
  days date[];
  changes integer[];
begin
  if tg_op = 'INSERT' then
    select array_agg(tank_key), array_agg(day), array_agg(n) into tanks, days, changes
    from (select tank_key, (created_at at time zone 'UTC')::date as day, count(*) as n from new_rows group by 1, 2) change;
  elsif tg_op = 'DELETE' then
    select array_agg(tank_key), array_agg(day), array_agg(-n) into tanks, days, changes
    from (select tank_key, (created_at at time zone 'UTC')::date as day, count(*) as n from old_rows group by 1, 2) change;
  else
    select array_agg(tank_key), array_agg(day), array_agg(n) into tanks, days, changes
    from (select tank_key, (created_at at time zone 'UTC')::date as day, sum(n) as n
          from (select tank_key, created_at, 1 as n from new_rows union all select tank_key, created_at, -1 from old_rows) moved
          group by 1, 2 having sum(n) <> 0) change;
  end if;

  if tanks is null then return null; end if;

  insert into telemetry_counts as counted (tank_key, level, start, n)
  select tank, level, start, sum(n)
  from unnest(tanks, days, changes) change (tank, day, n)
  cross join lateral (values
    (0, date '-infinity'), (1, date_trunc('month', day::timestamp)::date), (2, day)) bucket (level, start)
  group by tank, level, start having sum(n) <> 0
  order by tank, level, start
  on conflict (tank_key, level, start) do update set n = counted.n + excluded.n;

  if tg_op <> 'INSERT' then
    delete from telemetry_counts where tank_key = any (tanks) and n = 0;
  end if;
  return null;
end $$;
