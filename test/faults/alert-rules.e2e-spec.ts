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
import { startProgram } from '../support/cli.js';
import { execute } from '../support/database.js';
import { temporaryFolder } from './support/folder.js';
import { OwnPostgres } from './support/own-postgres.js';
import { freePort } from './support/ports.js';
import { ask } from './support/requests.js';
import { ServiceProcess } from './support/service-process.js';
import { newDatabase, stage } from './support/stage.js';
import { until } from './support/until.js';

const PROMTOOL = '/usr/bin/promtool';
const RULES = fileURLToPath(new URL('../../docs/alert-rules.yaml', import.meta.url));
const run = promisify(execFile);
interface Rule {
  readonly alert: string;
  readonly labels?: { readonly severity?: string };
  readonly annotations?: { readonly summary?: string; readonly action?: string };
}
const { groups } = load(readFileSync(RULES, 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

type Scrape = () => Promise<string>;
const metricsOf =
  (port: number): Scrape =>
  async () =>
    (await ask(`http://127.0.0.1:${port}`, { path: '/metrics' })).body;
const hasWorked = async (scrape: Scrape) =>
  /^background_last_round_seconds [0-9](\.|$)/m.test(await scrape());

async function startInstance(databaseUrl: string, worker: boolean): Promise<Scrape> {
  const port = await freePort();
  await ServiceProcess.start({
    DATABASE_URL: databaseUrl,
    METRICS_PORT: String(port),
    WORKER: String(worker),
  });
  const scrape = metricsOf(port);
  if (worker) await until('it has made a round', () => hasWorked(scrape));
  return scrape;
}

async function startWorker(databaseUrl: string): Promise<Scrape> {
  const port = await freePort();
  const { child, result } = startProgram({ DATABASE_URL: databaseUrl, METRICS_PORT: String(port) }, 'worker');
  stage.add({
    stop: async () => {
      child.kill('SIGTERM');
      await result;
    },
  });
  const scrape = metricsOf(port);
  await until('it has made a round', () => hasWorked(scrape));
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
  const test = {
    rule_files: [RULES],
    evaluation_interval: '15s',
    tests: [
      {
        interval: '1m',
        input_series: series,
        alert_rule_test: rules.map(({ alert }) => ({
          eval_time: `${minute}m`,
          alertname: alert,
          exp_alerts: [],
        })),
      },
    ],
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
  it('are rules that Prometheus takes', async () => {
    await expect(run(PROMTOOL, ['check', 'rules', RULES])).resolves.toBeDefined();
  });

  it('are silent about an idle service and an idle worker', async () => {
    const database = await newDatabase();
    const service = await startInstance(database.url, false);
    const worker = await startWorker(database.url);
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
    const scraped = await times(5, await startInstance(database.url, true));
    const series =
      gone === undefined
        ? seriesOf('service', [...scraped, undefined, undefined])
        : seriesOf('service', scraped).map((one) => ({ ...one, values: `${one.values} stale` }));

    expect(await firing(4, series)).toEqual([]);
    expect(await firing(6, series)).toContain('page: TankMonitoringDown');
  });

  it('page within two minutes when the database is gone, though nobody asks for anything', async () => {
    const postgres = await OwnPostgres.start();
    const scrape = await startInstance(postgres.url, true);
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
    const alone = seriesOf('service', await times(11, await startInstance(database.url, false)));
    expect(await firing(10, alone)).toEqual([
      'page: TankMonitoringBackgroundStopped',
      'ticket: TankMonitoringWebhooksLate',
      'ticket: TankMonitoringChangesLate',
    ]);
    const worked = seriesOf('service', await times(11, await startInstance(database.url, true)));
    expect(await firing(10, worked)).toEqual(['ticket: TankMonitoringWebhooksLate']); // without a secret key
  });
});
