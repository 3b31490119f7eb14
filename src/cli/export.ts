// `export`: everything as NDJSON on stdout, in the form and order in which `import` takes it.
import { Argument, Command, InvalidArgumentError } from 'commander';
import { parseDatetime, postgresBound } from '../datetime/datetime.js';
import { exportLines } from '../export/export-lines.js';
import { EXPORTS, type ExportedKind } from '../export/statements.js';
import { withDatabase } from './with-database.js';

function parseSince(text: string): string {
  const datetime = parseDatetime(text);
  if (datetime === undefined) {
    throw new InvalidArgumentError('Give a datetime such as 2026-01-31T00:00:00Z, or a date.');
  }
  // Stored times are whole milliseconds: at or after a part of one means from the next one on.
  return postgresBound(datetime.milliseconds + (datetime.hasRemainder ? 1 : 0));
}

const HELP = `
All lines come from one snapshot, deleted objects included. \`export | import -\` into an empty database makes its twin.
With --since an export is incremental: customers and tanks updated, and readings created, at or after that time.

Examples:
  $ tank-monitoring export > everything.ndjson
  $ tank-monitoring export telemetry --since 2026-01-31 > readings.ndjson`;

export const exportCommand = new Command('export')
  .description('write customers, tanks and telemetry to stdout as NDJSON')
  .addArgument(new Argument('[kinds...]', 'what to write; everything unless named').choices(EXPORTS))
  .option('--since <datetime>', 'only what was updated (readings: created) at or after it', parseSince)
  .addHelpText('after', HELP)
  .action(async (kinds: ExportedKind[], { since }: { since?: string }) => {
    const selection = { ...(kinds.length > 0 && { kinds }), ...(since !== undefined && { since }) };
    try {
      await withDatabase((dataSource) => exportLines(dataSource, process.stdout, selection));
    } catch (error) {
      if (!isClosedPipe(error)) throw error; // `| head` has seen enough
    }
  });

function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}
