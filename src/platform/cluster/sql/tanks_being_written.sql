-- A writer's commit is seen here before the workers have committed, but its lock (see hold_tanks) is kept until they have: so notes that
-- were seen before this call are of readings that are committed everywhere, unless their lock is held still. A lock is let go of at once.
-- One that is held is waited for, for a second in all: where there is always a next writer, it would never be free.
create or replace function tanks_being_written() returns integer[] language plpgsql set lock_timeout = '100ms' as $$
declare
  tanks constant integer := {{LOCK_TANKS}};
  waits_until timestamptz := clock_timestamp() + interval '1 second';
  busy integer[] := '{}';
begin
  for number in 0 .. 63 loop
    if pg_try_advisory_lock_shared(tanks, number) then
      perform pg_advisory_unlock_shared(tanks, number);
    elsif clock_timestamp() > waits_until then
      busy := busy || number;
    else
      begin
        perform pg_advisory_lock_shared(tanks, number);
        perform pg_advisory_unlock_shared(tanks, number);
      exception when lock_not_available then
        busy := busy || number;
      end;
    end if;
  end loop;
  return busy;
end $$;
