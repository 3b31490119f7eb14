// `cluster`: makes the database of a Citus coordinator a distributed one.
import { prepareCluster } from '../../platform/cluster/prepare.js';
import { SETTINGS, type Step } from '../../platform/cluster/steps.js';
import { command, group, say } from './command.js';
import { withDatabase } from './with-database.js';

const HELP = `
DATABASE_URL is the coordinator, on which the nodes are registered and "migrate" ran. docs/cluster.md explains how.
It is one transaction: if it is stopped, nothing has changed. Readers and writers wait until it is done; readings that are there
already are copied to the workers meanwhile. Running it again is safe, and after an upgrade "migrate" does it by itself.

Examples:
  $ npx tank-monitoring cluster prepare --dry-run
  $ npx tank-monitoring cluster prepare`;

const prepare = command('prepare', 'spread readings and their counts over the workers of a Citus cluster')
  .option('--dry-run', 'check everything and print the SQL, change nothing')
  .addHelpText('after', HELP)
  .action(async ({ dryRun = false }: { dryRun?: boolean }) => {
    const steps: Step[] = [];
    const onStep = (step: Step): void => {
      steps.push(step);
      if (!dryRun) say(`${step.title} ...`);
    };
    await withDatabase({}, (dataSource) => prepareCluster(dataSource, { onStep, dryRun }));
    if (steps.length === 0) return say('The database is a distributed one already: nothing to do.');
    if (!dryRun) return say('Done: the readings are on the workers.');
    process.stdout.write(asTransaction(steps));
    say('That was a dry run: nothing was changed.');
  });

function asTransaction(steps: readonly Step[]): string {
  const settings = Object.entries(SETTINGS).map(([name, value]) => `set local ${name} = ${value};\n`);
  const work = steps.map(
    ({ title, statements }) => `\n-- ${title}\n${statements.map((one) => `${one.trim()};\n`).join('')}`,
  );
  return `begin;\n${settings.join('')}${work.join('')}\ncommit;\n`;
}

export const clusterCommand = group('cluster', 'run on a Citus cluster', [prepare]);
