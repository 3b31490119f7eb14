-- Roles for a production database.
--
--   tanks_owner  owns the database and everything in it: for `migrate` and the other operator commands.
--   tanks_api    for the service: reads what it serves, keeps sessions of people who signed in, notes when a key was last used, and can do
--                nothing else.
--   tanks_ingest for INGEST_DATABASE_URL: sends readings and uplinks, removes readings, which is recorded, and can do nothing else, not even read
--                them.
--   tanks_manage the same, for a service over which customers and tanks are managed: sends readings, reads customers, tanks,
--                sensors, webhook endpoints, keys and users and changes them as the API does, and can do nothing else.
--   tanks_worker for the `worker` command, beside services with WORKER=false: judges tanks, places changes, delivers webhooks, sends mails,
--                forecasts, removes old events, activity, changes, uplinks and readings, adds partitions.
--
-- Run it with psql as a superuser, connected to the service's database. It is safe to repeat, and runs twice at first:
--
--   psql --dbname=tanks --file=docs/least-privilege.sql     -- makes the roles
--   psql --dbname=tanks --command='\password tanks_owner' --command='\password tanks_api' \
--     --command='\password tanks_ingest' --command='\password tanks_manage' \
--     --command='\password tanks_worker'                  -- asks for each, shows none
--   node --env-file=owner.env dist/cli.js migrate           -- as tanks_owner
--   psql --dbname=tanks --file=docs/least-privilege.sql     -- grants the roles what they need
--
-- All the steps are in docs/deploy.md. Passwords belong into files that only their user can read (umask 077,
-- PGPASSFILE), not into command lines.
--
-- Run it again after an upgrade whose migrations add a table or a function.
-- A database that was migrated by another role first, a superuser say, becomes tanks_owner's with the second run.

\set ON_ERROR_STOP on
\set QUIET on

select not exists (select from pg_roles where rolname = 'tanks_owner') as lacks_owner,
       not exists (select from pg_roles where rolname = 'tanks_api') as lacks_api,
       not exists (select from pg_roles where rolname = 'tanks_ingest') as lacks_ingest,
       not exists (select from pg_roles where rolname = 'tanks_manage') as lacks_manage,
       not exists (select from pg_roles where rolname = 'tanks_worker') as lacks_worker \gset
\if :lacks_owner
  create role tanks_owner login;
\endif
\if :lacks_api
  create role tanks_api login;
\endif
\if :lacks_ingest
  create role tanks_ingest login;
\endif
\if :lacks_manage
  create role tanks_manage login;
\endif
\if :lacks_worker
  create role tanks_worker login;
\endif

-- The API's sessions ask for this themselves; a role that says it too leaves nothing to a forgotten option.
alter role tanks_api set default_transaction_read_only = on;

alter database :"DBNAME" owner to tanks_owner;
revoke all on database :"DBNAME" from public;
grant connect on database :"DBNAME" to tanks_api, tanks_ingest, tanks_manage, tanks_worker;

revoke all on schema public from public;
grant usage on schema public to tanks_api, tanks_ingest, tanks_manage, tanks_worker;

-- PostgreSQL lets everyone make large objects, which are written outside of all tables. Nothing here uses them.
revoke execute on function
  lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea), lo_put(oid, bigint, bytea), lowrite(integer, bytea),
  lo_truncate(integer, integer), lo_truncate64(integer, bigint), lo_unlink(oid)
  from public;

-- PostgreSQL lets everyone run a new function; here nobody may who was not granted it.
alter default privileges for role tanks_owner revoke execute on functions from public;

select to_regclass('public.migrations') is not null as is_migrated \gset
\if :is_migrated
  begin;
  -- Everything in the schema that is another's. Not `reassign owned`, which PostgreSQL refuses for the superuser it began with.
  do $hand_over$
  declare
    command text;
    tables text;
  begin
    -- All tables first, in the order of those who write, so that instances may serve meanwhile. What is in use is tried again.
    select string_agg(oid::regclass::text, ', ' order by array_position(
      '{tanks,customers,sensor_profiles,tank_sensors,telemetry,telemetry_counts,tank_states}', relname::text), relname)
    into tables from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relowner <> 'tanks_owner'::regrole;
    for attempt in 1..10 loop
      exit when tables is null;
      begin
        perform set_config('lock_timeout', '800ms', true);
        execute 'lock table ' || tables || ' in access exclusive mode';
        exit;
      exception when lock_not_available or deadlock_detected then
        if attempt = 10 then raise; end if;
        raise notice 'The tables are in use. Trying again (% of 10).', attempt + 1;
        perform pg_sleep(0.3 * attempt);
      end;
    end loop;
    for command in
      select format('alter table %s owner to tanks_owner', pg_class.oid::regclass) -- of views and sequences as well
      from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'S') and relowner <> 'tanks_owner'::regrole
        and (relispartition or not exists ( -- a part of something else, which comes along with it; partitions do not
          select from pg_depend
          where objid = pg_class.oid and objsubid = 0 and classid = 'pg_class'::regclass and deptype in ('a', 'i', 'e')))
      union all
      select format('alter routine %s owner to tanks_owner', pg_proc.oid::regprocedure)
      from pg_proc
      where pronamespace = 'public'::regnamespace and proowner <> 'tanks_owner'::regrole
        and not exists (
          select from pg_depend where objid = pg_proc.oid and classid = 'pg_proc'::regclass and deptype = 'e')
      union all
      select format('alter type %s owner to tanks_owner', pg_type.oid::regtype)
      from pg_type
      where typnamespace = 'public'::regnamespace and typowner <> 'tanks_owner'::regrole
        and (typtype in ('d', 'e')
          or typtype = 'c' and (select relkind from pg_class where pg_class.oid = typrelid) = 'c')
    loop
      execute command;
    end loop;
  end
  $hand_over$;

  revoke all on all tables in schema public from public, tanks_worker, tanks_manage, tanks_ingest, tanks_api;
  revoke all on all functions in schema public from public, tanks_worker, tanks_manage, tanks_ingest, tanks_api;

  grant select on customers, tanks, telemetry, tank_states, fleet_counts, fleet_count_changes, list_counts, telemetry_counts,
    tank_forecasts, forecast_fleet, alert_counts, alert_count_changes, runs, run_stops,
    events, event_counts, activity, activity_counts, activity_count_changes, webhook_endpoints, webhook_deliveries, recipients, notices, notice_state, change_feed, sensor_profiles, tank_sensors, sources, source_tokens, quarantined_uplinks, api_keys, users, sessions, migrations, installed_functions
    to tanks_api;
  grant update (last_used_at) on api_keys to tanks_api;
  -- Sessions, on read-only instances too.
  grant insert, delete, update (used_at) on sessions to tanks_api;
  grant update (last_seen_at) on users to tanks_api;
  grant execute on function
    customers_rank, customers_locate, tanks_rank, tanks_locate, telemetry_rank, telemetry_locate, telemetry_page,
    telemetry_page_of, telemetry_buckets, telemetry_buckets_of, buckets_of_readings, telemetry_is_partitioned, falls_of_tank, caseless, folded, searched_as, walk_readings, readings_between, events_locate, activity_locate,
    changed_readings, background_ages, device_key, database_identity
    to tanks_api;
  -- It runs with its owner's rights: what it writes, and nothing else, is what this role can do.
  -- remove_readings records who removed them.
  grant execute on function write_readings, remove_readings, write_uplinks, discard_uplink to tanks_ingest, tanks_manage;
  -- What is counted and noted with these tables is written by their triggers, with their owner's rights.
  grant select, insert, update on customers, tanks to tanks_manage;
  grant select, insert, update, delete on sensor_profiles, tank_sensors, sources, source_tokens to tanks_manage;
  grant execute on function device_key, new_id, record_activity to tanks_manage;
  -- Runs show the level of their tanks.
  grant select, insert, update, delete on runs, run_stops to tanks_manage;
  grant select on tank_states to tanks_manage;
  -- Webhook endpoints, and replay. Secrets are encrypted.
  grant select, insert, update, delete on webhook_endpoints to tanks_manage;
  grant select, insert, update on webhook_deliveries to tanks_manage;
  grant select, update on webhook_lines to tanks_manage;
  grant select on events to tanks_manage;
  grant execute on function database_identity to tanks_manage;
  -- Recipients, the links in mails, and test mails.
  grant select, insert, update, delete on recipients to tanks_manage;
  grant select, insert, update on notices to tanks_manage;
  grant select, insert on address_history to tanks_manage;
  grant select, update on notice_state to tanks_manage;
  -- Keys, but not their hashes, and users.
  grant select (prefix, parent, name, customer_id, scopes, created_at, expires_at, revoked_at, last_used_at), insert, update (expires_at, revoked_at)
    on api_keys to tanks_manage;
  grant select, insert, update, delete on users to tanks_manage;
  grant execute on function erase_customer, erase_tanks to tanks_manage;
  grant execute on function
    take_unjudged_tanks, record_judged_tanks, mark_silent_tanks, forget_events, forget_deliveries, tidy_activity, place_changes, forget_changes, drop_old_uplinks, database_identity, note_background_round,
    background_ages,
    forget_readings, telemetry_is_partitioned, telemetry_months, add_telemetry_month, drop_telemetry_month,
    readings_between, fold_alert_counts
    to tanks_worker;
  -- Forecasts: from readings, into tables of their own, and what lists are sorted by.
  grant select on telemetry, telemetry_counts, tank_states, change_feed to tanks_worker;
  grant update (forecast_made_at, alert_hours, empty_hours) on tank_states to tanks_worker;
  grant select, insert, update, delete on tank_forecasts, tank_curves, forecast_fleet, forecast_errors, forecast_records
    to tanks_worker;
  -- Deliveries of runs: what sensors saw of them.
  grant select on runs, run_stops to tanks_worker;
  grant update (measured, measure_since, measure_tries, measure_at) on run_stops to tanks_worker;
  grant select, update on run_measuring to tanks_worker;
  -- Messages of MQTT: which key they count as sent with, whose device one is of, and which process takes them.
  grant execute on function write_uplinks, device_key to tanks_worker;
  grant select (prefix, hash, name, customer_id, scopes, revoked_at, expires_at, last_used_at), update (last_used_at) on api_keys to tanks_worker;
  grant select (id, deleted, name, phone) on customers to tanks_worker;
  grant select (id, key, owner_id, assigned_device_id, deleted, name, custom_id, street, street_number, postal_code, city, capacity, capacity_unit,
    min_fill_alert_percentage) on tanks to tanks_worker;
  -- Mails: whom to tell, what and when.
  grant select on recipients to tanks_worker;
  grant update (failures, failing_reason, link_number, active_since, next_daily_at, daily_day, events_sent_at, last_sent_at, updated_at)
    on recipients to tanks_worker;
  grant select, insert, update, delete on notices to tanks_worker;
  grant select, delete on address_history to tanks_worker;
  grant select, update on notice_state to tanks_worker;
  grant execute on function new_id to tanks_worker;
  grant select on sensor_profiles, tank_sensors, sources to tanks_worker;
  grant select, update on mqtt_lease to tanks_worker;
  grant select on webhook_endpoints, webhook_deliveries, events to tanks_worker;
  grant update (failing_since, disabled_at, disabled_reason, updated_at) on webhook_endpoints to tanks_worker;
  grant update (is_in_line, status, tries, next_try_at, retry_after, is_woken, last_tried_at, last_status, last_reason) on webhook_deliveries
    to tanks_worker;
  grant select, insert, update, delete on webhook_lines to tanks_worker;
  -- Those of the version before, which only tell its instances to wait.
  do $retired$
  declare
    retired name;
  begin
    for retired in select name from installed_functions where hash = 'retired' loop
      execute format('grant execute on function %I to tanks_api, tanks_ingest, tanks_manage, tanks_worker', retired);
    end loop;
  end
  $retired$;
  commit;
  \echo 'tanks_api may read and note the use of keys, tanks_ingest send readings, tanks_manage change customers and tanks as well, tanks_worker do the background work.'
\else
  \echo 'The roles are there. Give them passwords (\\password), run migrate as tanks_owner, then run this file again.'
\endif
