-- Forgets a customer for good: what it is called, where its tanks are and who belongs to it, wherever that is kept. Readings stay. The order
-- of locks is that of all who write: the customer, its tanks, then the rest. "is_changed": there was something to erase.
create or replace function erase_customer(customer text, out counts json, out is_changed boolean) language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  tank_ids text[]; note_names text[]; moved_ids text[]; actors text[];
  n_tanks integer; n_recipients integer; n_users integer; n_keys integer; n_endpoints integer; n_events integer; n_activity integer;
  n_notices integer; n_named integer; n_run_activity integer;
begin
  tank_ids := array(select id from tanks where owner_id = customer);
  n_tanks := erase_tanks(customer);
  update customers set deleted = true, erased = true, name = 'Erased', email = 'erased@invalid', phone = null
  where id = customer and not (erased and email = 'erased@invalid' and phone is null);
  is_changed := found;

  -- What drivers noted at its tanks, and what was recorded of that.
  update run_stops set note = null where tank_id = any (tank_ids) and note is not null;
  note_names := array(select 'stops.' || id || '.note' from unnest(tank_ids) id);
  update activity set changes = (
    select coalesce(json_object_agg(key, value order by place), '{}')
    from json_each(changes) with ordinality field (key, value, place) where key <> all (note_names))
  where type = 'run' and exists (select from json_object_keys(changes) key where key = any (note_names));
  get diagnostics n_run_activity = row_count;

  -- Those who left before, and tanks that did, are known by what was recorded of them; who is somebody else's user now stays known.
  moved_ids := array(select distinct object_id from activity where type = 'tank' and owner_id = customer);
  actors := array(
    select id from users where customer_id = customer
    union select prefix from api_keys where customer_id = customer
    union select object_id from activity where type in ('user', 'key') and owner_id = customer
    except select id from users where customer_id is distinct from customer);
  delete from users where customer_id = customer;
  get diagnostics n_users = row_count;
  update api_keys set name = 'Erased', revoked_at = coalesce(revoked_at, now())
  where customer_id = customer and not (name = 'Erased' and revoked_at is not null);
  get diagnostics n_keys = row_count;
  delete from webhook_endpoints where customer_id = customer;
  get diagnostics n_endpoints = row_count;

  -- What its senders are called, the addresses it gave them, and what of theirs waits.
  delete from sources where customer_id = customer;
  delete from source_tokens where source_tokens.customer = erase_customer.customer;
  delete from quarantined_uplinks where customer_id = customer;

  select count(*) into n_notices from notices where recipient_id in (select id from recipients where owner_id = customer);
  delete from recipients where owner_id = customer;
  get diagnostics n_recipients = row_count;
  -- What limits how much an address is sent stays for its day, as hashes.
  delete from address_history where owner_id = customer and what = 'unsubscribed';

  -- Whoever judges these tanks now has read their names: their events come first.
  perform from tanks_to_judge where tank_key = any (array(select key from tanks where owner_id = customer)) for update;
  update events set data = erased_event(data, owner_id = customer)
  where (owner_id = customer or tank_id = any (tank_ids)) and data::jsonb <> erased_event(data, owner_id = customer)::jsonb;
  get diagnostics n_events = row_count;

  -- Of those who are told about all tanks.
  update notices set subject = 'Erased'
  where kind = 'events' and subject <> 'Erased'
    and event_ids && array(select id from events where owner_id = customer or tank_id = any (tank_ids));
  get diagnostics n_named = row_count;
  n_notices := n_notices + n_named;

  -- A tank that was given away is called as its new owner wants. From when to when readings were deleted says nothing about anybody.
  with found as (
    select created_at, id,
           coalesce(owner_id = customer, false) or type in ('tank', 'sensor') and object_id = any (tank_ids)
             or type = 'user' and object_id = any (actors) as is_object,
           type = 'tank' and coalesce(changes -> 'owner_id' ->> 'from' = customer, false) as is_moved,
           actor = any (actors) as is_actor
    from activity
    where owner_id = customer or actor = any (actors) or type in ('tank', 'sensor') and object_id = any (tank_ids)
       or type = 'user' and object_id = any (actors)
       or type = 'tank' and object_id = any (moved_ids) and changes -> 'owner_id' ->> 'from' = customer
  ), erased as (
    select entry.created_at, entry.id,
           case when is_object and object_name is not null then 'Erased' else object_name end as object_name,
           case when (is_object or is_moved) and operation <> 'delete_readings' then '{}' else changes end as changes,
           case when is_actor then 'Erased' else key_name end as key_name,
           case when is_actor then null else actor_email end as actor_email
    from found join activity entry using (created_at, id)
  )
  update activity entry
  set object_name = erased.object_name, changes = erased.changes, key_name = erased.key_name, actor_email = erased.actor_email
  from erased
  where (entry.created_at, entry.id) = (erased.created_at, erased.id)
    and (entry.object_name, entry.changes::text, entry.key_name, entry.actor_email)
        is distinct from (erased.object_name, erased.changes::text, erased.key_name, erased.actor_email);
  get diagnostics n_activity = row_count;

  counts := json_build_object(
    'tanks', n_tanks, 'recipients', n_recipients, 'users', n_users, 'keys', n_keys, 'webhook_endpoints', n_endpoints,
    'events', n_events, 'activity', n_activity + n_run_activity, 'notices', n_notices);
end $$;
revoke execute on function erase_customer from public;
