-- A restored copy is another database: another server, or another one on the same server. Nothing else is compared with it, so a
-- failover, which goes on with the same database, changes nothing.
create or replace function database_identity() returns text language sql stable as $$
  select system_identifier || '/' || oid from pg_control_system(), pg_database where datname = current_database()
$$;
