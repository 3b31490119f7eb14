-- The order of sort=empty_at: the hour of p50, then that of p10, which are kept with the state as those of the alert are. Null sorts last,
-- and so does what has no forecast.
alter table tank_states
  add column empty_hours integer[],
  add column empty_order bigint generated always as (
    case when forecast_made_at is not null and empty_hours is not null
    then coalesce(empty_hours[2], 2147483647)::bigint * 2147483648 + coalesce(empty_hours[1], 2147483647) end) stored;
update tank_states set empty_hours = known.empty_hours
from tank_forecasts known
where known.tank_key = tank_states.tank_key and tank_states.forecast_made_at is not null;
create index tank_states_by_empty on tank_states (fleet_group, empty_order, tank_id) where fleet_group is not null;
