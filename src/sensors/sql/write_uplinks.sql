-- write_readings() for requests of which some are uplinks, with what else those leave, in the same transaction: what they say about the
-- sensor of their tank, and the ones that could not become a reading, in quarantine. "uplinks" is an array, one element an uplink:
--   request            its number, counted from 1
--   history            the number that the readings of its history have; null for none
--   tank_key           the tank whose sensor it is about; null for none
--   is_status          it is about the battery only
--   sent_at, battery_percent, temperature_celsius, rssi_dbm, snr_db, gateway_id, frame_counter, level, fill_percentage
--   source, customer_id, device_id       with sent_at its identity in quarantine; source is null for a status, which is never kept
--   reason             why it is kept there; null when it became a reading or is no measurement, and leaves
--   payload, detail, topic, form         what is kept
--   arrived_at         when it came, if not now
--   keep_each          it has an entry of its own, whatever else came in the same millisecond
--   is_again           it was delivered before: there may be an entry already
--   kept_as            its id, when it is tried again: only its reason and detail may change
-- After the locks of write_readings() come those of the sensors and of what is in quarantine, by tank and device.
create or replace function write_uplinks(
  target_requests integer[], target_stores text[], target_customers text[], tank_ids text[], device_ids text[],
  targets integer[], instants timestamptz[], fills double precision[],
  lock_timeout_ms integer, uplinks json,
  out target_codes text[],
  out requests integer[], out created integer[], out updated integer[], out unchanged integer[],
  out uplink_ids text[]
) language plpgsql security definer set search_path = public, pg_temp as $$
declare
  refused integer[] := '{}';
  said record;
  kept_id text;
  kept_at timestamptz;
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
begin
  select coalesce(written.target_codes, '{}'), written.requests, written.created, written.updated, written.unchanged
  into target_codes, requests, created, updated, unchanged
  from write_readings(target_requests, target_stores, target_customers, tank_ids, device_ids, targets, instants, fills,
                      lock_timeout_ms) written;
  -- Of these the tank has gone meanwhile: the caller finds out what they mean now.
  if cardinality(array_remove(target_codes, '')) > 0 then
    refused := array(
      select request from unnest(target_requests, target_codes) target (request, code) where code <> '');
  end if;

  for said in
    select * from json_to_recordset(uplinks) uplink (
      request integer, history integer, tank_key bigint, is_status boolean, sent_at timestamptz, battery_percent float8,
      temperature_celsius float8, rssi_dbm float8, snr_db float8, gateway_id text, frame_counter bigint, level float8,
      fill_percentage float8, source text, customer_id text, device_id text, reason text, payload text, kept_as text,
      detail text, topic text, form text, arrived_at timestamptz, keep_each boolean, is_again boolean)
    order by tank_key, device_id, sent_at, source, customer_id, request
  loop
    continue when said.request = any (refused) or said.history = any (refused);
    if said.tank_key is not null and not said.is_status then
      update tank_sensors
      set received_at = said.sent_at, temperature_celsius = said.temperature_celsius, rssi_dbm = said.rssi_dbm,
          snr_db = said.snr_db, gateway_id = said.gateway_id, frame_counter = said.frame_counter, level = said.level,
          fill_percentage = said.fill_percentage,
          battery_percent = case when said.battery_percent is not null and coalesce(battery_at <= said.sent_at, true)
                                 then said.battery_percent else battery_percent end,
          battery_at = case when said.battery_percent is not null and coalesce(battery_at <= said.sent_at, true)
                            then said.sent_at else battery_at end
      where tank_key = said.tank_key and coalesce(received_at <= said.sent_at, true);
    end if;
    -- What a status message says, or an uplink that is not the newest.
    if said.tank_key is not null and said.battery_percent is not null and (said.is_status or not found) then
      update tank_sensors set battery_percent = said.battery_percent, battery_at = said.sent_at
      where tank_key = said.tank_key and coalesce(battery_at <= said.sent_at, true);
    end if;

    if said.source is null then continue;
    elsif said.reason is null then
      delete from quarantined_uplinks where id = said.kept_as;
      delete from quarantined_uplinks
      where device_id = said.device_id and sent_at = said.sent_at and source = said.source
        and coalesce(customer_id, '') = coalesce(said.customer_id, '') and not coalesce(said.keep_each, false);
    elsif said.kept_as is not null then
      update quarantined_uplinks set reason = said.reason, detail = said.detail
      where id = said.kept_as and (reason, detail) is distinct from (said.reason, said.detail);
    else
      kept_id := case when said.is_again then (
        select id from quarantined_uplinks
        where device_id = said.device_id and source = said.source and customer_id is not distinct from said.customer_id
          and reason = said.reason and payload = said.payload
        limit 1) end;
      kept_at := said.sent_at;
      while kept_id is null loop
        insert into quarantined_uplinks (
          id, created_at, source, customer_id, device_id, sent_at, reason, payload, detail, topic, form)
        values (event_id(coalesce(said.arrived_at, moment), said.request), coalesce(said.arrived_at, moment), said.source,
                said.customer_id, said.device_id, kept_at, said.reason, said.payload, said.detail, said.topic, said.form)
        on conflict (device_id, sent_at, source, coalesce(customer_id, ''))
          do update set reason = excluded.reason, payload = excluded.payload, detail = excluded.detail, topic = excluded.topic
          where not coalesce(said.keep_each, false)
        returning id into kept_id;
        kept_at := kept_at + interval '1 millisecond';
      end loop;
      -- Without this, an array that begins elsewhere would begin there.
      uplink_ids := coalesce(uplink_ids, array_fill(null::text, array[1]));
      uplink_ids[said.request] := kept_id;
    end if;
  end loop;
end $$;
revoke execute on function write_uplinks from public;
