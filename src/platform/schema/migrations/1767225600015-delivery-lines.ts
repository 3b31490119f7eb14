// A tank's pending deliveries to an endpoint wait in a line, and a line has a row of its own: when to look at it again, and who has claimed
// it. Workers claim lines with "skip locked", and decide in TypeScript what to send.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DeliveryLines1767225600015 implements MigrationInterface {
  readonly name = 'DeliveryLines1767225600015';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [LINES, NEW_DELIVERIES, PLACES_OF_2_0]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table webhook_lines; alter table webhook_deliveries drop column is_in_line');
  }
}

// "due_at" of a claimed line is the end of the claim: after a crash another worker looks at the line by itself.
const LINES = `
  create table webhook_lines (
    line         text collate "C" primary key,
    endpoint_id  text collate "C" not null,
    due_at       timestamptz(3) not null,
    claimed_by   text
  ) with (fillfactor = 80);
  create index webhook_lines_due on webhook_lines (endpoint_id, due_at)`;

// Whoever writes events locks nothing here: a worker puts what is new in its line. What is pending now is new.
const NEW_DELIVERIES = `
  alter table webhook_deliveries add column is_in_line boolean not null default false;
  create index webhook_deliveries_not_in_line on webhook_deliveries (endpoint_id, (id + 0))
    where status = 'pending' and not is_in_line`;

// Only 2.0 uses these columns. If it is put back, what is pending is new to it, too.
const PLACES_OF_2_0 = `
  update webhook_deliveries set is_next = null, claimed_until = null, claimed_by = null where status = 'pending'`;
