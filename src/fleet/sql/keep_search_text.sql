create or replace function keep_search_text() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if tg_table_name = 'customers' then
    new.search_text := folded(concat_ws(e'\n', new.name, new.email, new.phone));
  else
    new.search_text := folded(concat_ws(e'\n', new.name, new.custom_id, new.assigned_device_id, new.postal_code, new.street,
      new.city, new.region));
  end if;
  return new;
end $$;
