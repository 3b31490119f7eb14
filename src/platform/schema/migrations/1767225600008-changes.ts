// Changes: notes that writers leave in their transaction, and the feed, in which a worker gives what is committed its place. A follower's
// cursor is a place in the feed, so nothing that commits late can be missed.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { installFunctions } from '../functions.js';
import { IS_CLUSTER } from '../is-cluster.js';

export class Changes1767225600008 implements MigrationInterface {
  readonly name = 'Changes1767225600008';

  async up(runner: QueryRunner): Promise<void> {
    const [{ is_cluster: isCluster }] = (await runner.query(IS_CLUSTER)) as [{ is_cluster: boolean }];
    for (const statement of [NOTES, FEED]) await runner.query(statement);
    await installFunctions(runner, isCluster ? 'cluster' : 'one machine');
    await runner.query(triggers('customers', 'note_customers'));
    await runner.query(triggers('tanks', 'note_tanks'));
    // On a cluster readings are written on the workers: whoever writes them notes them.
    await runner.query(
      isCluster ? truncateTrigger('telemetry', 'note_readings') : triggers('telemetry', 'note_readings'),
    );
    await runner.query(insertTrigger('events', 'note_events'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function note_customers, note_tanks, note_readings, note_events cascade;
      drop table change_notes, change_feed`);
  }
}

// No key, no index, no sequence: an insert at the end of a heap and nothing else, emptied several times a second. "kind": c a customer,
// t a tank, r readings of a tank, e an event; l a tank has left its owner, d one is gone for good (both are shown as deleted, even if the
// tank is back: its readings must go). "owner_id": whose bound keys see it; of readings null, or the only owner whose keys need it.
const NOTES = `
  create table change_notes (
    noted_at  timestamptz(3) not null default clock_timestamp(),
    tank_key  bigint,
    since     timestamptz(3),
    until     timestamptz(3),
    kind      text not null,
    id        text collate "C",
    owner_id  text collate "C"
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_cost_delay = 0)`;

// Rows are only ever added at its end and removed at its beginning. "placed_at" and the position are the cursor.
// Kind s: the feed begins here.
const FEED = `
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
  insert into change_feed (position, placed_at, kind) values (1, clock_timestamp(), 's')`;

const insertTrigger = (table: string, note: string): string => `
  create trigger note_insert after insert on ${table} referencing new table as new_rows
    for each statement execute function ${note}()`;

/** Before, since afterwards nobody knows what was there. */
const truncateTrigger = (table: string, note: string): string => `
  create trigger note_truncate before truncate on ${table} for each statement execute function ${note}()`;

const triggers = (table: string, note: string): string => `
  ${insertTrigger(table, note)};
  create trigger note_update after update on ${table} referencing old table as old_rows new table as new_rows
    for each statement execute function ${note}();
  create trigger note_delete after delete on ${table} referencing old table as old_rows
    for each statement execute function ${note}();
  ${truncateTrigger(table, note)}`;
