// A tank's readings, or what the plot shows of them, as a CSV file. Fetched with the key and handed over from memory: a plain
// link could not send it.
import { useState } from 'preact/hooks';
import { LARGEST_PAGE, type ApiClient } from '../api/client.js';
import { isTrouble } from '../api/troubles.js';
import { Icon } from '../parts/icons.js';
import type { Range } from '../route.js';
import { boundsOf, seriesParameters } from './range.js';

interface Props {
  readonly client: ApiClient;
  readonly tankId: string;
  readonly name: string;
  readonly range: Range;
}

export function Downloads({ client, tankId, name, range }: Props) {
  const [failure, setFailure] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const path = `tanks/${encodeURIComponent(tankId)}/telemetry`;
  const download = async (kind: string, parts: () => Promise<readonly string[]>) => {
    setFailure('');
    setIsBusy(true);
    try {
      save(await parts(), fileName([name, tankId, kind]));
    } catch (error) {
      if (!isTrouble(error)) throw error;
      setFailure(error.message);
    } finally {
      setIsBusy(false);
    }
  };
  const readings = () => download('readings', () => everyReading(client, path, range));
  const plotted = () =>
    download('plot', async () => [(await client.csv(`${path}/series`, seriesParameters(range))).text]);
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => void readings()}>
        <Icon name="download" />
        Download readings
      </button>
      <button type="button" disabled={isBusy} onClick={() => void plotted()}>
        <Icon name="download" />
        Download plot values
      </button>
      <span role="alert">{failure}</span>
      <p class="second download-note">
        Both are CSV files. Readings are all of this time, each with its instant and level. Plot values are
        what is drawn: count, first, last, lowest, highest and mean level of each interval.
      </p>
    </>
  );
}

/** Newest first. Each request goes on below the last reading of the one before, so that new readings repeat none. */
async function everyReading(client: ApiClient, path: string, range: Range): Promise<string[]> {
  const { created_at_gte, created_at_lte } = boundsOf(range);
  const parts: string[] = [];
  let until = created_at_lte;
  for (;;) {
    const parameters = { created_at_gte, created_at_lte: until, size: LARGEST_PAGE };
    const { text, isAll } = await client.csv(path, parameters);
    parts.push(parts.length === 0 ? text : withoutHeader(text));
    if (isAll) return parts;
    until = new Date(lastInstant(text) - 1).toISOString();
  }
}

function withoutHeader(csv: string): string {
  return csv.slice(csv.indexOf('\r\n') + 2);
}

/** The cell before the last one; neither of the two is ever quoted. */
function lastInstant(csv: string): number {
  return Date.parse(
    csv
      .slice(csv.lastIndexOf('\n', csv.length - 2) + 1)
      .split(',')
      .at(-2) ?? '',
  );
}

/** Names of tanks are not unique; their ids are. */
function fileName(parts: readonly string[]): string {
  return `${parts
    .join(' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .toLowerCase()}.csv`;
}

function save(content: readonly string[], name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([...content], { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
