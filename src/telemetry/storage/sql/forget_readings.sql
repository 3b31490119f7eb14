-- Of the next 10,000 tanks after "after_tank", removes at most "most" readings of the months before "keep_from", the first day of a month.
-- "reached" is where to go on, null after the last tank. No event is emitted. One call at a time, each a short transaction.
create or replace function forget_readings(
  keep_from date, after_tank bigint, most integer, out forgotten integer, out reached bigint
) language plpgsql security definer set search_path = public, pg_temp as $$
declare
  tank_keys bigint[]; old_keys bigint[];
begin
  -- No setting can ask for it: whoever may call this still cannot erase everything.
  if keep_from > date_trunc('month', now() at time zone 'UTC') then
    raise 'Readings of the current month are not removed.' using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock({{LOCK_OLD_READINGS}});
  select array_agg(key order by key), max(key) into tank_keys, reached
  from (select key from tanks where key > after_tank order by key limit 10000) next_tanks;

  perform keep_states_last();
  old_keys := remove_old_readings(tank_keys, keep_from::timestamp at time zone 'UTC', most);
  forgotten := coalesce(cardinality(old_keys), 0);
  if forgotten = 0 then return; end if;

  perform renew_tank_states(array(select distinct unnest(old_keys)), is_news => false);
  -- The last tank may have more of them.
  if forgotten = most then reached := old_keys[most] - 1; end if;
end $$;
revoke execute on function forget_readings from public;
