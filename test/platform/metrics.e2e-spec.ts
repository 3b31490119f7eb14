// The dashboard, the alert rules and the table of metrics in docs/monitoring.md name the metrics that there are.
import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { freePort } from '../faults/support/ports.js';
import { metricsAt } from '../faults/support/requests.js';
import { startWorker } from '../faults/support/service-process.js';
import { startService } from '../support/app.js';
import { createTestDatabase } from '../support/test-database.js';

const port = await freePort();
const WEBHOOK_SECRET_KEY = randomBytes(32).toString('base64');
const database = await createTestDatabase();
// Named as its own standby, so that there are metrics of one.
const { url: DATABASE_READ_URLS } = database;
await startService({
  database,
  environment: { METRICS_PORT: String(port), WORKER: 'true', WEBHOOK_SECRET_KEY, DATABASE_READ_URLS },
});
const text = await metricsAt(port);
// The last one is there with MQTT_URL only, and seen in test/faults/mqtt.e2e-spec.ts.
const served = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name ?? '').concat('mqtt_connected');
/** Those that every process of Node has are shown by choice. */
const own = served.filter((name) => !/^(nodejs|process)_/.test(name));

const page = readFileSync('docs/monitoring.md', 'utf8');
const dashboard = JSON.parse(readFileSync('docs/grafana-dashboard.json', 'utf8')) as {
  panels: { id: number; targets: { expr: string }[] }[];
};
const asked = dashboard.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr)));

/** Of a histogram, its parts; in a query each is followed by a choice of jobs. */
function metricsIn(query: string): string[] {
  return [...query.matchAll(/(\w+)\{/g)].map(([, name]) => (name ?? '').replace(/_(bucket|sum|count)$/, ''));
}

describe('the dashboard', () => {
  it('asks for metrics that the service has, and for all of its own', () => {
    expect(asked.filter((name) => !served.includes(name))).toEqual([]);
    expect(own.filter((name) => !asked.includes(name))).toEqual([]);
  });

  it('has panels that can be told apart', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

it('a worker of its own has metrics of its own, says there that it is alive, and ends with 0', async () => {
  const ownPort = await freePort();
  const METRICS_PORT = String(ownPort);
  const worker = await startWorker({ DATABASE_URL: database.url, METRICS_PORT, WEBHOOK_SECRET_KEY });

  const found = await metricsAt(ownPort);
  expect(found).toContain('\nwebhook_oldest_pending_seconds 0\n');
  expect(found).toContain('# TYPE webhook_deliveries_total counter');
  expect((await fetch(`http://127.0.0.1:${ownPort}/health/live`)).status).toBe(200);
  expect(await worker.terminate()).toEqual({ code: 0, signal: null });
});

describe('docs/monitoring.md', () => {
  it('lists every metric of the service', () => {
    expect(own.filter((name) => !page.includes(`| \`${name}\``))).toEqual([]);
  });

  it('alerts on metrics that there are', () => {
    const rules = readFileSync('docs/alert-rules.yaml', 'utf8');
    const used = metricsIn(rules).filter((name) => name !== 'up'); // Prometheus' own
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((name) => !served.includes(name))).toEqual([]);
  });
});
