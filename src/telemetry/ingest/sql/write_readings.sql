-- A "target" is a tank as a request names it. Readings refer to targets, so that a tank is looked up once per request.
-- "store" is what becomes of the good readings of a target's request: they are stored ('good'), or only if none of the request
-- is refused ('all'), or not at all, since others of it were refused before ('none').
--
-- Locks are taken in the order all writers of readings keep: new readings by (tank, instant), their counts, then the
-- existing readings by (tank, instant), last the tanks' states. So writers queue, and do not deadlock.
--
-- Requests that are written together are answered as if one came after the other: the values of a reading form a sequence,
-- starting with the stored one, and each is compared with the one before it.
--
-- While spans are recorded, the setting tank_monitoring.causes holds a traceparent for each request, by its number; null for one that is not.
create or replace function write_readings(
  target_requests integer[], target_stores text[], target_customers text[], tank_ids text[], device_ids text[],
  targets integer[], instants timestamptz[], fills double precision[],
  lock_timeout_ms integer,
  out target_codes text[],
  out requests integer[], out created integer[], out updated integer[], out unchanged integer[]
) language plpgsql security definer set search_path = public, pg_temp as $$
declare
  target_keys bigint[];                                                           -- 0: nothing is stored of it
  refused_requests integer[];
  sent_keys bigint[]; sent_instants timestamptz[]; sent_fills float8[]; sent_requests integer[];
  last_keys bigint[]; last_instants timestamptz[]; last_fills float8[];           -- what is stored in the end
  new_keys bigint[] := '{}'; new_instants timestamptz[] := '{}';                  -- were not there before
  old_keys bigint[] := '{}'; old_instants timestamptz[] := '{}'; old_fills float8[] := '{}';
  more_keys bigint[]; more_instants timestamptz[]; other_keys bigint[]; other_instants timestamptz[];
  changed_keys bigint[] := '{}'; changed_instants timestamptz[] := '{}';
  causes text[] := nullif(current_setting('tank_monitoring.causes', true), '');
begin
  perform set_config('lock_timeout', lock_timeout_ms::text, true);

  select array_agg(found.key order by n), array_agg(found.code order by n) into target_keys, target_codes
  from unnest(target_customers, tank_ids, device_ids) with ordinality target (customer, tank_id, device_id, n)
  cross join lateral (
    select case when count(*) = 1 and not bool_or(deleted) then min(key) else 0 end as key,
           case when count(*) = 1 and not bool_or(deleted) then ''
                when count(*) = 1 then 'deleted_tank'
                when count(*) > 1 then 'ambiguous_device'
                when tank_id is null then 'unknown_device'
                else 'unknown_tank' end as code
    from (
      select tanks.key, tanks.deleted from tanks
      where tanks.id = tank_id and (customer is null or tanks.owner_id = customer)
      union all
      select tanks.key, tanks.deleted from tanks
      where device_key(tanks.assigned_device_id) = device_key(device_id) and not tanks.deleted
        and (customer is null or tanks.owner_id = customer)
    ) tank
  ) found;

  refused_requests := array(
    select distinct request from unnest(target_requests, target_codes) target (request, code) where code <> '');
  if cardinality(refused_requests) > 0 or 'none' = any (target_stores) then
    target_keys := array(
      select case when store = 'good' or store = 'all' and request <> all (refused_requests) then key else 0 end
      from unnest(target_requests, target_stores, target_keys) with ordinality target (request, store, key, n)
      order by n);
  end if;

  -- Of several readings of a tank and instant in one request, the last counts.
  select array_agg(tank_key), array_agg(instant), array_agg(fill), array_agg(request)
  into sent_keys, sent_instants, sent_fills, sent_requests
  from (
    select distinct on (tank_key, instant, request) tank_key, instant, fill, request
    from (
      select target_keys[target] as tank_key, instant, fill, target_requests[target] as request, n
      from unnest(targets, instants, fills) with ordinality sent (target, instant, fill, n)
    ) sent
    where tank_key > 0
    order by tank_key, instant, request, n desc
  ) sent;
  if sent_keys is null then return; end if;

  select array_agg(tank_key), array_agg(instant), array_agg(fill) into last_keys, last_instants, last_fills
  from (
    select distinct on (tank_key, instant) tank_key, instant, fill
    from unnest(sent_keys, sent_instants, sent_fills, sent_requests) sent (tank_key, instant, fill, request)
    order by tank_key, instant, request desc
  ) last;

  perform keep_states_last();
  perform hold_tanks(last_keys);
  loop
    select coalesce(array_agg(tank_key), '{}'), coalesce(array_agg(instant), '{}') into more_keys, more_instants
    from insert_readings(last_keys, last_instants, last_fills);
    new_keys := new_keys || more_keys;
    new_instants := new_instants || more_instants;
    exit when cardinality(new_keys) = cardinality(last_keys);

    -- The others exist; locked, they stay as they are seen here.
    select array_agg(tank_key), array_agg(instant) into other_keys, other_instants
    from (
      select tank_key, instant
      from (
        select tank_key, instant, false as is_new from unnest(last_keys, last_instants) last (tank_key, instant)
        union all
        select tank_key, instant, true from unnest(new_keys, new_instants) new (tank_key, instant)
      ) reading
      group by tank_key, instant having not bool_or(is_new)
    ) other;
    select coalesce(array_agg(tank_key), '{}'), coalesce(array_agg(instant), '{}'), coalesce(array_agg(level), '{}')
    into old_keys, old_instants, old_fills from lock_readings(other_keys, other_instants);
    -- One that was deleted in between is inserted after all.
    exit when cardinality(new_keys) + cardinality(old_keys) = cardinality(last_keys);
  end loop;

  if cardinality(old_keys) > 0 then
    with updated as (
      update telemetry set fill_percentage = changed.fill
      from (
        select tank_key, instant, min(fill) as fill
        from (
          select tank_key, instant, fill, null::float8 as old_fill
          from unnest(last_keys, last_instants, last_fills) last (tank_key, instant, fill)
          union all
          select tank_key, instant, null, fill from unnest(old_keys, old_instants, old_fills) old (tank_key, instant, fill)
        ) reading
        group by tank_key, instant having min(fill) <> min(old_fill)
      ) changed
      where telemetry.tank_key = changed.tank_key and telemetry.created_at = changed.instant
      returning telemetry.tank_key, telemetry.created_at
    )
    select coalesce(array_agg(tank_key), '{}'), coalesce(array_agg(created_at), '{}')
    into changed_keys, changed_instants from updated;
  end if;
  changed_keys := new_keys || changed_keys;
  if cardinality(changed_keys) > 0 then
    perform note_changed_readings(changed_keys, new_instants || changed_instants);
    perform renew_tank_states(array(select distinct tank_key from unnest(changed_keys) changed (tank_key)), is_news => true);
    if causes is not null then -- of several requests for a tank, the first stands for all
      update tanks_to_judge note set caused_by = target.cause
      from (
        select distinct on (tank_key) tank_key, causes[request] as cause
        from unnest(target_keys, target_requests) target (tank_key, request)
        where tank_key in (select unnest(changed_keys)) and causes[request] ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-01$'
        order by tank_key, request
      ) target
      where note.tank_key = target.tank_key and note.caused_by is null;
    end if;
  end if;

  select array_agg(request), array_agg(created_here), array_agg(updated_here), array_agg(unchanged_here)
  into requests, created, updated, unchanged
  from (
    select request, count(*) filter (where before is null) as created_here,
           count(*) filter (where before <> fill) as updated_here,
           count(*) filter (where before = fill) as unchanged_here
    from (
      select request, fill, lag(fill) over (partition by tank_key, instant order by request) as before
      from (
        select tank_key, instant, fill, request
        from unnest(sent_keys, sent_instants, sent_fills, sent_requests) sent (tank_key, instant, fill, request)
        union all
        select tank_key, instant, fill, 0 from unnest(old_keys, old_instants, old_fills) old (tank_key, instant, fill)
      ) reading
    ) compared
    where request > 0
    group by request
  ) request;
end $$;
revoke execute on function write_readings from public;
