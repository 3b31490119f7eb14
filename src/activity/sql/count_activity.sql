-- A list is named by its type and its actor, each of which may be empty for all.
create or replace function count_activity() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'TRUNCATE' then
    truncate activity_counts, activity_count_changes, activity_sizes;
    return null;
  end if;
  insert into activity_count_changes (list, day, n)
  select list, day, case tg_op when 'INSERT' then counted.n else -counted.n end
  from (select type, actor, (created_at at time zone 'UTC')::date as day, count(*) as n from changed_rows group by 1, 2, 3) counted
  cross join lateral (values (' '), (type || ' '), (' ' || actor), (type || ' ' || actor)) lists (list);
  return null;
end $$;
