-- Notes for each customer what a statement has added to its activity and what it has removed.
create or replace function size_activity() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    insert into activity_sizes (owner_id, n, bytes)
    select coalesce(owner_id, ''), -count(*), -sum(octet_length(changes::text)) from removed group by 1;
  end if;
  if tg_op <> 'DELETE' then
    insert into activity_sizes (owner_id, n, bytes)
    select coalesce(owner_id, ''), count(*), sum(octet_length(changes::text)) from added group by 1;
  end if;
  return null;
end $$;
revoke execute on function size_activity from public;
