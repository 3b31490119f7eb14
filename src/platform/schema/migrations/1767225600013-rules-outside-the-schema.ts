// What an event may be is a rule of the service (src/rules.ts), so that a new type needs no migration.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RulesOutsideTheSchema1767225600013 implements MigrationInterface {
  readonly name = 'RulesOutsideTheSchema1767225600013';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table events drop constraint events_type_check');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table events add constraint events_type_check
        check (type in ('tank.low', 'tank.recovered', 'tank.refilled', 'tank.silent', 'tank.reporting'))`);
  }
}
