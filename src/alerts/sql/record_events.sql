-- Writes events, in their order, with all that is needed to act without asking back. When a clock was set back, a tank's next events
-- still come after its newest. That one is looked up before anything is inserted: each look would pass over all of this write.
create or replace function record_events(
  keys bigint[], types text[], ats timestamptz[], levels double precision[],
  befores timestamptz[], before_levels double precision[], silences integer[]
) returns void language plpgsql as $$
declare
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
  recorded_ats timestamptz[]; numbers integer[];
begin
  select array_agg(greatest(moment, last.created_at) order by place),
         array_agg(happened.number + coalesce(number_of_event(last.id), 0) order by place) into recorded_ats, numbers
  from (select tank_key, place, row_number() over (partition by tank_key order by place)::integer as number
        from unnest(keys) with ordinality happened (tank_key, place)) happened
  left join tanks tank on tank.key = happened.tank_key
  left join lateral (
    select id, created_at from events where events.tank_id = tank.id and events.created_at >= moment
    order by created_at desc, id desc limit 1
  ) last on true;

  insert into events (id, type, created_at, tank_id, owner_id, data, caused_by)
  select event_id(event.recorded_at, event.number), event.type, event.recorded_at, event.tank_id, event.owner_id, event.data, event.caused_by
  from (
    select happened.type, tank.id as tank_id, tank.owner_id, happened.recorded_at, happened.number, note.caused_by,
           json_build_object(
             'reading', json_build_object('created_at', to_char(happened.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'fill_percentage', happened.fill),
             'before', case when happened.before_at is not null then json_build_object(
               'created_at', to_char(happened.before_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'fill_percentage', happened.before_fill) end,
             'min_fill_alert_percentage', tank.min_fill_alert_percentage,
             'silent_after_seconds', happened.silence,
             'tank', json_build_object(
               'name', tank.name, 'custom_id', tank.custom_id, 'capacity', tank.capacity, 'capacity_unit', tank.capacity_unit),
             'owner', json_build_object('name', owner.name, 'email', owner.email),
             'location', json_build_object(
               'city', tank.city, 'country', tank.country, 'district', tank.district, 'latitude', tank.latitude,
               'longitude', tank.longitude, 'postal_code', tank.postal_code, 'region', tank.region,
               'street', tank.street, 'street_number', tank.street_number)) as data
    from unnest(keys, types, ats, levels, befores, before_levels, silences, recorded_ats, numbers) with ordinality
         happened (tank_key, type, at, fill, before_at, before_fill, silence, recorded_at, number, place)
    join tanks tank on tank.key = happened.tank_key
    left join tanks_to_judge note on note.tank_key = happened.tank_key
    left join customers owner on owner.id = tank.owner_id and not owner.deleted
    order by happened.place
  ) event;
end $$;
