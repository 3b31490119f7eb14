-- A customer shows how many live tanks it has: it changes with them. A tank that is restored or gets another id brings all its
-- readings; one that moves brings them to the keys of its new owner only, since all others have them.
create or replace function note_tanks() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into change_notes (kind, id, owner_id) select 't', id, owner_id from new_rows;
    insert into change_notes (kind, id, owner_id) select distinct 'c', owner_id, owner_id from new_rows where not deleted;
  elsif tg_op = 'DELETE' then
    insert into change_notes (kind, id, owner_id) select 'd', id, owner_id from old_rows;
    insert into change_notes (kind, id, owner_id) select distinct 'c', owner_id, owner_id from old_rows where not deleted;
  elsif tg_op = 'UPDATE' then
    insert into change_notes (kind, id, owner_id, tank_key, since, until)
    select note.kind, note.id, note.owner_id, note.tank_key, note.since, note.until
    from old_rows before
    join new_rows after using (key)
    cross join lateral (values
      ('l', before.id, before.owner_id, null::bigint, null::timestamptz, null::timestamptz,
        (before.id, before.owner_id) <> (after.id, after.owner_id)),
      ('d', before.id, before.owner_id, null, null, null, before.id <> after.id),
      ('t', after.id, after.owner_id, null, null, null, true),
      ('c', before.owner_id, before.owner_id, null, null, null,
        before.owner_id <> after.owner_id or before.deleted <> after.deleted),
      ('c', after.owner_id, after.owner_id, null, null, null, before.owner_id <> after.owner_id),
      ('r', null, after.owner_id, key, '0001-01-01Z', '9999-12-31T23:59:59.999Z', before.owner_id <> after.owner_id),
      ('r', null, null, key, '0001-01-01Z', '9999-12-31T23:59:59.999Z',
        before.id <> after.id or before.deleted and not after.deleted)
    ) note (kind, id, owner_id, tank_key, since, until, is_due)
    where before is distinct from after and is_due;
  else
    perform expect_read_committed();
    insert into change_notes (kind, id, owner_id) select 'd', id, owner_id from tanks;
    insert into change_notes (kind, id, owner_id) select 'c', id, id from customers;
  end if;
  return null;
end $$;
