-- Keeps the quarantine within its bounds: drops at most "most" of the oldest that are too many, and returns how many those were.
create or replace function drop_old_uplinks(most integer) returns integer language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  dropped integer;
begin
  delete from quarantined_uplinks where id = any (array( -- found once, whatever the planner thinks of the table's size
    select id
    from (
      select id, created_at, row_number() over newest as place, sum(bytes) over newest as bytes_up_to_here,
             row_number() over (partition by device_id, customer_id order by created_at desc, id desc) as place_of_device
      from quarantined_uplinks
      window newest as (order by created_at desc, id desc)
    ) kept
    where created_at < now() - interval '30 days' or place_of_device > 1000
      or place > 100000 or bytes_up_to_here > 1073741824
    limit most));
  get diagnostics dropped = row_count;
  return dropped;
end $$;
revoke execute on function drop_old_uplinks from public;
