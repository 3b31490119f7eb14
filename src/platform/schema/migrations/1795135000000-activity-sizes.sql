-- How many entries of activity each customer has, and how many bytes of changes, so that finding those with too many reads no entries. A
-- writer appends what it adds or takes away; tidy_activity() sums that up. Entries of no customer are under ''.
create table activity_sizes (
  owner_id  text collate "C" not null,
  n         bigint not null,
  bytes     bigint not null
);

create function size_activity() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$ begin return null; end $$;

-- From here on nobody else writes activity until the commit.
create trigger size_insert after insert on activity referencing new table as added
  for each statement execute function size_activity();
create trigger size_update after update on activity referencing old table as removed new table as added
  for each statement execute function size_activity();
create trigger size_delete after delete on activity referencing old table as removed
  for each statement execute function size_activity();

insert into activity_sizes (owner_id, n, bytes)
select coalesce(owner_id, ''), count(*), sum(octet_length(changes::text)) from activity group by 1;
