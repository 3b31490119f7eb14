// `partition`: keeps the readings in monthly partitions, or in one table again.
import { Command } from 'commander';
import { partitionOff, partitionOn, partitionStatus } from '../telemetry/partitions.js';
import { printTable } from './print-table.js';
import { say } from './say.js';
import { changeDatabase, demoOption, readDatabase, type DemoChoice } from './with-database.js';

const WARNING = `
Every reading is copied once, in one transaction: readers and writers of readings wait until it is done (callers are told 503
meanwhile), and the disk needs room for a second copy. Try it on a restored backup first, which also tells how long it takes.`;

const on = new Command('on')
  .description('keep readings in monthly partitions; where they are, add the months that are missing')
  .addOption(demoOption())
  .addHelpText(
    'after',
    `${WARNING}
Repeated, it gives months of their own to readings that came in for a month without a partition.

Example:
  $ npx tank-monitoring partition on`,
  )
  .action((options: DemoChoice) => changeDatabase(options, (dataSource) => partitionOn(dataSource, say)));

const off = new Command('off')
  .description('keep readings in one table again')
  .addOption(demoOption())
  .addHelpText('after', `${WARNING}\n\nExample:\n  $ npx tank-monitoring partition off`)
  .action((options: DemoChoice) => changeDatabase(options, (dataSource) => partitionOff(dataSource, say)));

const status = new Command('status')
  .description('tell whether there are partitions, and how large each is')
  .addHelpText('after', '\nExample:\n  $ npx tank-monitoring partition status')
  .action(async () => {
    const { months, bytes, readingsInNet } = await readDatabase(partitionStatus);
    if (months === undefined) {
      say(`The readings are one table of ${megabytes(bytes)} MB.`);
      return;
    }
    printTable(
      ['month', 'MB'],
      months.map(({ month, bytes: size }) => [month, megabytes(size)]),
    );
    say(`The readings are in ${months.length} monthly partitions of ${megabytes(bytes)} MB together.`);
    if (readingsInNet > 0)
      say(`${readingsInNet} readings are of months without one; "partition on" makes them.`);
  });

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

export const partitionCommand = new Command('partition')
  .description('keep readings in monthly partitions, for fleets whose old readings should go at once')
  .addCommand(on)
  .addCommand(off)
  .addCommand(status);
