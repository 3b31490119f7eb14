-- A low tank has no alert to forecast, a deleted one or one without readings no forecast: until one is made anew.
create or replace function drop_forecast() returns trigger language plpgsql as $$
begin
  new.alert_hours := null;
  -- No longer the one that is known: the alert is forecast anew, also if the threshold is put back before anybody has looked.
  if new.min_fill_alert_percentage <> old.min_fill_alert_percentage then
    new.forecast_made_at := new.forecast_made_at + interval '1 millisecond';
  end if;
  if new.deleted or new.reported_at is null then new.forecast_made_at := null; end if;
  return new;
end $$;
