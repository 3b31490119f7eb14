-- With all states go all forecasts. Otherwise what has changed is appended, since writers of different tanks would wait for each other's rows
-- of alert_counts.
create or replace function count_alerts() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'TRUNCATE' then
    truncate alert_counts, alert_count_changes, tank_forecasts, tank_curves, forecast_records;
    return null;
  end if;
  if old.alert_hours[1] is not null then
    insert into alert_count_changes (use_case, hour, n) values (old.fleet_group / 5, old.alert_hours[1], -1);
  end if;
  if tg_op = 'UPDATE' and new.alert_hours[1] is not null then
    insert into alert_count_changes (use_case, hour, n) values (new.fleet_group / 5, new.alert_hours[1], 1);
  end if;
  return null;
end $$;
