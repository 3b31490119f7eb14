-- Writes a tank: a new one when "version" is null, otherwise the one that was read in this version. Returns it as it is now, or nothing
-- when it is another version now, when "owner" is no live customer, or when another live tank has "device"; these two are null
-- where they do not matter. "given" are the columns that change. An id that is null is made here.
--
-- Locks: the device, the table, the owner, the tank. An import locks the tables and then rows of customers, so nobody may hold such a
-- row and wait for the table. The owner is locked against its deletion, which locks it "for update".
create or replace function write_tank(tank_id text, version text, given jsonb, owner text, device text)
returns setof tanks language plpgsql security definer set search_path = public, pg_temp as $$
declare
  clock timestamptz;
  fresh tanks;
begin
  perform forget_settings();
  if device is not null then
    perform pg_advisory_xact_lock(hashtextextended('tank_monitoring.device ' || device_key(device), 0));
  end if;
  lock table tanks in row exclusive mode;
  if owner is not null then
    perform from customers where id = owner and not deleted for key share;
    if not found then return; end if;
  end if;
  if version is not null then
    select * into fresh from tanks where id = tank_id and xmin::text = version for no key update;
    if not found then return; end if;
  end if;
  if device is not null and exists (
    select from tanks
    where device_key(assigned_device_id) = device_key(device) and not deleted and id is distinct from tank_id) then
    return;
  end if;

  perform set_config('tank_monitoring.updated_at', 'given', true);
  clock := date_trunc('milliseconds', clock_timestamp());
  fresh := jsonb_populate_record(fresh, given);
  if version is null then
    return query
      insert into tanks (id, created_at, updated_at, owner_id, name, custom_id, assigned_device_id, capacity, capacity_unit, use_case,
                         min_fill_alert_percentage, city, country, district, latitude, longitude, postal_code, region, street,
                         street_number)
      values (coalesce(tank_id, new_id()), coalesce(fresh.created_at, clock), clock, fresh.owner_id, fresh.name, fresh.custom_id,
              fresh.assigned_device_id, fresh.capacity, fresh.capacity_unit, fresh.use_case, fresh.min_fill_alert_percentage,
              fresh.city, fresh.country, fresh.district, fresh.latitude, fresh.longitude, fresh.postal_code, fresh.region,
              fresh.street, fresh.street_number)
      on conflict (id) do nothing
      returning tanks.*;
  else
    return query
      update tanks
      set updated_at = least(greatest(clock, fresh.updated_at + interval '1 millisecond'), '9999-12-31 23:59:59.999Z'),
          deleted = fresh.deleted, owner_id = fresh.owner_id, name = fresh.name, custom_id = fresh.custom_id,
          assigned_device_id = fresh.assigned_device_id, capacity = fresh.capacity, capacity_unit = fresh.capacity_unit,
          use_case = fresh.use_case, min_fill_alert_percentage = fresh.min_fill_alert_percentage, city = fresh.city,
          country = fresh.country, district = fresh.district, latitude = fresh.latitude, longitude = fresh.longitude,
          postal_code = fresh.postal_code, region = fresh.region, street = fresh.street, street_number = fresh.street_number
      where tanks.id = tank_id
      returning tanks.*;
  end if;
end $$;
revoke execute on function write_tank from public;
