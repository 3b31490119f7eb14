-- Called first by whoever writes readings of several tanks. On one machine rows are locked in one order, so only the table is locked
-- here, as a TRUNCATE does: the table first, and then the tanks' states.
create or replace function hold_tanks(tank_keys bigint[]) returns void language plpgsql as $$
begin
  lock table telemetry in access share mode;
end $$;
