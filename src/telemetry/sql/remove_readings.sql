-- Removes the readings of a tank in a range [since, until), or none if there are more than "most", and records who did it: no role may do one
-- without the other. As all who write readings, it locks the tank's count before its readings, and its state last.
create or replace function remove_readings(
  tank_id text, visible_owner_id text, since timestamptz, until timestamptz, most integer, actor json,
  out outcome text, out owner text, out removed integer
) language plpgsql security definer set search_path = public, pg_temp as $$
declare
  tank bigint; tank_name text; is_deleted boolean; instants timestamptz[];
  shown constant text := 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
begin
  removed := 0;
  select tanks.key, tanks.name, tanks.deleted, tanks.owner_id into tank, tank_name, is_deleted, owner from tanks
  where tanks.id = tank_id and (visible_owner_id is null or tanks.owner_id = visible_owner_id);
  outcome := case when tank is null then 'unknown' when is_deleted then 'deleted' else 'removed' end;
  if outcome <> 'removed' then return; end if;

  perform keep_states_last();
  perform hold_tanks(array[tank]);
  perform from telemetry_counts where telemetry_counts.tank_key = tank and level = 0 for no key update;
  select array_agg(reading.created_at) into instants
  from (select telemetry.created_at from telemetry
        where telemetry.tank_key = tank and telemetry.created_at >= since and telemetry.created_at < until
        order by telemetry.created_at limit most + 1) reading;
  if cardinality(instants) > most then outcome := 'too_many'; end if;
  if instants is null or outcome = 'too_many' then return; end if;

  perform from lock_readings(array(select tank from unnest(instants)), instants);
  delete from telemetry where telemetry.tank_key = tank and telemetry.created_at = any (instants);
  get diagnostics removed = row_count;
  perform note_changed_readings(array(select tank from unnest(instants)), instants);
  perform renew_tank_states(array[tank], is_news => true);

  insert into activity (type, object_id, object_name, owner_id, operation, actor_kind, actor, key_name, actor_email, request_id, changes)
  select 'tank', tank_id, tank_name, owner, 'delete_readings',
         actor ->> 'kind', actor ->> 'actor', actor ->> 'name', actor ->> 'email', actor ->> 'requestId',
         json_object_agg(name, json_build_object('from', null, 'to', value) order by name)
  from (values ('created_at_gte', to_json(to_char(since at time zone 'UTC', shown))),
               ('created_at_lte', to_json(to_char((until - interval '1 millisecond') at time zone 'UTC', shown))),
               ('deleted', to_json(removed))) change (name, value);
end $$;
revoke execute on function remove_readings from public;
