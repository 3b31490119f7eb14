// Every migration, oldest first: the baseline, which is a file for each feature (../baseline), and after it one file each in this folder,
// <milliseconds since 1970>-<name>.sql. One that has been released is never edited. They make tables, indexes, triggers and data; functions
// are files (src/**/sql), installed after them. There is no way down: the version before runs on the tables of this one, too.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { sqlFiles } from '../sql-files.js';

export const BASELINE = 'Baseline1794960000000';

const files = Object.entries(sqlFiles());

export const migrations = [
  migration(
    BASELINE,
    files
      .filter(([path]) => path.startsWith('platform/schema/baseline/'))
      .map(([, text]) => text)
      .join('\n'),
  ),
  ...files
    .filter(([path]) => path.startsWith('platform/schema/migrations/'))
    .map(([path, text]) => migration(toMigrationName(path), text)),
];

/** 1795000000000-tank-notes.sql is TankNotes1795000000000: TypeORM finds the time at the end of a name. */
function toMigrationName(path: string): string {
  const file = path.slice(path.lastIndexOf('/') + 1);
  const [, time = '', words = ''] = /^(\d{13})-([a-z0-9-]+)\.sql$/.exec(file) ?? [];
  if (time === '') throw new Error(`A migration is called <milliseconds since 1970>-<name>.sql: ${path}`);
  return words.replaceAll(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase()) + time;
}

function migration(name: string, text: string): new () => MigrationInterface {
  return class implements MigrationInterface {
    static readonly name = name;
    readonly name = name;

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(text);
    }

    down(): Promise<void> {
      return Promise.reject(new Error(`${name} cannot be reverted: restore a backup (docs/upgrade.md).`));
    }
  };
}
