// `partition`: keeps the readings in monthly partitions, or in one table again.
import { partitionOff, partitionOn, partitionStatus } from '../../telemetry/storage/partitions.js';
import { command, group, printTable, say } from './command.js';
import { demoOption, withDatabase, type DemoChoice } from './with-database.js';

const WARNING = `
Every reading is copied once, in one transaction: readers and writers of readings wait until it is done (requests are answered 503
meanwhile), and the disk needs room for a second copy. Try it on a restored backup first, which also shows how long it takes.`;
const REPEATED = 'Run again, it adds partitions for months whose readings came in without one.';

const on = command(
  'on',
  'keep readings in monthly partitions; where they are, add the months that are missing',
  'partition on',
)
  .addOption(demoOption())
  .addHelpText('after', `${WARNING}\n${REPEATED}`)
  .action((options: DemoChoice) => withDatabase(options, (dataSource) => partitionOn(dataSource, say)));

const off = command('off', 'keep readings in one table again', 'partition off')
  .addOption(demoOption())
  .addHelpText('after', WARNING)
  .action((options: DemoChoice) => withDatabase(options, (dataSource) => partitionOff(dataSource, say)));

const status = command(
  'status',
  'report whether there are partitions, and how large each is',
  'partition status',
).action(async () => {
  const { months, bytes, readingsInDefault } = await withDatabase('read', partitionStatus);
  if (months === undefined) return say(`The readings are one table of ${megabytes(bytes)} MB.`);
  printTable(
    ['month', 'MB'],
    months.map(({ month, bytes: size }) => ({ month, MB: megabytes(size) })),
  );
  say(`The readings are in ${months.length} monthly partitions of ${megabytes(bytes)} MB together.`);
  if (readingsInDefault > 0)
    say(`${readingsInDefault} readings are of months without one; "partition on" makes them.`);
});

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

export const partitionCommand = group(
  'partition',
  'keep readings in monthly partitions, so that old readings can be removed a month at once',
  [on, off, status],
);
