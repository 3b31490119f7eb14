-- Keeps a message that can never become a reading in quarantine, and returns its id. Each has an entry of its own, whatever else came in
-- the same millisecond; of one that is delivered once more ("again") there may be one already.
create or replace function keep_malformed_uplink(
  sender text, customer text, device text, arrived timestamptz, message text, again boolean
) returns text language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  moment timestamptz := arrived;
  kept_id text;
begin
  if again then
    select id into kept_id from quarantined_uplinks
    where device_id = device and source = sender and customer_id is not distinct from customer and reason = 'malformed'
      and payload = message
    limit 1;
  end if;
  while kept_id is null loop
    insert into quarantined_uplinks (id, created_at, source, customer_id, device_id, sent_at, reason, payload)
    values (event_id(arrived), arrived, sender, customer, device, moment, 'malformed', message)
    on conflict (device_id, sent_at, source, coalesce(customer_id, '')) do nothing
    returning id into kept_id;
    moment := moment + interval '1 millisecond';
  end loop;
  return kept_id;
end $$;
revoke execute on function keep_malformed_uplink from public;
