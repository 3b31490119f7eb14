// Events: what happened to tanks, counted like the other lists; and what is to be judged, and remembered of a tank meanwhile.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { installFunctions } from '../functions.js';

export class Events1767225600005 implements MigrationInterface {
  readonly name = 'Events1767225600005';

  async up(runner: QueryRunner): Promise<void> {
    await installFunctions(runner); // what a revert dropped
    for (const statement of [EVENTS, JUDGING, TRIGGERS]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function forget_alerts, count_events cascade;
      drop table background_rounds, tanks_to_judge, tank_alerts, event_counts, events`);
  }
}

// "data" is json, not jsonb: it is shown in the order in which it was written. The tank and its owner are those of that time,
// so nothing refers to them: past events stay when a tank goes.
const EVENTS = `
  create table events (
    id          text collate "C" primary key,
    type        text not null check (type in ('tank.low', 'tank.recovered', 'tank.refilled', 'tank.silent', 'tank.reporting')),
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
    type text not null, day date not null, n integer not null, primary key (type, day)
  ) with (fillfactor = 70)`;

// tank_alerts: what was reported about a tank and is not over yet; most tanks have no row. tanks_to_judge: tanks with which something may
// have happened since the newest reading that was judged ("known"). "written_at" and "reached" hold an element for each write since: its
// time, and the newest reading after it. background_rounds: when any process last did the background work.
const JUDGING = `
  create table tank_alerts (
    tank_key      bigint primary key,
    low           boolean not null,
    silence_reported  boolean not null
  );
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
  create table background_rounds (
    only_row     boolean primary key default true check (only_row),
    finished_at  timestamptz(3) not null
  );
  insert into background_rounds (finished_at) values (clock_timestamp())`;

const TRIGGERS = `
  create trigger count_insert after insert on events referencing new table as new_rows
    for each statement execute function count_events();
  create trigger count_update after update on events referencing old table as old_rows new table as new_rows
    for each statement execute function count_events();
  create trigger count_delete after delete on events referencing old table as old_rows
    for each statement execute function count_events();
  create trigger count_truncate after truncate on events for each statement execute function count_events();
  create trigger forget_alerts after delete on tank_states referencing old table as old_states
    for each statement execute function forget_alerts();
  create trigger forget_all_alerts after truncate on tank_states for each statement execute function forget_alerts()`;
