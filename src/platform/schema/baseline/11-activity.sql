-- Activity: who changed what. "actor" is a key's prefix, with the name it had in "key_name", or a command. Ids are UUIDv7 with microseconds,
-- so that they tell the order of two changes in one millisecond. "changes" is json, not jsonb: it is shown in the order in which it was
-- written. Nothing refers to objects: what was done to them stays when they go.
create table activity (
  id          text collate "C" not null default overlay(new_id() placing
    lpad(to_hex(extract(microseconds from clock_timestamp())::integer % 1000), 3, '0') from 16 for 3),
  created_at  timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  type        text collate "C" not null,
  object_id   text collate "C" not null,
  owner_id    text collate "C",
  operation   text not null,
  actor       text collate "C" not null,
  key_name    text,
  request_id  text,
  changes     json not null default '{}',
  primary key (created_at, id)
);
create index activity_of_type on activity (type, created_at, id);
create index activity_of_object on activity (object_id, created_at, id);
create index activity_of_owner on activity (owner_id, created_at, id) where owner_id is not null;
create index activity_of_actor on activity (actor, created_at, id);

-- Counted by day for every list by type and by actor. What has changed is appended, since all writers would wait for each other's rows.
create table activity_counts (
  list  text collate "C" not null,
  day   date not null,
  n     bigint not null,
  primary key (list, day)
) with (fillfactor = 70);
create table activity_count_changes (
  list  text collate "C" not null,
  day   date not null,
  n     bigint not null
);

create trigger count_insert after insert on activity referencing new table as changed_rows
  for each statement execute function count_activity();
create trigger count_delete after delete on activity referencing old table as changed_rows
  for each statement execute function count_activity();
create trigger count_truncate after truncate on activity for each statement execute function count_activity();
