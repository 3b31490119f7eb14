// `import`: imports customers, tanks and readings from files. One file is one transaction.
import { Option, type Command } from 'commander';
import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync, realpathSync } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import type { DataSource } from 'typeorm';
import { csvTemplate, TEMPLATES } from '../import/csv-objects.js';
import { importLines, type ImportFormat } from '../import/import-lines.js';
import type { DeletedOwners } from '../import/warnings.js';
import { MAX_REPORTED } from '../import/refusal-log.js';
import { RejectsFile } from '../import/rejects-file.js';
import { emptyOutcome, KINDS, type ImportReport } from '../import/report.js';
import { quote } from '../../common/validation/fault.js';
import { CSV_HEADER } from '../import/write-reading.js';
import { command, confirm, count, NotConfirmed, printLine, printTable, say, yesOption } from './command.js';
import type { Consent } from './command.js';
import { printProgress } from './progress.js';
import { demoOption, withDatabase, type DemoChoice } from './with-database.js';

interface Options extends DemoChoice, Consent {
  format?: ImportFormat;
  template?: (typeof TEMPLATES)[number];
  rejects?: string;
  dryRun?: boolean;
  json?: boolean;
}

/** Of all files that are imported together. Undefined of a dry run, which leaves no trace. */
interface Run extends Options {
  readonly runId: string | undefined;
}

interface Input {
  readonly name: string;
  readonly format: ImportFormat;
  readonly bytes: number | undefined;
  readonly open: () => AsyncIterable<Buffer>;
}

const HELP = `
A line of NDJSON is one object as the API shows it: a customer, a tank, or a reading with its tank_id.
  - Objects are identified by id, readings by tank and instant. The last line about one wins; order does not matter otherwise.
  - A line is the whole object: a nullable field left out becomes null, created_at left out is kept or now.
  - A change sets updated_at to now, unless the line has a newer one than is stored. A line that changes nothing leaves it as it is.
  - {"id": "...", "object": "tank", "deleted": true} deletes. A whole line with "deleted": true stores a deleted object;
    a line without it restores. Readings are not deleted. Deleting customers who still own tanks is asked about first.
  - A line with an unknown field is refused; tank_count is ignored.
The header of CSV says what its lines are, with commas or semicolons between columns:
  - readings: ${CSV_HEADER}
  - customers have email, tanks have owner_id, and other columns as the CSV of the API's lists. --template prints a header and one line to
    begin with. An empty cell, or a column left out, is the field's default; "" is an empty text. Numbers, booleans and times as in JSON.

A refused line does not stop the others. The first ${MAX_REPORTED} are printed on stderr, then how many there were for each reason.
--rejects FILE gets all of them, ready to be fixed and imported; FILE.reasons has the reasons, line by line.

Examples:
  $ npx tank-monitoring import fleet.ndjson
  $ npx tank-monitoring import --rejects refused.csv readings.csv
  $ npx tank-monitoring import --template tanks > tanks.csv
  $ npx tank-monitoring export | DATABASE_URL=postgres://other/db npx tank-monitoring import -`;

const FORMAT = new Option('--format <format>', 'instead of by the ending: .csv is CSV');

const TEMPLATE = new Option('--template <kind>', 'print CSV to fill in, and do nothing else');

export const importCommand = command(
  'import',
  'import customers, tanks and readings; each file is one transaction',
)
  .argument('[file...]', 'NDJSON or CSV; - is stdin')
  .addOption(FORMAT.choices(['ndjson', 'csv']))
  .addOption(TEMPLATE.choices(TEMPLATES))
  .option('--rejects <file>', 'where all refused lines go')
  .option('--dry-run', 'check everything, write nothing to the database')
  .option('--json', 'the result as one JSON object a file')
  .addOption(yesOption())
  .addOption(demoOption())
  .addHelpText('after', HELP)
  .action(async (files: string[], options: Options, self: Command) => {
    if (options.template !== undefined) {
      process.stdout.write(csvTemplate(options.template));
      return;
    }
    if (files.length === 0) self.error("error: missing required argument 'file'");
    const inputs = await Promise.all(files.map((file) => findInput(file, options.format)));
    const misuse = findMisuse(files, inputs, options);
    if (misuse !== undefined) self.error(`error: ${misuse}`);
    const rejects = options.rejects === undefined ? undefined : new RejectsFile(options.rejects);
    try {
      await withDatabase(options, async (dataSource) => {
        const runId = options.dryRun === true ? undefined : randomUUID();
        for (const input of inputs) await importInput(dataSource, input, { ...options, runId }, rejects);
      });
    } finally {
      rejects?.close();
    }
  });

/** Reports a missing file before anything is imported. */
async function findInput(file: string, format: ImportFormat | undefined): Promise<Input> {
  if (file === '-') {
    return { name: 'stdin', format: format ?? 'ndjson', bytes: undefined, open: () => process.stdin };
  }
  await access(file, constants.R_OK).catch((cause: unknown) => {
    throw new Error(`${file}: ${existsSync(file) ? 'cannot be read' : 'there is no such file'}`, { cause });
  });
  const found = await stat(file);
  if (found.isDirectory()) throw new Error(`${file}: is a directory`);
  return {
    name: file,
    format: format ?? (file.toLowerCase().endsWith('.csv') ? 'csv' : 'ndjson'),
    bytes: found.isFile() ? found.size : undefined,
    open: () => readFile(file),
  };
}

/** Opened when it is first read. */
async function* readFile(file: string): AsyncGenerator<Buffer> {
  yield* createReadStream(file, { highWaterMark: 1 << 18 });
}

function findMisuse(
  files: readonly string[],
  inputs: readonly Input[],
  { rejects }: Options,
): string | undefined {
  if (files.filter((file) => file === '-').length > 1) return 'stdin can be read only once';
  if (rejects === undefined) return undefined;
  if (new Set(inputs.map(({ format }) => format)).size > 1) {
    return '--rejects takes files of one format at a time';
  }
  const existing = [rejects, `${rejects}.reasons`].filter((file) => existsSync(file));
  const written = new Set(existing.map((file) => realpathSync(file)));
  const overwritten = files.find((file) => file !== '-' && written.has(realpathSync(file)));
  return overwritten === undefined ? undefined : `--rejects would overwrite ${overwritten}`;
}

async function importInput(
  dataSource: DataSource,
  input: Input,
  options: Run,
  rejects: RejectsFile | undefined,
): Promise<void> {
  const progress = printProgress(input.name, input.bytes);
  try {
    const report = await importLines(dataSource, input.open(), {
      name: input.name,
      format: input.format,
      dryRun: options.dryRun === true,
      ...(options.runId !== undefined && { runId: options.runId }),
      rejects,
      onRefused: say,
      onProgress: progress.update,
      onDeletedOwners: (owners) => progress.pauseFor(() => askToDelete(input.name, owners, options)),
    });
    progress.stop();
    reportRefusals(input.name, report, rejects);
    reportSharedDevices(input.name, report);
    printResult(input.name, report, options);
    if (report.refused > 0) process.exitCode = 1;
  } catch (error) {
    progress.stop();
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof NotConfirmed) throw new NotConfirmed(`${input.name}: ${reason}`, error.exitCode);
    throw new Error(`${input.name}: nothing was imported: ${reason}`, { cause: error });
  }
}

/** A dry run only reports. */
async function askToDelete(name: string, owners: DeletedOwners, options: Options): Promise<void> {
  const { customers, tanks, first } = owners;
  const examples = first.map((owner) => `"${owner.id}" (${owner.name}, ${count(owner.tanks, 'tank')})`);
  const what =
    `${name} deletes ${count(customers, 'customer')} whose ${count(tanks, 'tank')} would stay without an owner: ` +
    `${named(examples, customers)}.`;
  if (options.dryRun === true) say(what);
  else await confirm(options, what);
}

function reportRefusals(name: string, { refused, reasons }: ImportReport, rejects?: RejectsFile): void {
  if (refused === 0) return;
  const more = refused > MAX_REPORTED ? `; the first ${MAX_REPORTED} are above` : '';
  say(`${name}: ${refused} ${refused === 1 ? 'line was' : 'lines were'} refused${more}`);
  for (const { reason, lines } of reasons) say(`${String(lines).padStart(9)}  ${reason}`);
  if (rejects !== undefined) say(`They are in ${rejects.path}, why in ${rejects.reasonsPath}.`);
}

function reportSharedDevices(
  name: string,
  { shared_devices: { tanks, devices, first } }: ImportReport,
): void {
  if (tanks === 0) return;
  const shared = first.map(
    ({ device_id, tanks: all, tank_ids }) => `${quote(device_id)} (${named(tank_ids.map(quote), all)})`,
  );
  const share = tanks === 1 ? 'tank now shares' : 'tanks now share';
  say(
    `${name}: ${tanks} ${share} a device with another live tank, so readings that name only the device are refused: ` +
      named(shared, devices),
  );
}

function named(first: readonly string[], all: number): string {
  return first.join(', ') + (all > first.length ? `, … ${all} in all` : '');
}

/** Readings are not. */
function isInActivity({ customers, tanks }: ImportReport): boolean {
  return [customers, tanks].some(({ inserted, updated, deleted }) => inserted + updated + deleted > 0);
}

function printResult(name: string, report: ImportReport, { json, dryRun, runId }: Run): void {
  if (json === true)
    return printLine(
      JSON.stringify({ file: name, dry_run: dryRun === true, run_id: runId ?? null, ...report }),
    );
  const rows = KINDS.map((kind) => ({ file: name, kind: kind as string, ...report[kind] }));
  if (report.unreadable > 0)
    rows.push({ file: name, kind: 'unreadable', ...emptyOutcome(), refused: report.unreadable });
  const outcomes = ['inserted', 'updated', 'deleted', 'unchanged', 'superseded', 'refused'] as const;
  printTable(['file', 'kind', ...outcomes], rows);
  if (runId === undefined) say('That was a dry run: nothing was written.');
  else if (isInActivity(report)) say(`What was changed is in the activity with request_id ${runId}.`);
}
