-- Recipients: who is told by e-mail, and notices: what was sent to them, or is to be. What the state of a recipient follows from is stored
-- ("failing_reason": refused for good three times in a row). "active_since" is null unless mails go to it, and so is "next_daily_at".
-- "link_number" ends the links of confirmations that were sent before. "daily_day": of the last daily mail, local, in days since 1970.
create table recipients (
  id               text collate "C" primary key default new_id(),
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now(),
  email            text not null,
  name             text,
  owner_id         text collate "C" references customers (id),
  events           text[] not null,
  daily_at         text,
  time_zone        text not null,
  language         text not null,
  paused           boolean not null default false,
  confirmed_at     timestamptz(3),
  unsubscribed_at  timestamptz(3),
  failing_reason   text,
  failures         integer not null default 0,
  link_number      integer not null default 0,
  active_since     timestamptz(3),
  next_daily_at    timestamptz(3),
  daily_day        integer,
  events_sent_at   timestamptz(3),
  last_sent_at     timestamptz(3)
);
create unique index recipients_by_address on recipients (lower(email), owner_id) nulls not distinct;
create index recipients_newest_first on recipients (created_at desc, id desc);
create index recipients_of_owner on recipients (owner_id, created_at desc, id desc);
create index recipients_by_daily on recipients (next_daily_at) where next_daily_at is not null;

-- A notice of events that was not tried yet gets those that come meanwhile: what the feed of changes has after "after_position". A claim is
-- an attempt with "claimed_by"; "next_attempt_at" is its end, so that after a crash another worker tries again. "waits_for_server": the last
-- attempt failed by the server's own fault. "woken_at": how many attempts there were when it was last tried early, since the server worked again.
create table notices (
  id                text collate "C" primary key default new_id(),
  created_at        timestamptz(3) not null default clock_timestamp(),
  recipient_id      text collate "C" not null references recipients (id) on delete cascade,
  kind              text not null check (kind in ('events', 'daily', 'confirmation', 'test')),
  subject           text not null,
  event_ids         text[] not null default '{}',
  event_count       integer not null default 0,
  after_position    bigint,
  status            text not null default 'pending' check (status in ('pending', 'sent', 'failed', 'off')),
  attempts          integer not null default 0,
  last_attempt_at   timestamptz(3),
  next_attempt_at   timestamptz(3),
  expires_at        timestamptz(3),
  claimed_by        text,
  waits_for_server  boolean not null default false,
  woken_at          integer,
  reply             text,
  sent_at           timestamptz(3)
);
create index notices_of_recipient on notices (recipient_id, created_at desc, id desc);
create index notices_pending on notices (recipient_id) where status = 'pending';
create index notices_by_age on notices (created_at);

-- What is remembered of addresses when their recipients are gone, as SHA-256: confirmations that were asked for, for a day, and who has
-- unsubscribed.
create table address_history (
  address   bytea not null,
  owner_id  text collate "C",
  what      text not null check (what in ('asked', 'unsubscribed')),
  at        timestamptz(3) not null default now()
);
create index address_history_of_address on address_history (address, at);
create index address_history_of_owner on address_history (owner_id, at);

-- "position": up to where in the feed of changes recipients were told. "made_in": the database that mails are sent from, noted by the first
-- worker; in another one, a restored copy, they wait.
create table notice_state (
  only_row              boolean primary key default true check (only_row),
  position              bigint not null,
  server_failing_since  timestamptz(3),
  made_in               text
);
insert into notice_state (position) select max(position) from change_feed;
