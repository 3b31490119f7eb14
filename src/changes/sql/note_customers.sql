-- An update that leaves a customer as it was is no change; another id is two objects. TRUNCATE may have to note what an older snapshot
-- does not show, so there it is refused.
create or replace function note_customers() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into change_notes (kind, id, owner_id) select 'c', id, id from new_rows;
  elsif tg_op = 'DELETE' then
    insert into change_notes (kind, id, owner_id) select 'c', id, id from old_rows;
  elsif tg_op = 'UPDATE' then
    insert into change_notes (kind, id, owner_id)
    select 'c', id, id
    from (select id from (select * from new_rows except select * from old_rows) changed
          union
          select id from (select * from old_rows except select * from new_rows) changed) changed;
  else
    perform expect_read_committed();
    insert into change_notes (kind, id, owner_id) select 'c', id, id from customers;
  end if;
  return null;
end $$;
