// Customers, tanks, profiles and sensors are written to their tables, by a role that may do that and nothing else: what is counted with
// them is written with the rights of the tables' owner.
import type { MigrationInterface, QueryRunner } from 'typeorm';

const COUNTING = ['count_customers', 'count_tanks'];

export class WritersOfTables1767225600012 implements MigrationInterface {
  readonly name = 'WritersOfTables1767225600012';

  async up(runner: QueryRunner): Promise<void> {
    for (const name of COUNTING)
      await runner.query(`alter function ${name}() security definer set search_path = public, pg_temp`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of COUNTING)
      await runner.query(`alter function ${name}() security invoker reset search_path`);
  }
}
