-- Measuring a delivery that did not end, whatever ended it, is put off: "measure_tries" counts how often it was begun since it last ended,
-- and it is not begun again before "measure_at".
alter table run_stops add column measure_tries integer not null default 0, add column measure_at timestamptz(3);
create index run_stops_waiting on run_stops (measure_tries, measure_since) where measure_since is not null;
