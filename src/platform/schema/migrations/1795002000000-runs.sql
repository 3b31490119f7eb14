-- Runs: a truck's day and its stops. A stop names its tank by id and refers to nothing: it stays when the tank goes. "date" is its run's, so
-- that an index can see to it that a tank waits for one truck a day.
-- "measured" is what the sensor saw of a delivery (src/runs/measured.ts). "entered_at": when the delivery was last entered, which it is final
-- 7 days after; "measure_since": an entry wants it measured anew.
create table runs (
  id               text collate "C" primary key default new_id() check (length(id) between 1 and 255),
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now(),
  date             date not null,
  name             text,
  capacity         double precision check (capacity > 0),
  capacity_unit    text not null check (capacity_unit in ('liters', 'gallons')),
  start_latitude   double precision check (start_latitude between -90 and 90),
  start_longitude  double precision check (start_longitude between -180 and 180)
);
create index runs_newest_first on runs (date desc, created_at desc, id desc);

create table run_stops (
  run_id         text collate "C" not null references runs (id) on delete cascade,
  tank_id        text collate "C" not null,
  place          integer not null,
  date           date not null,
  planned        double precision not null,
  status         text not null default 'open' check (status in ('open', 'delivered', 'skipped')),
  delivered      double precision,
  delivered_at   timestamptz(3),
  note           text,
  measured       json,
  entered_at     timestamptz(3),
  measure_since  timestamptz(3),
  primary key (run_id, tank_id),
  check ((status = 'delivered') = (delivered is not null and delivered_at is not null))
);
create unique index run_stops_open on run_stops (tank_id, date) where status = 'open';
create index run_stops_of_tank on run_stops (tank_id);
create index run_stops_to_measure on run_stops (entered_at) where status = 'delivered';

-- Up to where the feed of changes was looked at for readings that deliveries are measured by.
create table run_measuring (
  only_row  boolean primary key default true check (only_row),
  position  bigint not null default 0
);
insert into run_measuring default values;
