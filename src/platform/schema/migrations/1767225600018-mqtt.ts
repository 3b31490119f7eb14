// Which process consumes what a broker has, until when, and which filters the session there has: one row, renewed in place.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Mqtt1767225600018 implements MigrationInterface {
  readonly name = 'Mqtt1767225600018';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table mqtt_lease (
        is_only     boolean primary key default true check (is_only),
        holder      text,
        expires_at  timestamptz(3) not null default '-infinity',
        filters     text[] not null default '{}'
      ) with (fillfactor = 50);
      insert into mqtt_lease default values`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table mqtt_lease');
  }
}
