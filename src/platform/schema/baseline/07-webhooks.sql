-- Webhooks: where events are sent to, and the result of each delivery. A delivery is written in the transaction of its event, so none is
-- lost. Secrets are encrypted by the service, which alone has the key. "failing_since": the first failure since a success. "made_in": the
-- database that deliveries are made from; in another one, a restored copy, they wait.
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
  made_in                text not null default database_identity(),
  updated_at             timestamptz(3) not null default now()
);

-- No foreign key to the endpoint: every event's transaction would lock its row. A tank's pending deliveries to an endpoint wait in one line.
-- Whoever writes events locks nothing here: a worker puts what is new in its line ("is_in_line"). "retry_after": when the receiver asked to
-- be tried again, at the earliest. "is_woken": it was tried earlier than its turn, because the endpoint answered again, and is not a second
-- time. "is_next", "claimed_until" and "claimed_by" are not used any more. "id + 0" keeps PostgreSQL from walking the primary key.
create table webhook_deliveries (
  id             bigint generated always as identity primary key,
  endpoint_id    text collate "C" not null,
  event_id       text collate "C" not null references events (id) on delete cascade,
  tank_id        text collate "C" not null,
  line           text collate "C" not null generated always as (endpoint_id || ' ' || tank_id) stored,
  status         text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  created_at     timestamptz(3) not null default clock_timestamp(),
  tries          integer not null default 0,
  next_try_at    timestamptz(3) not null default clock_timestamp(),
  is_next        boolean,
  claimed_until  timestamptz(3),
  claimed_by     text,
  last_tried_at  timestamptz(3),
  last_status    integer,
  last_reason    text,
  is_in_line     boolean not null default false,
  is_woken       boolean not null default false,
  retry_after    timestamptz(3)
) with (fillfactor = 80);
create index webhook_deliveries_new on webhook_deliveries (endpoint_id, (id + 0)) where status = 'pending' and is_next is null;
create unique index webhook_deliveries_next on webhook_deliveries (line) where coalesce(is_next, false);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_try_at, id)
  where status = 'pending' and is_next and claimed_by is null;
create index webhook_deliveries_claimed on webhook_deliveries (endpoint_id, claimed_until) where claimed_by is not null;
create index webhook_deliveries_in_order on webhook_deliveries (line, (id + 0)) where status = 'pending' and tries < 2;
create index webhook_deliveries_retried on webhook_deliveries (line, next_try_at, id) where status = 'pending' and tries >= 2;
create index webhook_deliveries_pending on webhook_deliveries (endpoint_id, created_at, id) where status = 'pending' and id > 0;
create index webhook_deliveries_done on webhook_deliveries (endpoint_id, id desc) where status <> 'pending';
create index webhook_deliveries_of_event on webhook_deliveries (event_id);
create index webhook_deliveries_not_in_line on webhook_deliveries (endpoint_id, (id + 0)) where status = 'pending' and not is_in_line;
create index webhook_deliveries_to_wake on webhook_deliveries (endpoint_id) where status = 'pending' and tries > 0 and not is_woken;
create index webhook_deliveries_listed on webhook_deliveries (endpoint_id, status, created_at, id);

-- A line: when to look at it again, and who has claimed it. "due_at" of a claimed line is the end of the claim: after a crash another worker
-- looks at the line by itself. Workers claim lines with "skip locked", and decide in TypeScript what to send.
create table webhook_lines (
  line         text collate "C" primary key,
  endpoint_id  text collate "C" not null,
  due_at       timestamptz(3) not null,
  claimed_by   text
) with (fillfactor = 80);
create index webhook_lines_due on webhook_lines (endpoint_id, due_at);

create trigger queue_deliveries after insert on events referencing new table as new_rows
  for each statement execute function queue_deliveries();
create trigger hand_on_deliveries after delete on webhook_deliveries referencing old table as old_rows
  for each statement execute function hand_on_deliveries();
