-- As on one machine. One question to all nodes for up to 100 changes in a row of different tanks: the instants are found by the place of
-- the key, as in readings_of().
create or replace function changed_readings(
  places bigint[], tank_keys bigint[], sinces timestamptz[], untils timestamptz[], visible_owner_id text, most integer
) returns table (place bigint, tank_id text, created_at timestamptz, fill_percentage double precision)
language plpgsql stable set plan_cache_mode = auto as $$
declare
  change record;
  keys bigint[] := '{}'; froms timestamptz[]; tos timestamptz[]; ids text[]; theirs bigint[];
  returned bigint; total bigint := 0;
begin
  for change in
    select given.*, tank.id from unnest(tank_keys, sinces, untils, places) given (tank_key, since, until, place)
    join tanks tank on tank.key = given.tank_key and not tank.deleted
      and (visible_owner_id is null or tank.owner_id = visible_owner_id)
    union all
    select null, null, null, null, null -- asks for the last ones
    order by place
  loop
    if cardinality(keys) = 100 or change.tank_key = any (keys) or change.tank_key is null then
      return query
        with found as materialized (
          select counted.tank_key, reading.moments, reading.fills
          from telemetry_counts counted
          cross join lateral (
            select array_agg(between_instants.created_at order by between_instants.created_at) as moments,
                   array_agg(between_instants.fill_percentage order by between_instants.created_at) as fills
            from (select telemetry.created_at, telemetry.fill_percentage from telemetry
                  where telemetry.tank_key = counted.tank_key
                    and telemetry.created_at >= froms[array_position(keys, counted.tank_key)]
                    and telemetry.created_at <= tos[array_position(keys, counted.tank_key)]
                  order by telemetry.created_at limit 1001) between_instants
          ) reading
          where counted.tank_key = any (keys) and counted.level = 0
        )
        select wanted.place, wanted.id, reading.created_at, reading.fill_percentage
        from unnest(keys, ids, theirs) wanted (tank_key, id, place)
        left join found on found.tank_key = wanted.tank_key
        left join lateral unnest(found.moments::timestamptz[], found.fills) reading (created_at, fill_percentage) on true
        order by wanted.place, reading.created_at;
      get diagnostics returned = row_count;
      total := total + returned;
      exit when change.tank_key is null or total >= most;
      keys := '{}'; froms := '{}'; tos := '{}'; ids := '{}'; theirs := '{}';
    end if;
    keys := keys || change.tank_key; froms := froms || change.since; tos := tos || change.until;
    ids := ids || change.id; theirs := theirs || change.place;
  end loop;
end $$;
