// Webhooks: where events are sent to, and the result of each delivery. A delivery is written in the transaction of its event, so none is
// lost; whoever delivers it claims it for a while, so that after a crash another tries again.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { installFunctions } from '../functions.js';

export class Webhooks1767225600006 implements MigrationInterface {
  readonly name = 'Webhooks1767225600006';

  async up(runner: QueryRunner): Promise<void> {
    await installFunctions(runner); // what a revert dropped
    for (const statement of [ENDPOINTS, DELIVERIES, TRIGGERS]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function queue_deliveries, hand_on_deliveries cascade;
      drop table webhook_deliveries, webhook_endpoints`);
  }
}

// Secrets are encrypted by the service, which alone has the key. "failing_since": the first failure since a success. "made_in": the
// database that deliveries are made from; in another one, a restored copy, they wait.
const ENDPOINTS = `
  create table webhook_endpoints (
    id                     text collate "C" primary key default new_id(),
    created_at             timestamptz(3) not null default now(),
    url                    text not null,
    customer_id            text collate "C" references customers (id),
    types                  text[] check (cardinality(types) > 0),
    description            text,
    secret                 bytea not null,
    previous_secret        bytea,
    previous_secret_until  timestamptz(3),
    failing_since          timestamptz(3),
    disabled_at            timestamptz(3),
    disabled_reason        text,
    made_in                text not null default database_identity()
  )`;

// No foreign key to the endpoint: every event's transaction would lock its row. A tank's pending deliveries to an endpoint wait in one
// line, of which only the next one can be claimed: a claim does not see those behind it. New ones have no place yet ("is_next" is null),
// so that whoever writes events locks nothing here. "id + 0" orders a line and keeps PostgreSQL from walking the primary key.
const DELIVERIES = `
  create table webhook_deliveries (
    id              bigint generated always as identity primary key,
    endpoint_id     text collate "C" not null,
    event_id        text collate "C" not null references events (id) on delete cascade,
    tank_id         text collate "C" not null,
    line            text collate "C" not null generated always as (endpoint_id || ' ' || tank_id) stored,
    status          text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
    created_at      timestamptz(3) not null default clock_timestamp(),
    tries           integer not null default 0,
    next_try_at     timestamptz(3) not null default clock_timestamp(),
    is_next         boolean,
    claimed_until   timestamptz(3),
    claimed_by      text,
    last_tried_at   timestamptz(3),
    last_status     integer,
    last_reason     text
  ) with (fillfactor = 80);
  create index webhook_deliveries_new on webhook_deliveries (endpoint_id, (id + 0))
    where status = 'pending' and is_next is null;
  create unique index webhook_deliveries_next on webhook_deliveries (line) where coalesce(is_next, false);
  create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_try_at, id)
    where status = 'pending' and is_next and claimed_by is null;
  create index webhook_deliveries_claimed on webhook_deliveries (endpoint_id, claimed_until)
    where claimed_by is not null;
  create index webhook_deliveries_in_order on webhook_deliveries (line, (id + 0))
    where status = 'pending' and tries < 2;
  create index webhook_deliveries_retried on webhook_deliveries (line, next_try_at, id)
    where status = 'pending' and tries >= 2;
  create index webhook_deliveries_pending on webhook_deliveries (endpoint_id, created_at, id)
    where status = 'pending' and id > 0;
  create index webhook_deliveries_done on webhook_deliveries (endpoint_id, id desc) where status <> 'pending';
  create index webhook_deliveries_of_event on webhook_deliveries (event_id)`;

const TRIGGERS = `
  create trigger queue_deliveries after insert on events referencing new table as new_rows
    for each statement execute function queue_deliveries();
  create trigger hand_on_deliveries after delete on webhook_deliveries referencing old table as old_rows
    for each statement execute function hand_on_deliveries()`;
