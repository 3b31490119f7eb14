// Every sensor: messages of any sender, profiles that say more, and levels that are any number.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class EverySensor1767225600017 implements MigrationInterface {
  readonly name = 'EverySensor1767225600017';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table sensor_profiles
        drop constraint sensor_profiles_level_unit_check,
        add constraint sensor_profiles_level_unit_check
          check (level_unit in ('percent', 'mm', 'cm', 'm', 'in', 'ft', 'raw')),
        add column level_scale       jsonb not null default '{}',
        add column battery_scale     jsonb not null default '{}',
        add column temperature_scale jsonb not null default '{}',
        add column ignore_when       jsonb,
        add column history           jsonb`);
    await runner.query(`
      alter table quarantined_uplinks
        drop constraint quarantined_uplinks_source_check,
        add constraint quarantined_uplinks_source_check check (source in ('chirpstack', 'tts', 'generic'))`);
  }

  /** What the release before does not know cannot stay. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`delete from quarantined_uplinks where source = 'generic'`);
    await runner.query(`
      alter table quarantined_uplinks
        drop constraint quarantined_uplinks_source_check,
        add constraint quarantined_uplinks_source_check check (source in ('chirpstack', 'tts'))`);
    await runner.query(`delete from sensor_profiles where level_unit = 'raw'`);
    await runner.query(`
      alter table sensor_profiles
        drop column level_scale, drop column battery_scale, drop column temperature_scale,
        drop column ignore_when, drop column history,
        drop constraint sensor_profiles_level_unit_check,
        add constraint sensor_profiles_level_unit_check check (level_unit in ('percent', 'mm', 'cm', 'm', 'in', 'ft'))`);
  }
}
