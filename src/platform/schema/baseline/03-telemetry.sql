-- Readings. One is its tank and its instant: no surrogate key, and the primary key is the list's order. The reference to the tank is
-- kept by telemetry_counts, once a statement instead of once a row: a reading is counted in the statement that writes it, and a count needs
-- a tank. The counts stand apart from the other lists' so that they can live beside the readings.
create table telemetry (
  tank_key         bigint not null,
  created_at       timestamptz(3) not null default now(),
  fill_percentage  double precision not null check (fill_percentage between 0 and 100),
  primary key (tank_key, created_at),
  constraint telemetry_times_are_writable check (created_at >= '0001-01-01Z' and created_at < '10000-01-01Z')
);
create table telemetry_counts (
  tank_key  bigint not null references tanks (key),
  level     smallint not null,
  start     date not null,
  n         integer not null,
  primary key (tank_key, level, start)
) with (fillfactor = 70);

create trigger count_insert after insert on telemetry referencing new table as new_rows
  for each statement execute function count_telemetry();
create trigger count_update after update on telemetry referencing old table as old_rows new table as new_rows
  for each statement execute function count_telemetry();
create trigger count_delete after delete on telemetry referencing old table as old_rows
  for each statement execute function count_telemetry();
create trigger count_truncate after truncate on telemetry for each statement execute function uncount_telemetry();
