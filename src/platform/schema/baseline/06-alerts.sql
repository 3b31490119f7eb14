-- Events: what happened to tanks, counted by type and day. "data" is json, not jsonb: it is shown in the order in which it was written. The
-- tank and its owner are those of that time, so nothing refers to them: past events stay when a tank goes. Which types there are is a rule
-- of the service (src/rules.ts).
create table events (
  id          text collate "C" primary key,
  type        text not null,
  created_at  timestamptz(3) not null,
  tank_id     text collate "C" not null,
  owner_id    text collate "C" not null,
  data        json not null
);
create index events_newest_first on events (created_at desc, id desc);
create index events_of_type on events (type, created_at desc, id desc);
create index events_of_tank on events (tank_id, created_at desc, id desc);
create index events_of_owner on events (owner_id, created_at desc, id desc);
create table event_counts (
  type  text not null,
  day   date not null,
  n     integer not null,
  primary key (type, day)
) with (fillfactor = 70);

-- What was reported about a tank and is not over yet; most tanks have no row.
create table tank_alerts (
  tank_key          bigint primary key,
  low               boolean not null,
  silence_reported  boolean not null
);
-- Tanks with which something may have happened since the newest reading that was judged ("known"). "written_at" and "reached" hold an element
-- for each write since: its time, and the newest reading after it.
create table tanks_to_judge (
  tank_key         bigint primary key,
  known_at         timestamptz(3),
  known_fill       double precision,
  known_threshold  integer not null,
  was_silent       boolean not null,
  was_restored     boolean not null,
  written_at       timestamptz[] not null,
  reached          timestamptz[] not null
);
-- When any process last did the background work.
create table background_rounds (
  only_row     boolean primary key default true check (only_row),
  finished_at  timestamptz(3) not null
);
insert into background_rounds (finished_at) values (clock_timestamp());

create trigger count_insert after insert on events referencing new table as new_rows
  for each statement execute function count_events();
create trigger count_update after update on events referencing old table as old_rows new table as new_rows
  for each statement execute function count_events();
create trigger count_delete after delete on events referencing old table as old_rows
  for each statement execute function count_events();
create trigger count_truncate after truncate on events for each statement execute function count_events();
create trigger forget_alerts after delete on tank_states referencing old table as old_states
  for each statement execute function forget_alerts();
create trigger forget_all_alerts after truncate on tank_states for each statement execute function forget_alerts();
