-- Few write events, in short transactions, so these may share the row of a day.
create or replace function count_events() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from event_counts;
    return null;
  end if;
  if tg_op in ('INSERT', 'UPDATE') then
    insert into event_counts as counted (type, day, n)
    select type, (created_at at time zone 'UTC')::date, count(*) from new_rows group by 1, 2 order by 1, 2
    on conflict (type, day) do update set n = counted.n + excluded.n;
  end if;
  if tg_op in ('DELETE', 'UPDATE') then
    update event_counts counted set n = counted.n - removed.n
    from (select type, (created_at at time zone 'UTC')::date as day, count(*) as n from old_rows group by 1, 2) removed
    where counted.type = removed.type and counted.day = removed.day;
    delete from event_counts where n = 0;
  end if;
  return null;
end $$;
