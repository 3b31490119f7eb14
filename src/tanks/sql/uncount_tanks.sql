-- TRUNCATE tanks CASCADE empties telemetry_counts, which refers to tanks: the readings must go with them. On a cluster the counts
-- refer to a copy of the tanks' keys on every node.
create or replace function uncount_tanks() returns trigger language plpgsql as $$
begin
  delete from list_counts where list = 'tanks';
  if to_regclass('tank_keys') is null then
    truncate telemetry;
  else
    execute 'truncate telemetry, telemetry_counts, tank_keys';
  end if;
  return null;
end $$;
