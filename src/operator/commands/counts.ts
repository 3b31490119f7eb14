// `counts`: checks the counts behind the lists' totals and pages, and corrects them.
import { rebuildCounts, verifyCounts, type CountDifferences } from '../counts/counts.js';
import { command, group, printTable, say } from './command.js';
import { demoOption, withDatabase, type DemoChoice } from './with-database.js';

const verify = command(
  'verify',
  'recount everything and report the differences; exit 1 if there are any',
  'counts verify',
).action(async () => {
  const differences = await withDatabase('read', verifyCounts);
  if (differences.total === 0) return say('All counts are right.');
  report(differences, 'wrong; "counts rebuild" corrects them.');
  process.exitCode = 1;
});

const rebuild = command(
  'rebuild',
  'correct every wrong count; writers wait meanwhile, readers do not',
  'counts rebuild',
)
  .addOption(demoOption())
  .action(async (options: DemoChoice) => {
    const differences = await withDatabase(options, rebuildCounts);
    if (differences.total === 0) return say('All counts were right.');
    report(differences, 'wrong and are right now.');
  });

function report({ first, total }: CountDifferences, result: string): void {
  printTable(['list', 'level', 'start', 'counted', 'actual'], first);
  if (total > first.length) say(`... and ${total - first.length} more.`);
  say(`${total === 1 ? '1 count was' : `${total} counts were`} ${result}`);
}

export const countsCommand = group(
  'counts',
  "check and correct the counts behind the lists' totals and pages",
  [verify, rebuild],
);
