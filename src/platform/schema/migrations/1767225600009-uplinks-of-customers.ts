// What waits in quarantine, by customer: a bound key reads and counts its own, however many others have.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class UplinksOfCustomers1767225600009 implements MigrationInterface {
  readonly name = 'UplinksOfCustomers1767225600009';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index quarantined_uplinks_of_customer on quarantined_uplinks (customer_id, created_at desc, id desc)
        include (device_id, reason)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index quarantined_uplinks_of_customer');
  }
}
