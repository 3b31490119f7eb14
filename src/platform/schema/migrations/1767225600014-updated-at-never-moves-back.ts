// updated_at follows every real change, whoever writes it, and nothing else. A writer that gives another one is obeyed. One that lies in the
// future, as an import may bring, or at the end of time, stays; so nobody has to tell the trigger by a setting that it was given.
// Not a file of its own: the version before, when it is put back, would drop that, which triggers need.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class UpdatedAtNeverMovesBack1767225600014 implements MigrationInterface {
  readonly name = 'UpdatedAtNeverMovesBack1767225600014';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(touch("greatest(date_trunc('milliseconds', now()), old.updated_at)"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      touch(
        `date_trunc('milliseconds', now())`,
        `and current_setting('tank_monitoring.updated_at', true) is distinct from 'given'`,
      ),
    );
  }
}

const touch = (moved: string, condition = ''): string => `
  create or replace function touch_updated_at() returns trigger language plpgsql as $$
  begin
    if new.updated_at = old.updated_at and new is distinct from old ${condition} then
      new.updated_at := ${moved};
    end if;
    return new;
  end $$`;
