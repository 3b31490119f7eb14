// Customers, tanks, telemetry and API keys: the tables, their checks and the indexes behind each list's order.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Resources1767225600000 implements MigrationInterface {
  readonly name = 'Resources1767225600000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [NEW_ID, TOUCH, CUSTOMERS, TANKS, TELEMETRY, API_KEYS])
      await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table api_keys, telemetry, tanks, customers;
      drop function touch_updated_at, new_id`);
  }
}

// A UUIDv7 (time-ordered, so new rows land at the right edge of the index); PostgreSQL has its own only from 18 on.
const NEW_ID = `
  create function new_id() returns text language sql volatile parallel safe as $$
    select encode(
      set_bit(set_bit(
        overlay(uuid_send(gen_random_uuid())
          placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
          from 1 for 6),
        52, 1), 53, 1),
      'hex')::uuid::text
  $$`;

// updated_at follows every real change, whoever writes it, and nothing else. A writer that gives another updated_at is
// obeyed; one that repeats the old value on purpose (the import does) says so with tank_monitoring.updated_at = 'given'.
const TOUCH = `
  create function touch_updated_at() returns trigger language plpgsql as $$
  begin
    if new.updated_at = old.updated_at and new is distinct from old
       and current_setting('tank_monitoring.updated_at', true) is distinct from 'given' then
      new.updated_at := date_trunc('milliseconds', now());
    end if;
    return new;
  end $$`;

// Ids compare byte by byte (collation "C"): the order of a page never depends on the server's locale.
// Times end with the year 9999, the last one the API can write.
const CUSTOMERS = `
  create table customers (
    id            text collate "C" primary key default new_id() check (length(id) between 1 and 255),
    created_at    timestamptz(3) not null default now(),
    updated_at    timestamptz(3) not null default now(),
    deleted       boolean not null default false,
    email         text not null check (length(email) between 1 and 320),
    name          text not null,
    phone         text,
    is_verified   boolean not null default false,
    verified_at   timestamptz(3),
    last_seen_at  timestamptz(3),
    constraint customers_verified_at_needs_is_verified check (is_verified or verified_at is null),
    constraint customers_times_are_writable check (
      created_at >= '0001-01-01Z' and created_at < '10000-01-01Z'
      and updated_at >= '0001-01-01Z' and updated_at < '10000-01-01Z'
      and verified_at >= '0001-01-01Z' and verified_at < '10000-01-01Z'
      and last_seen_at >= '0001-01-01Z' and last_seen_at < '10000-01-01Z')
  );
  create index customers_newest_first on customers (created_at desc, id desc) where not deleted;
  create index customers_by_email on customers (email, created_at desc, id desc) where not deleted;
  create trigger customers_touch before update on customers
    for each row execute function touch_updated_at()`;

// "key" is the tank's internal number: a reading refers to it in 8 bytes instead of a 36-character id.
// The API never shows it.
const TANKS = `
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
    constraint tanks_times_are_writable check (
      created_at >= '0001-01-01Z' and created_at < '10000-01-01Z'
      and updated_at >= '0001-01-01Z' and updated_at < '10000-01-01Z')
  );
  create index tanks_newest_first on tanks (created_at desc, id desc) where not deleted;
  create index tanks_of_owner on tanks (owner_id, created_at desc, id desc) where not deleted;
  create trigger tanks_touch before update on tanks
    for each row execute function touch_updated_at()`;

// A reading is its tank and its instant: no surrogate key, and the primary key is the list's order.
// The reference to the tank is kept by telemetry_counts (see the counted lists), once a statement instead of once a row.
const TELEMETRY = `
  create table telemetry (
    tank_key         bigint not null,
    created_at       timestamptz(3) not null default now(),
    fill_percentage  double precision not null check (fill_percentage between 0 and 100),
    primary key (tank_key, created_at),
    constraint telemetry_times_are_writable check (created_at >= '0001-01-01Z' and created_at < '10000-01-01Z')
  )`;

const API_KEYS = `
  create table api_keys (
    prefix        text collate "C" primary key,
    hash          bytea not null check (length(hash) = 32),
    name          text not null check (length(name) between 1 and 200),
    customer_id   text collate "C" references customers (id),
    created_at    timestamptz(3) not null default now(),
    expires_at    timestamptz(3),
    revoked_at    timestamptz(3),
    last_used_at  timestamptz(3)
  )`;
