-- Removes at most "most" old changes. The newest of them stays: it is what cursors point to that have missed
-- nothing younger.
create or replace function forget_changes(most integer) returns integer language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  old bigint[]; forgotten integer;
begin
  old := array(
    select position from (select position, placed_at from change_feed order by position limit most + 1) oldest
    where placed_at < clock_timestamp() - {{CHANGES_DAYS}} * interval '1 day' order by position);
  delete from change_feed where position = any (old[:cardinality(old) - 1]);
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;
revoke execute on function forget_changes from public;
