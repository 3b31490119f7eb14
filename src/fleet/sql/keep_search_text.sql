-- Phones and ids of devices once more without what people write between their digits: a84041 finds A8-40-41.
create or replace function keep_search_text() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if tg_table_name = 'customers' then
    new.search_text := folded(concat_ws(e'\n', new.name, new.email, new.phone, regexp_replace(new.phone, '[^[:alnum:]]', '', 'g')));
  else
    new.search_text := folded(concat_ws(e'\n', new.name, new.custom_id, new.assigned_device_id, new.postal_code, new.street,
      new.city, new.region, regexp_replace(new.assigned_device_id, '[^[:alnum:]]', '', 'g')));
  end if;
  return new;
end $$;
