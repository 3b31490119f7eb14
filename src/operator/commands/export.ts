// `export`: everything as NDJSON on stdout, in the form and order in which `import` takes it.
import { Argument } from 'commander';
import { findCode } from '../../platform/database/failures.js';
import { EXPORTS, exportLines, type ExportedKind } from '../export/export-lines.js';
import { command } from './command.js';
import { parseSince } from './when.js';
import { withDatabase } from './with-database.js';

const HELP = `
All lines come from one snapshot, deleted objects included. \`export | import -\` into an empty database makes a copy.
They come in one order: customers, tanks and readings, each by id, readings by tank and time. So two exports can be compared.
With --since an export is incremental: customers and tanks updated, and readings created, at or after that time.

Examples:
  $ npx tank-monitoring export > everything.ndjson
  $ npx tank-monitoring export telemetry --since 24h > readings.ndjson`;
const SINCE = 'only what was updated (readings: created) since a datetime, or a span such as 7d';

export const exportCommand = command('export', 'write customers, tanks and telemetry to stdout as NDJSON')
  .addArgument(new Argument('[kinds...]', 'what to write; everything unless named').choices(EXPORTS))
  .option('--since <when>', SINCE, parseSince)
  .addHelpText('after', HELP)
  .action(async (kinds: ExportedKind[], { since }: { since?: string }) => {
    const selection = { ...(kinds.length > 0 && { kinds }), ...(since !== undefined && { since }) };
    try {
      await withDatabase('read', (dataSource) => exportLines(dataSource, process.stdout, selection));
    } catch (error) {
      if (findCode(error) !== 'EPIPE') throw error; // `| head` ends early
    }
  });
