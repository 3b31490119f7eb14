-- Sensors: what kinds there are, which tank has which, what each last said, and the uplinks that could not become readings.
create table sensor_profiles (
  id                 text collate "C" primary key check (length(id) between 1 and 255),
  created_at         timestamptz(3) not null default now(),
  updated_at         timestamptz(3) not null default now(),
  name               text not null,
  level_path         text not null check (length(level_path) between 1 and 200),
  level_unit         text not null check (level_unit in ('percent', 'mm', 'cm', 'm', 'in', 'ft', 'raw')),
  battery_path       text check (length(battery_path) between 1 and 200),
  temperature_path   text check (length(temperature_path) between 1 and 200),
  reject_when        jsonb not null default '[]',
  level_scale        jsonb not null default '{}',
  battery_scale      jsonb not null default '{}',
  temperature_scale  jsonb not null default '{}',
  ignore_when        jsonb,
  history            jsonb,
  constraint sensor_profiles_times_are_writable check (
    created_at >= '0001-01-01Z' and created_at < '10000-01-01Z'
    and updated_at >= '0001-01-01Z' and updated_at < '10000-01-01Z')
);
create index sensor_profiles_newest_first on sensor_profiles (created_at desc, id desc);
create trigger sensor_profiles_touch before update on sensor_profiles for each row execute function touch_updated_at();

-- The columns from received_at on are of the newest uplink by its time, written in the transaction of its reading, in place. The battery
-- has a time of its own: not every uplink says it, and status messages say nothing else.
create table tank_sensors (
  tank_key             bigint primary key references tanks (key) on delete cascade,
  profile_id           text collate "C" not null references sensor_profiles (id) on delete cascade,
  calibration          jsonb,
  battery_at           timestamptz(3),
  battery_percent      double precision check (battery_percent between 0 and 100),
  received_at          timestamptz(3),
  temperature_celsius  double precision,
  rssi_dbm             double precision,
  snr_db               double precision,
  gateway_id           text,
  frame_counter        bigint,
  level                double precision,
  fill_percentage      double precision check (fill_percentage between 0 and 100)
) with (fillfactor = 70);
create index tank_sensors_of_profile on tank_sensors (profile_id);

-- "payload" is the message as it was sent; text, since json refuses what is nested too deeply. "customer_id" is whom its key was bound
-- to, null for none; nothing refers to it, so that it stays when a customer goes. "sent_at" is the time of the uplink, "created_at" when
-- it was received here. The lists, their counts and their bounds are read from the indexes alone.
create table quarantined_uplinks (
  id           text collate "C" primary key,
  created_at   timestamptz(3) not null,
  source       text not null check (source in ('chirpstack', 'tts', 'generic')),
  customer_id  text collate "C",
  device_id    text collate "C" not null,
  sent_at      timestamptz(3) not null,
  reason       text not null,
  payload      text not null,
  bytes        integer not null generated always as (octet_length(payload)) stored
);
create unique index quarantined_uplinks_once on quarantined_uplinks (device_id, sent_at, source, coalesce(customer_id, ''));
create index quarantined_uplinks_newest_first on quarantined_uplinks (created_at desc, id desc)
  include (customer_id, device_id, reason, bytes);
create index quarantined_uplinks_of_customer on quarantined_uplinks (customer_id, created_at desc, id desc)
  include (device_id, reason);

-- Which process consumes what an MQTT broker has, until when, and which filters the session there has: one row, renewed in place.
create table mqtt_lease (
  is_only     boolean primary key default true check (is_only),
  holder      text,
  expires_at  timestamptz(3) not null default '-infinity',
  filters     text[] not null default '{}'
) with (fillfactor = 50);
insert into mqtt_lease default values;

-- Written once: an operator may replace or delete them. docs/sensors.md names the public decoders they were read from. What is rejected
-- are the ways in which a decoder writes an error where the level is; a sensor's code for one is often read as a negative number.
insert into sensor_profiles (id, name, level_path, level_unit, battery_path, temperature_path, reject_when)
select id, name, level_path, level_unit, battery_path, temperature_path, coalesce(reject_when, '[]')
from jsonb_to_recordset($$[
  {"id": "em400-udl", "name": "Milesight EM400-UDL / EM400-TLD / EM400-MUD", "level_path": "distance", "level_unit": "mm",
   "battery_path": "battery", "temperature_path": "temperature", "reject_when": [{"path": "position", "equals": "tilt"}]},
  {"id": "em310-udl", "name": "Milesight EM310-UDL", "level_path": "distance", "level_unit": "mm", "battery_path": "battery",
   "reject_when": [{"path": "position", "equals": "tilt"}]},
  {"id": "em410-rdl", "name": "Milesight EM410-RDL (radar)", "level_path": "distance", "level_unit": "mm",
   "battery_path": "battery", "temperature_path": "temperature",
   "reject_when": [{"path": "position", "equals": "tilt"}, {"path": "distance", "equals": -1},
                   {"path": "distance", "equals": -2}, {"path": "distance", "equals": -3}]},
  {"id": "em500-udl", "name": "Milesight EM500-UDL (Milesight's decoder)", "level_path": "distance", "level_unit": "mm",
   "battery_path": "battery",
   "reject_when": [{"path": "distance_alarm", "equals": "normal"}, {"path": "distance_alarm", "equals": "threshold_alarm"},
                   {"path": "distance_alarm", "equals": "mutation_alarm"}, {"path": "distance_alarm", "equals": "unknown"}]},
  {"id": "em500-udl-tts", "name": "Milesight EM500-UDL (The Things Stack's device repository)", "level_path": "distance", "level_unit": "m",
   "battery_path": "battery", "reject_when": [{"path": "distance", "equals": -0.001}, {"path": "distance", "equals": -0.003}]},
  {"id": "em500-swl", "name": "Milesight EM500-SWL (Milesight's decoder)", "level_path": "depth", "level_unit": "cm",
   "battery_path": "battery"},
  {"id": "em500-swl-tts", "name": "Milesight EM500-SWL (The Things Stack's device repository)", "level_path": "distance", "level_unit": "cm",
   "battery_path": "battery", "reject_when": [{"path": "distance", "equals": 65533}, {"path": "distance", "equals": 65535}]},
  {"id": "dragino-dds", "name": "Dragino LDDS20/45/75 (1.1.4) and DDS20/45/75-LB", "level_path": "Distance", "level_unit": "mm",
   "reject_when": [{"path": "Sensor_flag", "equals": 0}, {"path": "Distance", "equals": "No Sensor"},
                   {"path": "Distance", "equals": "Invalid Reading"}, {"path": "Distance", "equals": 0}, {"path": "Distance", "equals": 20},
                   {"path": "Distance", "equals": "0 mm"}, {"path": "Distance", "equals": "20 mm"}, {"path": "Distance", "equals": "0mm"},
                   {"path": "Distance", "equals": "20mm"}, {"path": "Distance", "equals": "0"}, {"path": "Distance", "equals": "20"}]},
  {"id": "df530", "name": "Dingtek DF530 (LPG, from below)", "level_path": "level", "level_unit": "mm", "temperature_path": "temperature"},
  {"id": "dl-lid", "name": "Decentlab DL-LID", "level_path": "distance_median.value", "level_unit": "mm",
   "reject_when": [{"path": "number_of_samples.value", "equals": 0}]},
  {"id": "elsys-elt-ultrasonic", "name": "Elsys ELT Ultrasonic", "level_path": "distance", "level_unit": "mm",
   "temperature_path": "temperature"},
  {"id": "r718pe", "name": "Netvox R718PE", "level_path": "Distance", "level_unit": "mm"}
]$$) profile (
  id text, name text, level_path text, level_unit text, battery_path text, temperature_path text, reject_when jsonb);
