// Sensors: what kinds there are, which tank has which, what each last said, and the uplinks that could not become readings.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { installFunctions } from '../functions.js';

export class Sensors1767225600007 implements MigrationInterface {
  readonly name = 'Sensors1767225600007';

  async up(runner: QueryRunner): Promise<void> {
    await installFunctions(runner); // what a revert dropped
    for (const statement of [PROFILES, TANK_SENSORS, QUARANTINE]) await runner.query(statement);
    await runner.query(SHIPPED, [JSON.stringify(SHIPPED_PROFILES)]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table quarantined_uplinks, tank_sensors, sensor_profiles');
  }
}

const UNITS = `('percent', 'mm', 'cm', 'm', 'in', 'ft')`;

const PROFILES = `
  create table sensor_profiles (
    id                text collate "C" primary key check (length(id) between 1 and 255),
    created_at        timestamptz(3) not null default now(),
    updated_at        timestamptz(3) not null default now(),
    name              text not null,
    level_path        text not null check (length(level_path) between 1 and 200),
    level_unit        text not null check (level_unit in ${UNITS}),
    battery_path      text check (length(battery_path) between 1 and 200),
    temperature_path  text check (length(temperature_path) between 1 and 200),
    reject_when       jsonb not null default '[]',
    constraint sensor_profiles_times_are_writable check (
      created_at >= '0001-01-01Z' and created_at < '10000-01-01Z'
      and updated_at >= '0001-01-01Z' and updated_at < '10000-01-01Z')
  );
  create index sensor_profiles_newest_first on sensor_profiles (created_at desc, id desc);
  create trigger sensor_profiles_touch before update on sensor_profiles
    for each row execute function touch_updated_at()`;

// The columns from received_at on are of the newest uplink by its time, written in the transaction of its reading, in place. The battery
// has a time of its own: not every uplink says it, and status messages say nothing else.
const TANK_SENSORS = `
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
  create index tank_sensors_of_profile on tank_sensors (profile_id)`;

// "payload" is the message as it was sent; text, since json refuses what is nested too deeply. "customer_id" is whom its key was bound
// to, null for none; nothing refers to it, so that it stays when a customer goes. "sent_at" is the time of the uplink, "created_at" when
// it was received here. The list, its counts and its bounds are read from the index alone.
const QUARANTINE = `
  create table quarantined_uplinks (
    id           text collate "C" primary key,
    created_at   timestamptz(3) not null,
    source       text not null check (source in ('chirpstack', 'tts')),
    customer_id  text collate "C",
    device_id    text collate "C" not null,
    sent_at      timestamptz(3) not null,
    reason       text not null,
    payload      text not null,
    bytes        integer not null generated always as (octet_length(payload)) stored
  );
  create unique index quarantined_uplinks_once on quarantined_uplinks
    (device_id, sent_at, source, coalesce(customer_id, ''));
  create index quarantined_uplinks_newest_first on quarantined_uplinks (created_at desc, id desc)
    include (customer_id, device_id, reason, bytes)`;

// Written once: an operator may replace or delete them. docs/sensors.md names the public decoders they were read from.
const SHIPPED = `
  insert into sensor_profiles (id, name, level_path, level_unit, battery_path, temperature_path, reject_when)
  select id, name, level_path, level_unit, battery_path, temperature_path, coalesce(reject_when, '[]')
  from jsonb_to_recordset($1) shipped (
    id text, name text, level_path text, level_unit text, battery_path text, temperature_path text, reject_when jsonb)`;

const equals = (path: string, ...values: (string | number)[]): object[] =>
  values.map((value) => ({ path, equals: value }));

const TILTED = equals('position', 'tilt');

const SHIPPED_PROFILES = [
  {
    id: 'em400-udl',
    name: 'Milesight EM400-UDL / EM400-TLD / EM400-MUD',
    level_path: 'distance',
    level_unit: 'mm',
    battery_path: 'battery',
    temperature_path: 'temperature',
    reject_when: TILTED,
  },
  {
    id: 'em310-udl',
    name: 'Milesight EM310-UDL',
    level_path: 'distance',
    level_unit: 'mm',
    battery_path: 'battery',
    reject_when: TILTED,
  },
  {
    id: 'em410-rdl',
    name: 'Milesight EM410-RDL (radar)',
    level_path: 'distance',
    level_unit: 'mm',
    battery_path: 'battery',
    temperature_path: 'temperature',
    reject_when: TILTED,
  },
  {
    id: 'em500-udl',
    name: "Milesight EM500-UDL (Milesight's decoder)",
    level_path: 'distance',
    level_unit: 'mm',
    battery_path: 'battery',
    // An alarm's distance is a tenth of what it should be.
    reject_when: equals('distance_alarm', 'normal', 'threshold_alarm', 'mutation_alarm'),
  },
  {
    id: 'em500-udl-tts',
    name: "Milesight EM500-UDL (The Things Stack's device repository)",
    level_path: 'distance',
    level_unit: 'm',
    battery_path: 'battery',
  },
  {
    id: 'em500-swl',
    name: "Milesight EM500-SWL (Milesight's decoder)",
    level_path: 'depth',
    level_unit: 'cm',
    battery_path: 'battery',
  },
  {
    id: 'em500-swl-tts',
    name: "Milesight EM500-SWL (The Things Stack's device repository)",
    level_path: 'distance',
    level_unit: 'cm',
    battery_path: 'battery',
    reject_when: equals('distance', 65_533, 65_535),
  },
  {
    id: 'dragino-dds',
    name: 'Dragino LDDS20/45/75 (1.1.4) and DDS20/45/75-LB',
    level_path: 'Distance',
    level_unit: 'mm',
    reject_when: [
      ...equals('Sensor_flag', 0),
      ...equals('Distance', 'No Sensor', 'Invalid Reading', 0, 20), // 0: no sensor; 20: too near
    ],
  },
  {
    id: 'df530',
    name: 'Dingtek DF530 (LPG, from below)',
    level_path: 'level',
    level_unit: 'mm',
    temperature_path: 'temperature',
  },
  { id: 'dl-lid', name: 'Decentlab DL-LID', level_path: 'distance_median.value', level_unit: 'mm' },
  {
    id: 'elsys-elt-ultrasonic',
    name: 'Elsys ELT Ultrasonic',
    level_path: 'distance',
    level_unit: 'mm',
    temperature_path: 'temperature',
  },
  { id: 'r718pe', name: 'Netvox R718PE', level_path: 'Distance', level_unit: 'mm' },
];
