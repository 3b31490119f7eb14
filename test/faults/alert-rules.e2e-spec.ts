// The alert rules, judged by Prometheus' own tool on what instances and workers really report: silent while nothing is wrong, and loud
// in time when all is, or when no worker runs.
import { describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { execute } from '../support/database.js';
import { temporaryFolder } from './support/folder.js';
import { OwnPostgres } from './support/own-postgres.js';
import { freePort } from './support/ports.js';
import { metricsAt } from './support/requests.js';
import { ServiceProcess, startWorker } from './support/service-process.js';
import { newDatabase } from './support/stage.js';
import { until } from './support/until.js';

const PROMTOOL = '/usr/bin/promtool';
const RULES = fileURLToPath(new URL('../../docs/alert-rules.yaml', import.meta.url));
const run = promisify(execFile);
const { groups } = load(readFileSync(RULES, 'utf8')) as { groups: { rules: { alert: string }[] }[] };
const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));

type Scrape = () => Promise<string>;

/** One that does the background work has made a round of it. */
async function start(
  databaseUrl: string,
  part: 'service' | 'worker' | 'service and worker',
): Promise<Scrape> {
  const port = await freePort();
  const environment = { DATABASE_URL: databaseUrl, METRICS_PORT: String(port) };
  if (part === 'worker') await startWorker(environment);
  else await ServiceProcess.start({ ...environment, WORKER: String(part !== 'service') });
  const scrape = () => metricsAt(port);
  const hasWorked = /^background_last_round_seconds [0-9](\.|$)/m;
  if (part !== 'service') await until('it has made a round', async () => hasWorked.test(await scrape()));
  return scrape;
}

async function times(n: number, scrape: Scrape): Promise<string[]> {
  const scraped: string[] = [];
  while (scraped.length < n) scraped.push(await scrape());
  return scraped;
}

interface Series {
  readonly series: string;
  readonly values: string;
}

/** What Prometheus has of a target that it scrapes each minute: undefined where it got no answer. */
function seriesOf(instance: string, scraped: readonly (string | undefined)[]): Series[] {
  const found = new Map<string, string[]>();
  scraped.forEach((text, minute) => {
    const lines = [...(text ?? '').split('\n'), `up ${text === undefined ? 0 : 1}`];
    for (const line of lines) {
      const [, name, labels, value] = /^([a-z]\w*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (name === undefined || value === undefined) continue;
      const target = [`job="tank-monitoring"`, `instance="${instance}"`, ...(labels ? [labels] : [])];
      const series = `${name}{${target.join(',')}}`;
      const values = found.get(series) ?? scraped.map(() => 'stale');
      values[minute] = value;
      found.set(series, values);
    }
  });
  return [...found].map(([series, values]) => ({ series, values: values.join(' ') }));
}

/** The alerts that fire then, with their severity. */
async function firing(minute: number, series: readonly Series[]): Promise<string[]> {
  const none = alerts.map((alertname) => ({ eval_time: `${minute}m`, alertname, exp_alerts: [] }));
  const test = {
    rule_files: [RULES],
    evaluation_interval: '15s',
    tests: [{ interval: '1m', input_series: series, alert_rule_test: none }],
  };
  const file = join(await temporaryFolder(), 'test.yaml');
  await writeFile(file, JSON.stringify(test)); // JSON is YAML
  const said = await run(PROMTOOL, ['test', 'rules', file]).then(
    () => 'nothing',
    ({ stderr }: { stderr: string }) => stderr,
  );
  const fired = [...said.matchAll(/Labels:\{alertname="(\w+)".* severity="(\w+)"/g)];
  if (fired.length === 0 && said !== 'nothing') throw new Error(said);
  return [...new Set(fired.map(([, alert, severity]) => `${severity}: ${alert}`))];
}

const described = existsSync(PROMTOOL) ? describe : describe.skip;
described("the alert rules (skipped without Debian's prometheus)", () => {
  it('are silent about an idle service and an idle worker', async () => {
    const database = await newDatabase();
    const service = await start(database.url, 'service');
    const worker = await start(database.url, 'worker');
    const series = [
      ...seriesOf('service', await times(31, service)),
      ...seriesOf('worker', await times(31, worker)),
    ];

    for (const minute of [2, 10, 20, 30]) expect(await firing(minute, series)).toEqual([]);
  });

  it.each([
    ['answer no more', undefined],
    ['are gone, as pods that were never started', 'gone'],
  ])('page within two minutes when all instances %s', async (_how, gone) => {
    const database = await newDatabase();
    const scraped = await times(5, await start(database.url, 'service and worker'));
    const series =
      gone === undefined
        ? seriesOf('service', [...scraped, undefined, undefined])
        : seriesOf('service', scraped).map((one) => ({ ...one, values: `${one.values} stale` }));

    expect(await firing(4, series)).toEqual([]);
    expect(await firing(6, series)).toContain('page: TankMonitoringDown');
  });

  it('page within two minutes when the database is gone, though nobody asks for anything', async () => {
    const postgres = await OwnPostgres.start();
    const scrape = await start(postgres.url, 'service and worker');
    const before = await times(5, scrape);
    await postgres.kill();
    const series = seriesOf('service', [...before, ...(await times(2, scrape))]);

    expect(await firing(4, series)).toEqual([]);
    expect(await firing(6, series)).toEqual(['page: TankMonitoringDatabaseUnreachable']);
  });

  it('say so while no worker runs anywhere, and are silent about it while one does', async () => {
    const database = await newDatabase();
    // A delivery that has been pending, and a change that has had no place, for half an hour; no round of the background work since.
    await execute(
      database.url,
      `insert into webhook_endpoints (url, secret) values ('https://example.com', 'x');
       insert into events (id, type, created_at, tank_id, owner_id, data) values ('e', 'tank.low', now(), 't', 'c', '{}');
       update webhook_deliveries set created_at = now() - interval '30 minutes';
       update change_notes set noted_at = now() - interval '30 minutes';
       update background_rounds set finished_at = now() - interval '30 minutes'`,
    );
    const alone = seriesOf('service', await times(11, await start(database.url, 'service')));
    expect(await firing(10, alone)).toEqual([
      'page: TankMonitoringBackgroundStopped',
      'ticket: TankMonitoringWebhooksLate',
      'ticket: TankMonitoringChangesLate',
    ]);
    const worked = seriesOf('service', await times(11, await start(database.url, 'service and worker')));
    expect(await firing(10, worked)).toEqual(['ticket: TankMonitoringWebhooksLate']); // without a secret key
  });
});
