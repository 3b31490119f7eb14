-- A refill counts for the forecast at once. "rose": the newest reading is so far above both before it that it may be one. "awaits_reading": the
-- forecast begins with a refill that the next reading confirms or takes back.
alter table tank_states add column rose boolean not null default false;
alter table tank_forecasts add column awaits_reading boolean not null default false;
