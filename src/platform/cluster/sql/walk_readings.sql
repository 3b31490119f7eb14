-- As on one machine. The tanks are the coordinator's, their readings are not: one question to all nodes for the next few tanks, of which
-- there are more each time.
create or replace function walk_readings(
  visible_owner_id text, after_key bigint, after_instant timestamptz, since timestamptz, until timestamptz, most integer
) returns table (tank_key bigint, tank_id text, moments text, fills text)
language plpgsql stable set plan_cache_mode = auto as $$
declare
  keys bigint[]; ids text[]; reading record; first_key bigint := after_key; tanks integer := 1; given integer := 0;
begin
  loop
    select array_agg(next.tank_key), array_agg(next.tank_id) into keys, ids
    from (select state.tank_key, state.tank_id from tank_states state
          where state.fleet_group is not null and state.tank_key >= first_key and state.reported_at >= since
            and (visible_owner_id is null or state.owner_id = visible_owner_id)
          order by state.tank_key limit tanks) next;
    exit when keys is null;
    for reading in
      select tank.tank_key, tank.moments, tank.fills
      from readings_between(keys, array(
        select case when key = after_key then greatest(since, after_instant + interval '1 ms') else since end
        from unnest(keys) with ordinality wanted (key, place) order by place), until, most) tank
      where tank.moments is not null order by tank.tank_key
    loop
      tank_key := reading.tank_key;
      tank_id := ids[array_position(keys, tank_key)];
      moments := array_to_string(array(
        select to_timestamp(ms / 1000)::timestamptz(3) from unnest(reading.moments) with ordinality moment (ms, place) order by place), ',');
      fills := array_to_string(reading.fills, ',');
      return next;
      given := given + cardinality(reading.moments);
      if given >= most then return; end if;
    end loop;
    first_key := keys[cardinality(keys)] + 1;
    tanks := least(tanks * 2, 100);
  end loop;
end $$;
