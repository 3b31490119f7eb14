-- Whoever writes readings of several tanks calls this first. On one machine rows are locked in one order, so nothing is held
-- here but the table: a TRUNCATE of the readings takes it first, and the tanks' states after it.
create or replace function hold_tanks(tank_keys bigint[]) returns void language plpgsql as $$
begin
  lock table telemetry in access share mode;
end $$;
