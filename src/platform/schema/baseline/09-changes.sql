-- Changes: notes that writers leave in their transaction, and the feed, in which a worker gives what is committed its place. A follower's
-- cursor is a place in the feed, so nothing that commits late can be missed.
-- Notes have no key, no index, no sequence: an insert at the end of a heap and nothing else, emptied several times a second. "kind": c a
-- customer, t a tank, r readings of a tank, e an event; l a tank has left its owner, d one is gone for good (both are shown as deleted, even
-- if the tank is back: its readings must go). "owner_id": whose bound keys see it; of readings null, or the only owner whose keys need it.
create table change_notes (
  noted_at  timestamptz(3) not null default clock_timestamp(),
  tank_key  bigint,
  since     timestamptz(3),
  until     timestamptz(3),
  kind      text not null,
  id        text collate "C",
  owner_id  text collate "C"
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_cost_delay = 0);

-- Rows are only ever added at its end and removed at its beginning. "placed_at" and the position are the cursor. Kind s: it begins here.
create table change_feed (
  position   bigint primary key,
  placed_at  timestamptz(3) not null,
  tank_key   bigint,
  since      timestamptz(3),
  until      timestamptz(3),
  kind       text not null,
  id         text collate "C",
  owner_id   text collate "C"
);
create index change_feed_but_readings on change_feed (position) where kind <> 'r';
create index change_feed_beginnings on change_feed (position) where kind = 's';
insert into change_feed (position, placed_at, kind) values (1, clock_timestamp(), 's');

-- Before a truncate, since afterwards nobody knows what was there.
create trigger note_insert after insert on customers referencing new table as new_rows
  for each statement execute function note_customers();
create trigger note_update after update on customers referencing old table as old_rows new table as new_rows
  for each statement execute function note_customers();
create trigger note_delete after delete on customers referencing old table as old_rows
  for each statement execute function note_customers();
create trigger note_truncate before truncate on customers for each statement execute function note_customers();
create trigger note_insert after insert on tanks referencing new table as new_rows
  for each statement execute function note_tanks();
create trigger note_update after update on tanks referencing old table as old_rows new table as new_rows
  for each statement execute function note_tanks();
create trigger note_delete after delete on tanks referencing old table as old_rows
  for each statement execute function note_tanks();
create trigger note_truncate before truncate on tanks for each statement execute function note_tanks();
create trigger note_insert after insert on telemetry referencing new table as new_rows
  for each statement execute function note_readings();
create trigger note_update after update on telemetry referencing old table as old_rows new table as new_rows
  for each statement execute function note_readings();
create trigger note_delete after delete on telemetry referencing old table as old_rows
  for each statement execute function note_readings();
create trigger note_truncate before truncate on telemetry for each statement execute function note_readings();
create trigger note_insert after insert on events referencing new table as new_rows
  for each statement execute function note_events();
