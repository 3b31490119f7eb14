// `retention`: removes readings that are older than so many months.
import { Command, InvalidArgumentError } from 'commander';
import {
  findOldReadings,
  firstMonthKept,
  removeOldReadings,
  type Database,
  type OldReadings,
} from '../telemetry/old-readings.js';
import { withConnection } from '../database/transaction.js';
import { confirm, yesOption, type Consent } from './confirm.js';
import { printTable } from './print-table.js';
import { say } from './say.js';
import { changeDatabase, demoOption, readDatabase, type DemoChoice } from './with-database.js';

interface Options extends DemoChoice, Consent {
  readonly months: number;
  readonly dryRun?: boolean;
}

const MAX_MONTHS = 1_200;
const TRIES = 30;
const TELL_EVERY_MS = 5_000;

const HELP = `
Months are whole months in UTC: the current one and N before it are kept, all readings before them go. Totals, pages, series and
the fleet are as if they had never been there; nobody is alerted. Work is done in small steps while everybody else goes on. It
may be stopped at any moment and run again. With monthly partitions ("partition on") a month goes at once.

Examples:
  $ npx tank-monitoring retention --months 24 --dry-run
  $ npx tank-monitoring retention --months 24`;

export const retentionCommand = new Command('retention')
  .description('remove readings that are older than so many months')
  .requiredOption('--months <n>', 'how many whole months to keep before the current one', parseMonths)
  .option('--dry-run', 'tell what would go, and remove nothing')
  .addOption(yesOption())
  .addOption(demoOption())
  .addHelpText('after', HELP)
  .action(async ({ months, dryRun = false, ...choices }: Options) => {
    const look = (client: Database): Promise<void> => tellOldReadings(client, months);
    const change = (client: Database): Promise<void> => remove(client, months, choices);
    if (dryRun) await readDatabase((dataSource) => withConnection(dataSource, look));
    else await changeDatabase(choices, (dataSource) => withConnection(dataSource, change));
  });

async function tellOldReadings(database: Database, months: number): Promise<void> {
  const keepFrom = await firstMonthKept(database, months);
  const old = await findOldReadings(database, keepFrom);
  printTable(
    ['month', 'readings', 'tanks', 'how'],
    old.months.map(({ month, readings, tanks, isPartition }) => [
      month,
      readings,
      tanks,
      isPartition ? 'partition' : 'rows',
    ]),
  );
  say(describe(old, keepFrom));
}

function describe({ readings, tanks, emptied }: OldReadings, keepFrom: string): string {
  if (readings === 0) return `Nothing is older than ${keepFrom}.`;
  const left = emptied === 0 ? '' : `, ${emptied} of which would have none left`;
  return `Older than ${keepFrom}: ${readings} readings of ${tanks} tanks${left}.`;
}

async function remove(database: Database, months: number, consent: Consent): Promise<void> {
  const keepFrom = await firstMonthKept(database, months);
  const old = await findOldReadings(database, keepFrom);
  if (old.readings > 0) await confirm(consent, `${describe(old, keepFrom)} They will be gone for good.`);
  let told = performance.now();
  const removed = await removeOldReadings(database, keepFrom, {
    tries: TRIES,
    onProgress: (soFar) => {
      if (performance.now() - told < TELL_EVERY_MS) return;
      told = performance.now();
      say(`${soFar} readings removed so far`);
    },
  });
  say(
    removed === 0
      ? `Nothing is older than ${keepFrom}.`
      : `${removed} readings from before ${keepFrom} were removed.`,
  );
}

function parseMonths(text: string): number {
  const months = /^\d{1,4}$/.test(text) ? Number(text) : NaN;
  if (months >= 1 && months <= MAX_MONTHS) return months;
  throw new InvalidArgumentError(`Give a whole number of months from 1 to ${MAX_MONTHS}.`);
}
