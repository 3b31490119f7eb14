// `counts`: checks the counts behind the lists' totals and pages, and corrects them.
import { Command } from 'commander';
import { rebuildCounts, verifyCounts, type CountDifferences } from '../counts/counts.js';
import { printTable } from './print-table.js';
import { say } from './say.js';
import { changeDatabase, demoOption, readDatabase, type DemoChoice } from './with-database.js';

const verify = new Command('verify')
  .description('recount everything and tell the differences; exit 1 if there are any')
  .addHelpText('after', '\nExample:\n  $ npx tank-monitoring counts verify')
  .action(async () => {
    const differences = await readDatabase(verifyCounts);
    if (differences.total === 0) {
      say('All counts are right.');
      return;
    }
    print(differences);
    say(`${howMany(differences)} wrong; "counts rebuild" corrects them.`);
    process.exitCode = 1;
  });

const rebuild = new Command('rebuild')
  .description('correct every wrong count; writers wait meanwhile, readers do not')
  .addOption(demoOption())
  .addHelpText('after', '\nExample:\n  $ npx tank-monitoring counts rebuild')
  .action(async (options: DemoChoice) => {
    const differences = await changeDatabase(options, rebuildCounts);
    if (differences.total > 0) print(differences);
    say(
      differences.total === 0 ? 'All counts were right.' : `${howMany(differences)} wrong and are right now.`,
    );
  });

function print({ first, total }: CountDifferences): void {
  printTable(
    ['list', 'level', 'start', 'counted', 'actual'],
    first.map(({ list, level, start, counted, actual }) => [list, level, start, counted, actual]),
  );
  if (total > first.length) say(`... and ${total - first.length} more.`);
}

function howMany({ total }: CountDifferences): string {
  return total === 1 ? '1 count was' : `${total} counts were`;
}

export const countsCommand = new Command('counts')
  .description("check and correct the counts behind the lists' totals and pages")
  .addCommand(verify)
  .addCommand(rebuild);
