-- A count on a worker refers to the key of its tank, of which every node has a copy.
create or replace function mirror_tank_keys() returns trigger language plpgsql
security definer set search_path = public, pg_temp set plan_cache_mode = auto as $$
declare
  keys bigint[];
begin
  if tg_op = 'INSERT' then
    select array_agg(key) into keys from new_rows;
    if keys is not null then insert into tank_keys select unnest(keys); end if;
  else
    select array_agg(key) into keys from old_rows;
    if keys is not null then delete from tank_keys where key = any (keys); end if;
  end if;
  return null;
end $$;
