-- Gives what is committed the next positions, and returns how many it has placed. What commits later gets a later position, so there is
-- no horizon to wait for: open, prepared and aborted transactions, savepoints and gaps in sequences need no thought. One call at a
-- time, by a lock that is kept until after the commit; the statements below it have younger snapshots, and so need read committed.
-- Of an object all notes are taken at once: that a tank has left or is gone comes before what it is now. Readings and events come after
-- the objects of the same transaction: they are looked for first, and wait while there are more objects than one call places.
create or replace function place_changes(most integer default 20000) returns integer language plpgsql
security definer set search_path = public, pg_temp set plan_cache_mode = auto as $$
declare
  others tid[]; busy integer[]; ids text[]; has_all_objects boolean;
  head record; placed integer;
begin
  if not exists (select from change_notes) or current_setting('transaction_isolation') <> 'read committed'
     or not pg_try_advisory_xact_lock({{LOCK_CHANGES}}) then
    return 0;
  end if;
  -- A position that was read must not be lost by a crash.
  if current_setting('synchronous_commit') = 'off' then perform set_config('synchronous_commit', 'on', true); end if;

  others := array(select ctid from change_notes where kind in ('r', 'e') limit most);
  busy := tanks_being_written();
  ids := array(select id from change_notes where kind not in ('r', 'e') limit most);
  has_all_objects := cardinality(ids) < most;
  select position, greatest(clock_timestamp(), placed_at) as now into strict head
  from change_feed order by position desc limit 1;

  with objects as (
    delete from change_notes where kind not in ('r', 'e') and (has_all_objects or id = any (ids))
    returning kind, id, owner_id
  ), taken as (
    delete from change_notes
    where has_all_objects and ctid = any (others) and (tank_key is null or (tank_key % 64)::integer <> all (busy))
    returning kind, id, owner_id, tank_key, since, until
  ), due as (
    select distinct strpos('cldt', kind) as rank, kind, id, owner_id,
           null::bigint as tank_key, null::timestamptz as since, null::timestamptz as until
    from objects
    union all
    select distinct case kind when 'r' then 5 else 6 end, kind, id, owner_id, tank_key, since, until from taken
  )
  insert into change_feed (position, placed_at, kind, id, owner_id, tank_key, since, until)
  select head.position + row_number() over (order by rank, id, tank_key, since), head.now,
         kind, id, owner_id, tank_key, since, until
  from due;
  get diagnostics placed = row_count;
  return placed;
end $$;
revoke execute on function place_changes from public;
