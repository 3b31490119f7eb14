// `migrate`: brings the database up to date.
import { Command } from 'commander';
import { migrate } from '../database/migrate.js';
import { withDatabase } from './with-database.js';

export const migrateCommand = new Command('migrate')
  .description('bring the database up to date; safe to run from several machines at once')
  .addHelpText(
    'after',
    '\nExample:\n  $ DATABASE_URL=postgres://owner:secret@db/tanks tank-monitoring migrate',
  )
  .action(async () => {
    const ran = await withDatabase(migrate);
    for (const name of ran) process.stderr.write(`migrated: ${name}\n`);
    process.stderr.write(
      ran.length === 0
        ? 'The database is up to date.\n'
        : `${ran.length} ${ran.length === 1 ? 'migration' : 'migrations'} ran.\n`,
    );
  });
