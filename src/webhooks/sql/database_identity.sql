-- A restored copy is another database: on another server, or another one on the same server. A failover changes nothing.
create or replace function database_identity() returns text language sql stable as $$
  select system_identifier || '/' || oid from pg_control_system(), pg_database where datname = current_database()
$$;
