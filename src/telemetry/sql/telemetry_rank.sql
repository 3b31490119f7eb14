-- How many readings of the tank there are before an instant: whole months, whole days, and the readings of the last day.
create or replace function telemetry_rank(tank bigint, instant timestamptz) returns bigint language plpgsql stable as $$
declare
  day date := (instant at time zone 'UTC')::date;
  month date := date_trunc('month', instant at time zone 'UTC')::date;
  midnight timestamptz := day::timestamp at time zone 'UTC';
  found_rows bigint;
begin
  found_rows :=
    coalesce((select sum(n) from telemetry_counts where tank_key = tank and level = 1 and start < month), 0)
    + coalesce((select sum(n) from telemetry_counts where tank_key = tank and level = 2 and start >= month and start < day), 0);
  if instant > midnight then
    found_rows := found_rows
      + (select count(*) from telemetry where tank_key = tank and created_at >= midnight and created_at < instant);
  end if;
  return found_rows;
end $$;
