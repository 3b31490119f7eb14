// Activity: who changed what. Counted by day for every list by type and by actor. And what a key may do is a rule of the service
// (common/auth/scope.ts), so that a new scope needs no migration.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Activity1767225600020 implements MigrationInterface {
  readonly name = 'Activity1767225600020';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [SCOPES, TABLES, COUNTING]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table activity, activity_counts, activity_count_changes;
      drop function count_activity;
      alter table api_keys drop constraint api_keys_scopes_are_known, add constraint api_keys_scopes_are_known
        check (cardinality(scopes) > 0 and scopes <@ '{read,telemetry:write,customers:write,tanks:write}'::text[]) not valid`);
  }
}

const SCOPES = `
  alter table api_keys drop constraint api_keys_scopes_are_known,
    add constraint api_keys_scopes_are_known check (cardinality(scopes) > 0)`;

// "actor" is a key's prefix, with the name it had in "key_name", or a command. Ids are UUIDv7 with microseconds, so that they tell the
// order of two changes in one millisecond. "changes" is json, not jsonb: it is shown in the order in which it was written. Nothing refers to
// objects: what was done to them stays when they go.
const TABLES = `
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
  create table activity_counts (
    list text collate "C" not null, day date not null, n bigint not null, primary key (list, day)
  ) with (fillfactor = 70);
  create table activity_count_changes (list text collate "C" not null, day date not null, n bigint not null)`;

// A list is named by its type and its actor, each of which may be empty for all. What has changed is appended, since all writers would wait
// for each other's rows of activity_counts. No file, as an earlier version's \`migrate\` would drop it.
const COUNTING = `
  create function count_activity() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
  begin
    if tg_op = 'TRUNCATE' then
      truncate activity_counts, activity_count_changes;
      return null;
    end if;
    insert into activity_count_changes (list, day, n)
    select list, day, case tg_op when 'INSERT' then counted.n else -counted.n end
    from (select type, actor, (created_at at time zone 'UTC')::date as day, count(*) as n from changed_rows group by 1, 2, 3) counted
    cross join lateral (values (' '), (type || ' '), (' ' || actor), (type || ' ' || actor)) lists (list);
    return null;
  end $$;
  create trigger count_insert after insert on activity referencing new table as changed_rows
    for each statement execute function count_activity();
  create trigger count_delete after delete on activity referencing old table as changed_rows
    for each statement execute function count_activity();
  create trigger count_truncate after truncate on activity for each statement execute function count_activity()`;
