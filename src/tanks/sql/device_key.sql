-- What two spellings of one device have in common: an EUI (16 hexadecimal digits) in upper case without the spaces, hyphens, colons and dots
-- around its digits, with its channel (#name) behind it; any other id as it is. The service has the same rule in src/tanks/device-key.ts.
-- An index is made of it, so it stays immutable; one expression, so that it is inlined.
create or replace function device_key(id text) returns text language sql immutable parallel safe as $$
  select case when translate(split_part(id, '#', 1), ' -:.', '') ~ '^[0-9A-Fa-f]{16}$'
    then upper(translate(split_part(id, '#', 1), ' -:.', '') collate "C") || coalesce(substring(id from '#.*'), '')
    else id end
$$;
