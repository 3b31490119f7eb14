// `forecasts backtest`: how good forecasts would have been on the stored readings.
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { toAccuracyResponse } from '../../forecasts/dto/accuracy.response.js';
import { backtest, readHistories, type BacktestTank } from '../../forecasts/backtest.js';
import { DAY_MS } from '../../common/datetime/datetime.js';
import { roundTo } from '../../common/rounding.js';
import { addTo, compare, emptyTally, HORIZONS, setAside } from '../../forecasts/model/record.js';
import type { Forecast } from '../../forecasts/model/forecast.js';
import { findPool, withClient } from '../../platform/database/pool.js';
import { command, group, parseWhole, printJson, printTable, progressReporter, say } from './command.js';
import { parseSince } from './when.js';
import { withDatabase } from './with-database.js';

interface Options {
  readonly since?: string;
  readonly tank?: string[];
  readonly every: number;
  readonly out?: string;
  readonly json?: boolean;
}

const parseDays = parseWhole(1, 365, 'Give a whole number of days from 1 to 365.');
const HELP = `
Replays the stored readings night by night, each forecast seeing only what was there before it, and compares them with what was used.
--tank and --since limit what is printed, not what is learned. It writes nothing to the database, and may be stopped at any time.
With --out, a line for each forecast and horizon (levels), and one for the days until the tank's threshold (180 means later).

Examples:
  $ npx tank-monitoring forecasts backtest
  $ npx tank-monitoring forecasts backtest --since 2026-01-01 --every 1 --out forecasts.ndjson`;

const backtestCommand = command(
  'backtest',
  'measure how good forecasts would have been on the stored readings',
)
  .option('--since <when>', 'only forecasts made since a datetime, or a span such as 90d', parseSince)
  .option('--tank <id...>', 'only forecasts of these tanks')
  .option('--every <days>', 'days between the forecasts of a tank', parseDays, 7)
  .option('--out <file>', 'write each forecast to this file, as NDJSON')
  .option('--json', 'print JSON')
  .addHelpText('after', HELP)
  .action(async ({ since = '-infinity', tank: tanks = [], every, out, json = false }: Options) => {
    const report = progressReporter();
    const histories = await withDatabase('read', (dataSource) =>
      withClient(findPool(dataSource), (client) =>
        readHistories(client, { tanks, every, onProgress: report }),
      ),
    );
    const first = since === '-infinity' ? -Infinity : Date.parse(since) / DAY_MS;
    const tally = emptyTally();
    const file = out === undefined ? undefined : await openFile(out);
    for (const { night, until, made } of backtest(histories, Date.now())) {
      report(`${new Date(night * DAY_MS).toISOString().slice(0, 10)} replayed`);
      if (night < first) continue;
      for (const { one, forecast } of made) {
        const { curve } = one.tank;
        addTo(tally, compare(setAside(curve, forecast), curve, until));
      }
      const text = file === undefined ? '' : made.map(writeForecast).join('');
      if (text !== '' && file?.write(text) === false) await once(file, 'drain');
    }
    file?.end();
    if (file !== undefined) await once(file, 'close');
    const accuracy = toAccuracyResponse(tally);
    if (json) return printJson(accuracy);
    printTable(['days', 'forecasts', 'within', 'earlier', 'mean_error', 'plain_error'], accuracy.horizons);
    say(
      `Forecasts from ${accuracy.since ?? '-'} to ${accuracy.until ?? '-'}; ${accuracy.skipped} could not be compared.`,
    );
  });

export const forecastsCommand = group('forecasts', 'measure forecasts', [backtestCommand]);

function writeForecast({ one, forecast }: { one: BacktestTank; forecast: Forecast }): string {
  const made_at = new Date(forecast.prediction.night * DAY_MS).toISOString();
  const common = { tank_id: one.id, made_at };
  const levels = HORIZONS.map((days) => {
    const [p10, p50, p90] = forecast.levelAfter(days).map((level) => roundTo(level, 3));
    return { ...common, days, p10, p50, p90 };
  });
  const { threshold } = one;
  const [p10_days, p50_days, p90_days] = forecast.daysTo(threshold).map((days) => roundTo(days, 3));
  return [...levels, { ...common, threshold, p10_days, p50_days, p90_days }]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

/** Fails before anything is read, not after. */
async function openFile(path: string): Promise<WriteStream> {
  const file = createWriteStream(path);
  await once(file, 'open');
  return file;
}
