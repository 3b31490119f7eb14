-- Removes an uplink from quarantine, of a customer or, for null, of any. Returns whether it was there.
create or replace function discard_uplink(uplink_id text, customer text) returns boolean language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  delete from quarantined_uplinks where id = uplink_id and (customer is null or customer_id = customer);
  return found;
end $$;
revoke execute on function discard_uplink from public;
