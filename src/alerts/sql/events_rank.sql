-- How many events there are before an instant. No type means all of them.
create or replace function events_rank(wanted_type text, instant timestamptz) returns bigint language plpgsql stable as $$
declare
  day_of_instant date := (instant at time zone 'UTC')::date;
  midnight timestamptz := day_of_instant::timestamp at time zone 'UTC';
  found_rows bigint;
begin
  if wanted_type is null then
    found_rows := (select coalesce(sum(n), 0) from event_counts where day < day_of_instant);
    if instant > midnight then
      found_rows := found_rows
        + (select count(*) from events where created_at >= midnight and created_at < instant);
    end if;
  else
    found_rows := (select coalesce(sum(n), 0) from event_counts where type = wanted_type and day < day_of_instant);
    if instant > midnight then
      found_rows := found_rows
        + (select count(*) from events where type = wanted_type and created_at >= midnight and created_at < instant);
    end if;
  end if;
  return found_rows;
end $$;
