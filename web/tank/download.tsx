// A tank's readings, or what the plot shows of them, as a CSV file.
import type { TankMonitoring } from 'tank-monitoring-client';
import { detailOf } from '../api/troubles.js';
import { useAttempt } from '../form/attempts.js';
import { usePage } from '../page.js';
import { Button } from '../parts/button.js';
import { fileName, save, withoutFormulas } from '../parts/save.js';
import { boundsOf, seriesParameters, type Range } from './range.js';
import { words } from '../words/words.js';

/** The most that a page of CSV may have. */
const LARGEST_PAGE = 10_000;

export function Downloads({ tankId, name }: { readonly tankId: string; readonly name: string }) {
  const { client, route } = usePage();
  const { range } = route;
  const { isBusy, trouble, attempt } = useAttempt();
  const path = `/v1/tanks/${encodeURIComponent(tankId)}/telemetry`;
  const readings = async () =>
    save(await everyReading(client, path, range), fileName([name, tankId, words.files.readings]));
  const plotted = async () => {
    const { text } = await askForCsv(client, `${path}/series`, seriesParameters(range));
    save([text], fileName([name, tankId, words.files.plot]));
  };
  return (
    <>
      <Button icon="download" disabled={isBusy} onClick={() => void attempt(readings)}>
        {words.tank.downloadReadings}
      </Button>
      <Button icon="download" disabled={isBusy} onClick={() => void attempt(plotted)}>
        {words.tank.downloadPlot}
      </Button>
      <span role="alert">{trouble && detailOf(trouble)}</span>
      <p class="second download-note">{words.tank.downloadNote}</p>
    </>
  );
}

/** Newest first. Each request goes on below the last reading of the one before, so that new readings repeat none. */
async function everyReading(client: TankMonitoring, path: string, range: Range): Promise<string[]> {
  const { created_at_gte, created_at_lte } = boundsOf(range);
  const parts: string[] = [];
  let until = created_at_lte;
  for (;;) {
    const parameters = { created_at_gte, created_at_lte: until, size: LARGEST_PAGE };
    const { text, isAll } = await askForCsv(client, path, parameters);
    parts.push(parts.length === 0 ? text : withoutHeader(text));
    if (isAll) return parts;
    until = new Date(lastInstant(text) - 1).toISOString();
  }
}

/** Of a list, as much as there may be at once. */
function askForCsv(client: TankMonitoring, path: string, query: object) {
  return client.request({ path, query, headers: { Accept: 'text/csv' } }, async (response) => ({
    text: withoutFormulas(await response.text()),
    isAll: Number(response.headers.get('X-Total-Pages') ?? 1) <= 1,
  }));
}

function withoutHeader(csv: string): string {
  return csv.slice(csv.indexOf('\r\n') + 2);
}

/** The cell before the last one; neither of the two is ever quoted. */
function lastInstant(csv: string): number {
  const lastLine = csv.slice(csv.lastIndexOf('\n', csv.length - 2) + 1);
  return Date.parse(lastLine.split(',').at(-2) ?? '');
}
