-- The months that have a partition of their own; none when the table is not partitioned.
create or replace function telemetry_months() returns setof date language sql stable as $$
  select to_date(right(relname, 7), 'YYYY_MM') from pg_inherits join pg_class on pg_class.oid = inhrelid
  where inhparent = to_regclass('telemetry') and relname ~ '^telemetry_[0-9]{4}_[0-9]{2}$'
  order by 1
$$;
