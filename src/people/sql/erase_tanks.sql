-- Forgets tanks of a customer, at most so many, and returns how many: of a customer with many it is called again and again, a transaction
-- each, so that no statement takes long.
create or replace function erase_tanks(customer text, most integer default null) returns integer language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  keys bigint[];
begin
  perform keep_states_last();
  with erased as (
    update tanks set
      deleted = true, erased = true, name = 'Erased', custom_id = null, city = null, country = null, district = null, latitude = null, longitude = null,
      postal_code = null, region = null, street = null, street_number = null
    where key = any (array(
      select key from tanks
      where owner_id = customer and not (erased and num_nonnulls(
        custom_id, city, country, district, latitude, longitude, postal_code, region, street, street_number) = 0)
      order by key limit most))
    returning key
  )
  select coalesce(array_agg(key), '{}') into keys from erased;
  perform renew_tank_states(keys, is_news => true);
  return cardinality(keys);
end $$;
revoke execute on function erase_tanks from public;
