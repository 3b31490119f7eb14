// `retention`: removes readings that are older than so many months.
import { findOldReadings, firstMonthKept, removeOldReadings } from '../../telemetry/storage/old-readings.js';
import type { Database, OldReadings } from '../../telemetry/storage/old-readings.js';
import { findPool, withClient } from '../../platform/database/pool.js';
import { command, confirm, count, parseWhole, printTable, progressReporter, say } from './command.js';
import { yesOption, type Consent } from './command.js';
import { demoOption, withDatabase, type DemoChoice } from './with-database.js';

interface Options extends DemoChoice, Consent {
  readonly months: number;
  readonly dryRun?: boolean;
}

const MAX_MONTHS = 1_200;
const TRIES = 30;
const parseMonths = parseWhole(1, MAX_MONTHS, `Give a whole number of months from 1 to ${MAX_MONTHS}.`);

const HELP = `
Months are whole months in UTC: the current one and N before it are kept, all earlier readings are removed. Totals, pages, series and
the fleet are as if they had never been there, and no event is recorded. It works in small steps, so that the service goes on. It
may be stopped at any time and run again. With monthly partitions ("partition on") a whole month is dropped at once.

Examples:
  $ npx tank-monitoring retention --months 24 --dry-run
  $ npx tank-monitoring retention --months 24`;

export const retentionCommand = command('retention', 'remove readings that are older than so many months')
  .requiredOption('--months <n>', 'how many whole months to keep before the current one', parseMonths)
  .option('--dry-run', 'report what would be removed, and remove nothing')
  .addOption(yesOption())
  .addOption(demoOption())
  .addHelpText('after', HELP)
  .action(({ months, dryRun = false, ...choices }: Options) =>
    withDatabase(dryRun ? 'read' : choices, (dataSource) =>
      withClient(findPool(dataSource), async (database) => {
        const keepFrom = await firstMonthKept(database, months);
        const old = await findOldReadings(database, keepFrom);
        if (dryRun) return print(old, keepFrom);
        if (old.readings > 0)
          await confirm(choices, `${describe(old, keepFrom)} They cannot be brought back.`);
        await remove(database, keepFrom);
      }),
    ),
  );

function print(old: OldReadings, keepFrom: string): void {
  printTable(
    ['month', 'readings', 'tanks', 'how'],
    old.months.map((month) => ({ ...month, how: month.isPartition ? 'partition' : 'rows' })),
  );
  say(describe(old, keepFrom));
}

function describe({ readings, tanks, emptied }: OldReadings, keepFrom: string): string {
  if (readings === 0) return `Nothing is older than ${keepFrom}.`;
  const left = emptied === 0 ? '' : `, ${emptied} of which would have none left`;
  return `Older than ${keepFrom}: ${count(readings, 'reading')} of ${count(tanks, 'tank')}${left}.`;
}

async function remove(database: Database, keepFrom: string): Promise<void> {
  const report = progressReporter();
  const onProgress = (soFar: number): void => report(`${soFar} readings removed so far`);
  const removed = await removeOldReadings(database, keepFrom, { tries: TRIES, onProgress });
  if (removed === 0) say(`Nothing is older than ${keepFrom}.`);
  else say(`${removed} readings from before ${keepFrom} were removed.`);
}
