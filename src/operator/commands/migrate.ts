// `migrate`: brings the database up to date.
import { migrate } from '../../platform/database/migrate.js';
import { command, count, say } from './command.js';
import { demoOption, withDatabase, type DemoChoice } from './with-database.js';

export const migrateCommand = command(
  'migrate',
  'bring the database up to date; safe to run from several machines at once',
  'migrate',
)
  .addOption(demoOption())
  .action(async (options: DemoChoice) => {
    const { migrations, functions, steps } = await withDatabase(options, (dataSource) =>
      migrate(dataSource, undefined, say),
    );
    for (const title of steps) say(`cluster: ${title}`);
    for (const name of migrations) say(`migrated: ${name}`);
    if (migrations.length + functions.length === 0) say('The database is up to date.');
    else say(`${count(migrations.length, 'migration')} ran, ${count(functions.length, 'function')} changed.`);
  });
