-- What two spellings of one device have in common: an EUI in upper case without separators, any other id as it is. The service has the
-- same rule in src/tanks/device-key.ts. An index is made of it, so it stays immutable; one expression, so that it is inlined.
create or replace function device_key(id text) returns text language sql immutable parallel safe as $$
  select case
    when length(id) = 16 and id ~ '^[0-9A-Fa-f]{16}$' then upper(id collate "C")
    when length(id) = 23 and id ~ '^[0-9A-Fa-f]{2}((-[0-9A-Fa-f]{2}){7}|(:[0-9A-Fa-f]{2}){7})$'
      then upper(translate(id, '-:', '') collate "C")
    else id end
$$;
