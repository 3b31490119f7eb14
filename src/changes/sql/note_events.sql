create or replace function note_events() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  insert into change_notes (kind, id, owner_id) select 'e', id, owner_id from new_rows;
  return null;
end $$;
