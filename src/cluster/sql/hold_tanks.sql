-- Whoever writes readings of several tanks calls this first: rows on several nodes cannot be locked in one order, so writers of the
-- same tanks queue here. A lock of this kind is kept until every node has committed (that of a row is not): who gets it next sees
-- the readings of the one before. A tank has one of 64, so that they do not run out.
create or replace function hold_tanks(tank_keys bigint[]) returns void language plpgsql set plan_cache_mode = auto as $$
begin
  -- The table before the tanks, as TRUNCATE and "counts rebuild" take it. LOCK would ask every node; this asks none.
  delete from telemetry where false;
  perform pg_advisory_xact_lock(hashtext('tank_monitoring.tanks'), number)
  from (select distinct (key % 64)::integer as number from unnest(tank_keys) key order by 1) lock;
end $$;
