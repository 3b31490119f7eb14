-- When the background work was last done, so that every instance can report that none does it.
create or replace function note_background_round() returns void language sql
security definer set search_path = public, pg_temp as $$
  update background_rounds set finished_at = clock_timestamp()
$$;
revoke execute on function note_background_round from public;
