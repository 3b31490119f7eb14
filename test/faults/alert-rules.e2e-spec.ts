// The alert rules, judged by Prometheus' own tool on what instances really report, above all while no worker runs.
import { afterAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { execute, createTestDatabase } from '../support/database.js';
import { temporaryFolder } from './support/folder.js';
import { freePort } from './support/ports.js';
import { ask } from './support/requests.js';
import { ServiceProcess } from './support/service-process.js';
import { Stage } from './support/stage.js';
import { until } from './support/until.js';

const PROMTOOL = '/usr/bin/promtool';
const RULES = fileURLToPath(new URL('../../docs/alert-rules.yaml', import.meta.url));
const run = promisify(execFile);
const stage = new Stage();
afterAll(() => stage.clear());

const database = await createTestDatabase();
stage.add({ stop: () => database.drop() });
/** A delivery that has been pending, and a change that has had no place, for half an hour; no round of the background work since. */
await execute(
  database.url,
  `insert into webhook_endpoints (url, secret) values ('https://example.com', 'x');
   insert into events (id, type, created_at, tank_id, owner_id, data) values ('e', 'tank.low', now(), 't', 'c', '{}');
   update webhook_deliveries set created_at = now() - interval '30 minutes';
   update change_notes set noted_at = now() - interval '30 minutes';
   update background_rounds set finished_at = now() - interval '30 minutes'`,
);

async function scrape(worker: 'true' | 'false'): Promise<string> {
  const port = await freePort();
  const service = stage.add(
    await ServiceProcess.start({ DATABASE_URL: database.url, METRICS_PORT: String(port), WORKER: worker }),
  );
  const metrics = async () => (await ask(`http://127.0.0.1:${port}`, { path: '/metrics' })).body;
  if (worker === 'true') {
    await until('it has made a round', async () =>
      /^background_last_round_seconds [0-9](\.|$)/m.test(await metrics()),
    );
  }
  const text = await metrics();
  await service.stop();
  return text;
}

/** Whether an alert fires when Prometheus finds these figures for half an hour. */
async function fires(alert: string, scraped: string): Promise<boolean> {
  const series = scraped.split('\n').flatMap((line) => {
    const [, name, value] =
      /^(webhook_oldest_pending_seconds|changes_oldest_waiting_seconds|background_last_round_seconds) (\S+)$/.exec(
        line,
      ) ?? [];
    return name === undefined ? [] : [{ series: `${name}{job="tank-monitoring"}`, values: `${value}+0x30` }];
  });
  const test = {
    rule_files: [RULES],
    tests: [
      {
        interval: '1m',
        input_series: series,
        alert_rule_test: [{ eval_time: '30m', alertname: alert, exp_alerts: [{}] }],
      },
    ],
  };
  const file = join(await temporaryFolder(), 'test.yaml');
  await writeFile(file, JSON.stringify(test)); // JSON is YAML
  return run(PROMTOOL, ['test', 'rules', file]).then(
    () => true,
    () => false,
  );
}

const described = existsSync(PROMTOOL) ? describe : describe.skip;
described("the alert rules (skipped without Debian's prometheus)", () => {
  it('are rules that Prometheus takes', async () => {
    await expect(run(PROMTOOL, ['check', 'rules', RULES])).resolves.toBeDefined();
  });

  it.each(['TankMonitoringBackgroundStopped', 'TankMonitoringWebhooksLate', 'TankMonitoringChangesLate'])(
    'fire %s while no worker runs anywhere',
    async (alert) => {
      expect(await fires(alert, await scrape('false'))).toBe(true);
    },
  );

  it('are quiet about the background work while one runs', async () => {
    const scraped = await scrape('true');
    expect(await fires('TankMonitoringBackgroundStopped', scraped)).toBe(false);
    expect(await fires('TankMonitoringChangesLate', scraped)).toBe(false);
  });
});
