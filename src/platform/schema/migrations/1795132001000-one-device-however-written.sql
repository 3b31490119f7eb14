-- An EUI is one device with any separators between its digits. As the file has it (src/tanks/sql), for the index.
create or replace function device_key(id text) returns text language sql immutable parallel safe as $$
  select case when translate(split_part(id, '#', 1), ' -:.', '') ~ '^[0-9A-Fa-f]{16}$'
    then upper(translate(split_part(id, '#', 1), ' -:.', '') collate "C") || coalesce(substring(id from '#.*'), '')
    else id end
$$;
-- Made anew, since a reindex would take the function as this session has seen it last.
drop index tanks_of_device;
create index tanks_of_device on tanks (device_key(assigned_device_id)) where not deleted;

-- Of two entries that turn out to be the same message the newer one stays, as when it comes again.
delete from quarantined_uplinks one using quarantined_uplinks newer
where newer.id > one.id and device_key(newer.device_id) = device_key(one.device_id)
  and (newer.sent_at, newer.source, coalesce(newer.customer_id, '')) = (one.sent_at, one.source, coalesce(one.customer_id, ''));
update quarantined_uplinks set device_id = device_key(device_id) where device_id <> device_key(device_id);
