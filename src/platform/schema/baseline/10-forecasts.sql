-- Forecasts: what is known of each tank's use, what was forecast from it, and how good that was. Instants of forecasts are whole hours
-- since 1970, as p10, p50, p90.
-- The newest forecast of each tank; "made_at" is null where none could be made. "seen_at" is the newest reading it knows, "levels" p10, p50
-- and p90 after 1 to 30 days, "round" the round of nightly work it was made in, "accuracy" sums over its record.
create table tank_forecasts (
  tank_key         bigint primary key,
  made_at          timestamptz(3),
  seen_at          timestamptz(3),
  threshold        integer not null,
  level            double precision,
  percent_per_day  double precision,
  empty_hours      integer[],
  levels           real[],
  round            bigint not null,
  accuracy         double precision[]
);
create index tank_forecasts_by_age on tank_forecasts (made_at);

-- What is known of a tank's use, from all readings before "read_until"; it can be made anew from readings. Errors of forecasts for days up to
-- "settled_day" are counted.
create table tank_curves (
  tank_key     bigint primary key,
  read_until   timestamptz(3) not null default '-infinity',
  settled_day  integer not null default 0,
  state        json,
  days         bytea
);

-- What the fleet tells, and errors of forecasts so far; forecast_errors: those that are to be added to it.
create table forecast_fleet (
  only_row       boolean primary key default true check (only_row),
  night          integer not null default 0,
  round          bigint not null default 0,
  tanks          integer not null default 0,
  feed_position  bigint not null default 0,
  state          json,
  errors         bytea,
  started_at     timestamptz(3),
  finished_at    timestamptz(3),
  seconds        double precision not null default 0
);
insert into forecast_fleet default values;
create table forecast_errors (
  id     bigint generated always as identity primary key,
  bins   integer[] not null,
  sizes  double precision[] not null
);

-- Forecasts that were set aside, one a tank and week, never made anew. "uses" are p10, p50 and p90 of the use by 1, 3, 7, 14 and 28 days,
-- "used" what was used, null before its day, NaN if nobody knows. The position from which they start is "ahead" of that of a midnight,
-- "anchor_day".
create table forecast_records (
  tank_key    bigint not null,
  made_at     timestamptz(3) not null,
  anchor_day  integer not null,
  ahead       double precision not null,
  uses        real[] not null,
  plain_use   double precision not null,
  used        real[] not null,
  primary key (tank_key, made_at)
);

-- Tanks by use case (its number in fleet_group) and hour of the alert's p10; alert_count_changes: what is to be added to them.
create table alert_counts (
  use_case  smallint not null,
  hour      integer not null,
  n         bigint not null,
  primary key (use_case, hour)
);
create table alert_count_changes (
  id        bigint generated always as identity primary key,
  use_case  smallint not null,
  hour      integer not null,
  n         bigint not null
);

create trigger drop_forecast before update on tank_states for each row
  when (new.forecast_made_at is not null
        and (new.deleted or new.reported_at is null or new.low and new.alert_hours is not null))
  execute function drop_forecast();
create trigger count_alert_of_change after update on tank_states for each row
  when (old.alert_hours[1] is distinct from new.alert_hours[1]
        or new.alert_hours[1] is not null and old.use_case is distinct from new.use_case)
  execute function count_alerts();
create trigger count_alert_of_removal after delete on tank_states for each row
  when (old.alert_hours[1] is not null) execute function count_alerts();
create trigger count_no_alerts after truncate on tank_states for each statement execute function count_alerts();
