-- A low tank has no alert to forecast, a deleted one or one without readings no forecast: until one is made anew.
create or replace function drop_forecast() returns trigger language plpgsql as $$
begin
  new.alert_hours := null;
  if new.deleted or new.reported_at is null then new.forecast_made_at := null; end if;
  return new;
end $$;
