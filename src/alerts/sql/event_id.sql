-- A UUIDv7: the time, a number that orders the events of one tank and millisecond, then random bits, so that an id says nothing about
-- other tanks. One expression, so that it is inlined where it is called.
create or replace function event_id(recorded_at timestamptz, number integer default 0) returns text language sql volatile as $$
  select (lpad(to_hex(floor(extract(epoch from recorded_at) * 1000)::bigint), 12, '0')
          || '7' || lpad(to_hex(number >> 12), 3, '0') || '8' || lpad(to_hex(number & 4095), 3, '0')
          || right(gen_random_uuid()::text, 12))::uuid::text
$$;
