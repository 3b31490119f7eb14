-- The part of an event's id that orders the events of one tank and millisecond.
create or replace function number_of_event(id text) returns integer language sql immutable as $$
  select ('x' || substr(id, 16, 3) || substr(id, 21, 3))::bit(24)::integer
$$;
