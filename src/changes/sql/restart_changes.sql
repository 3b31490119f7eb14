-- The feed begins anew: rows were written past the triggers, so whoever follows has missed something and gets a 410.
create or replace function restart_changes() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock({{LOCK_CHANGES}});
  insert into change_feed (position, placed_at, kind)
  select position + 1, greatest(clock_timestamp(), placed_at), 's' from change_feed order by position desc limit 1;
end $$;
