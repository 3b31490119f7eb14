-- Keeps the quarantine within its bounds: drops at most "most" of those that are too many, the oldest first, and returns how many those
-- were. Each bound counts what the bounds before it leave: of a device, of a customer (keys that are bound to none count as one), of all.
-- Of all, whoever has the most gives: what is the fewest places, or bytes, from its customer's newest stays.
create or replace function drop_old_uplinks(most integer) returns integer language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  dropped integer;
begin
  -- Mostly nothing is too many, and counting is cheap beside ranking.
  perform from quarantined_uplinks
  group by grouping sets ((customer_id, device_id), (customer_id), ())
  having min(created_at) < now() - {{QUARANTINE_DAYS}} * interval '1 day'
    or case grouping(customer_id, device_id)
         when 0 then count(*) > {{QUARANTINE_OF_DEVICE}}
         when 1 then count(*) > {{QUARANTINE_OF_CUSTOMER}} or sum(bytes) > {{QUARANTINE_OF_CUSTOMER_BYTES}}
         else count(*) > {{QUARANTINE_IN_ALL}} or sum(bytes) > {{QUARANTINE_IN_ALL_BYTES}} end;
  if not found then return 0; end if;

  delete from quarantined_uplinks where id = any (array( -- found once, whatever the planner thinks of the table's size
    select id
    from (
      select id, is_over,
             row_number() over (partition by is_over order by place, created_at desc, id desc) as place,
             sum(bytes) over (partition by is_over order by bytes_up_to_here, created_at desc, id desc) as bytes_up_to_here
      from (
        select id, created_at, bytes, place, bytes_up_to_here,
               is_over or place > {{QUARANTINE_OF_CUSTOMER}} or bytes_up_to_here > {{QUARANTINE_OF_CUSTOMER_BYTES}} as is_over
        from (
          select id, created_at, bytes, is_over, row_number() over newest as place, sum(bytes) over newest as bytes_up_to_here
          from (
            select id, created_at, customer_id, bytes,
                   created_at < now() - {{QUARANTINE_DAYS}} * interval '1 day'
                     or row_number() over (partition by device_id, customer_id order by created_at desc, id desc) > {{QUARANTINE_OF_DEVICE}} as is_over
            from quarantined_uplinks
          ) of_device
          window newest as (partition by is_over, customer_id order by created_at desc, id desc)
        ) of_customer
      ) of_all
    ) kept
    where is_over or place > {{QUARANTINE_IN_ALL}} or bytes_up_to_here > {{QUARANTINE_IN_ALL_BYTES}}
    limit most));
  get diagnostics dropped = row_count;
  return dropped;
end $$;
revoke execute on function drop_old_uplinks from public;
