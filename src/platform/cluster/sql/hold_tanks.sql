-- Called first by whoever writes readings of several tanks: rows on several nodes cannot be locked in one order, so writers of the same
-- tanks queue here. This kind of lock is kept until every node has committed (that of a row is not). A tank has one of 64.
create or replace function hold_tanks(tank_keys bigint[]) returns void language plpgsql set plan_cache_mode = auto as $$
begin
  -- The table before the tanks, as TRUNCATE and "counts rebuild" take it. LOCK would ask every node; this asks none.
  delete from telemetry where false;
  perform pg_advisory_xact_lock({{LOCK_TANKS}}, number)
  from (select distinct (key % 64)::integer as number from unnest(tank_keys) key order by 1) lock;
end $$;
