-- When a tank is gone, what is remembered of it and what is to be judged go, too.
create or replace function forget_alerts() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from tank_alerts;
    delete from tanks_to_judge;
  else
    delete from tank_alerts where tank_key in (select tank_key from old_states);
    delete from tanks_to_judge where tank_key in (select tank_key from old_states);
  end if;
  return null;
end $$;
