-- A UUIDv7 (time-ordered, so new rows land at the right edge of the index); PostgreSQL has its own only from 18 on.
create or replace function new_id() returns text language sql volatile parallel safe as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
        from 1 for 6),
      52, 1), 53, 1),
    'hex')::uuid::text
$$;
