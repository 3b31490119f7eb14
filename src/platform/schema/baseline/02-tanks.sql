-- Tanks. "key" is the internal number: a reading refers to it in 8 bytes instead of a 36-character id. The API never shows it.
create table tanks (
  key                        bigint generated always as identity unique,
  id                         text collate "C" primary key default new_id() check (length(id) between 1 and 255),
  owner_id                   text collate "C" not null references customers (id),
  created_at                 timestamptz(3) not null default now(),
  updated_at                 timestamptz(3) not null default now(),
  deleted                    boolean not null default false,
  name                       text not null,
  custom_id                  text,
  assigned_device_id         text not null,
  capacity                   double precision not null check (capacity > 0 and capacity < 'infinity'),
  capacity_unit              text not null check (capacity_unit in ('liters', 'gallons')),
  use_case                   text check (use_case in ('residential', 'commercial', 'industrial')),
  min_fill_alert_percentage  integer not null check (min_fill_alert_percentage between 0 and 100),
  city                       text,
  country                    text,
  district                   text,
  latitude                   double precision check (latitude between -90 and 90),
  longitude                  double precision check (longitude between -180 and 180),
  postal_code                text,
  region                     text,
  street                     text,
  street_number              text,
  search_text                text collate "C" not null default '',
  constraint tanks_times_are_writable check (
    created_at >= '0001-01-01Z' and created_at < '10000-01-01Z'
    and updated_at >= '0001-01-01Z' and updated_at < '10000-01-01Z')
);
create index tanks_newest_first on tanks (created_at desc, id desc) where not deleted;
create index tanks_of_owner on tanks (owner_id, created_at desc, id desc) where not deleted;
-- Finds the tank that has a device, however that is written.
create index tanks_of_device on tanks (device_key(assigned_device_id)) where not deleted;
-- The beginning of a custom id, since the whole may be longer than an entry of an index can be.
create index tanks_by_custom_id on tanks ((left(custom_id, 200) collate "C"), created_at desc, id desc)
  where not deleted and custom_id is not null;

create trigger tanks_fold
  before insert or update of name, custom_id, assigned_device_id, postal_code, street, city, region, search_text on tanks
  for each row execute function keep_search_text();
create trigger tanks_touch before update on tanks for each row execute function touch_updated_at();
create trigger count_insert after insert on tanks referencing new table as new_rows
  for each statement execute function count_tanks();
create trigger count_update after update on tanks referencing old table as old_rows new table as new_rows
  for each statement execute function count_tanks();
create trigger count_delete after delete on tanks referencing old table as old_rows
  for each statement execute function count_tanks();
create trigger count_truncate after truncate on tanks for each statement execute function uncount_tanks();
