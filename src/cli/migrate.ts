// `migrate`: brings the database up to date.
import type { DataSource } from 'typeorm';
import { isCluster } from '../schema/is-cluster.js';
import { prepareCluster } from '../cluster/prepare.js';
import { migrate, type Migrated } from '../database/migrate.js';
import { withConnection } from '../database/transaction.js';
import { command } from './command.js';
import { count, say } from './output.js';
import { demoOption, withDatabase, type DemoChoice } from './with-database.js';

export const migrateCommand = command(
  'migrate',
  'bring the database up to date; safe to run from several machines at once',
  'migrate',
)
  .addOption(demoOption())
  .action(async (options: DemoChoice) => {
    const { migrations, functions } = await withDatabase(options, migrateWhole);
    for (const name of migrations) say(`migrated: ${name}`);
    if (migrations.length + functions.length === 0) say('The database is up to date.');
    else say(`${count(migrations.length, 'migration')} ran, ${count(functions.length, 'function')} changed.`);
  });

/** A migration may bring functions that a cluster needs in another form. */
async function migrateWhole(dataSource: DataSource): Promise<Migrated> {
  const ran = await migrate(dataSource);
  if (await withConnection(dataSource, isCluster)) {
    await prepareCluster(dataSource, { onStep: ({ title }) => say(`cluster: ${title}`) });
  }
  return ran;
}
