-- Records who changed what. A role that may run it decides neither when that was nor what came before, and cannot claim that readings were
-- removed: remove_readings() records that itself.
create or replace function record_activity(entries json, actor json) returns void language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if exists (select from json_array_elements(entries) entry where entry ->> 'operation' = 'delete_readings') then
    raise insufficient_privilege using message = 'remove_readings() records what it removes itself';
  end if;
  insert into activity (type, object_id, object_name, owner_id, operation, changes, actor_kind, actor, key_name, actor_email, request_id)
  select entry.type, entry.object_id, entry.object_name, entry.owner_id, entry.operation, coalesce(entry.changes, '{}'),
         actor ->> 'kind', actor ->> 'actor', actor ->> 'name', actor ->> 'email', actor ->> 'requestId'
  from json_to_recordset(entries)
    as entry (type text, object_id text, object_name text, owner_id text, operation text, changes json);
end $$;
revoke execute on function record_activity from public;
