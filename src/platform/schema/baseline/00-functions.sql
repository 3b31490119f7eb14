-- Functions that tables name: for a trigger, a default or an index. They do nothing yet: `migrate` puts the real ones (src/**/sql) in their
-- place in the same transaction, before anybody can write.
do $$
declare
  name text;
begin
  foreach name in array string_to_array(
    'touch_updated_at keep_search_text count_customers uncount_customers count_tanks uncount_tanks count_telemetry uncount_telemetry '
    'expect_insert keep_states_of_tanks keep_states_of_readings count_events forget_alerts queue_deliveries hand_on_deliveries '
    'note_customers note_tanks note_readings note_events drop_forecast count_alerts count_activity', ' ')
  loop
    execute format('create function %I() returns trigger language plpgsql as $body$ begin return new; end $body$', name);
  end loop;
end $$;
create function new_id() returns text language sql as $$ select null::text $$;
create function device_key(id text) returns text language sql immutable as $$ select id $$;
create function database_identity() returns text language sql as $$ select null::text $$;

-- A constant that `partition on` and `partition off` replace, and so no file.
create function telemetry_is_partitioned() returns boolean language sql immutable parallel safe as $$ select false $$;

create table installed_functions (name text primary key, hash text not null);
