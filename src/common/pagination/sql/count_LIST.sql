-- Keeps the counts, with the rights of their owner: who may write customers and tanks may not write these. In two steps, first the transition
-- tables into arrays, then the arrays into the counts, in one fixed order (level, start), so that writers queue and do not deadlock.
create or replace function count_{{LIST}}() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  days date[];
  changes integer[];
begin
  if tg_op = 'INSERT' then
    select array_agg(day), array_agg(n) into days, changes
    from (select (created_at at time zone 'UTC')::date as day, count(*) as n from new_rows where not deleted group by 1) change;
  elsif tg_op = 'DELETE' then
    select array_agg(day), array_agg(-n) into days, changes
    from (select (created_at at time zone 'UTC')::date as day, count(*) as n from old_rows where not deleted group by 1) change;
  else
    select array_agg(day), array_agg(n) into days, changes
    from (select (created_at at time zone 'UTC')::date as day, sum(n) as n
          from (select created_at, 1 as n from new_rows where not deleted
                union all select created_at, -1 from old_rows where not deleted) moved
          group by 1 having sum(n) <> 0) change;
  end if;

  if days is null then return null; end if;

  insert into list_counts as counted (list, level, start, n)
  select '{{LIST}}', level, start, sum(n)
  from unnest(days, changes) change (day, n)
  cross join lateral (values
    (0, date '-infinity'), (1, date_trunc('month', day::timestamp)::date), (2, day)) bucket (level, start)
  group by level, start having sum(n) <> 0
  order by level, start
  on conflict (list, level, start) do update set n = counted.n + excluded.n;
  return null;
end $$;
