// `npm start` without a DATABASE_URL: the service on an embedded PostgreSQL of this clone, filled once with a demo fleet whose
// devices go on reporting, with a key that works. For one machine: it listens on loopback only.
import type { DataSource } from 'typeorm';
import { createService } from '../app.setup.js';
import { ApiKey } from '../people/api-key.entity.js';
import { SCOPES } from '../common/auth/scope.js';
import type { Config } from '../platform/config/config.js';
import { withDataSource } from '../platform/database/data-source.js';
import { migrate } from '../platform/database/migrate.js';
import { exitOnSignal } from '../platform/lifecycle/ending.js';
import { listen, stopService } from '../app.lifecycle.js';
import type { Logger } from '../platform/logging/logger.js';
import type { LiveExamples } from '../common/openapi/live-examples.js';
import { inProject } from '../platform/config/project.js';
import { openDemoDatabase } from './embedded-postgres/embedded-postgres.js';
import { findExamples, makeWritableExamples } from './demo-examples.js';
import { startFeed } from './demo-feed.js';
import { keptKey, keptSecretKey } from './demo-keys.js';
import { fillWithDemoFleet, isEmpty } from './fill.js';

const inData = (path: string): string => inProject(`.data/${path}`);
const DEMO_KEY = { file: inData('demo-key'), name: 'demo', scopes: SCOPES };
const FEED_KEY = { file: inData('feed-key'), name: 'demo devices', scopes: ['telemetry:write'] as const };

export async function startDemo(given: Config, logger: Logger): Promise<void> {
  say('Starting an embedded PostgreSQL in .data/ ...');
  const database = await openDemoDatabase();
  let url = '';
  try {
    const { url: databaseUrl } = database;
    const config = await withDefaults(given, () => url);
    const { demoKey, feedKey } = await withDataSource(databaseUrl, prepare, [ApiKey]);
    const examples = () => withDataSource(databaseUrl, findExamples);
    const app = await createService({ config, databaseUrl, logger, demoKey, examples });
    url = await listen(app, config);
    const feed = config.ingest.isOn
      ? await withDataSource(databaseUrl, (source) => startFeed(source, { url, key: feedKey, logger }))
      : undefined;
    const stop = async (bounds: Config['shutdown']) => {
      await feed?.stop();
      const isDone = await stopService(app, bounds, logger);
      await database.release();
      return isDone;
    };
    // A closed terminal ends the demo; a service in production may be meant to survive its own (nohup).
    exitOnSignal(stop, config.shutdown, logger, ['SIGTERM', 'SIGINT', 'SIGHUP']);
    process.stdout.write(introduction(url, demoKey, config, await examples()));
  } catch (error) {
    await database.release();
    throw error;
  }
}

/**
 * Webhooks work without a setting: the key is made once. Mails are files, unless there is a server. Links begin with the address that the
 * demo has when it listens.
 */
async function withDefaults(config: Config, address: () => string): Promise<Config> {
  const { mail, publicUrl, webhooks } = config;
  const given = webhooks.secretKeys;
  const secretKeys = given.length > 0 ? given : [await keptSecretKey(inData('webhook-secret-key'))];
  return {
    ...config,
    webhooks: { ...webhooks, secretKeys },
    mail: mail.server === undefined ? { ...mail, folder: inData('mail') } : mail,
    get publicUrl() {
      return publicUrl ?? address();
    },
  };
}

/** Migrated, filled and with keys: all of it the first time, none of it the second. */
async function prepare(dataSource: DataSource): Promise<{ demoKey: string; feedKey: string }> {
  if (await dataSource.showMigrations()) say('Bringing its tables up to date ...');
  await migrate(dataSource);
  if (await isEmpty(dataSource)) {
    say('Filling it with a demo fleet and a year of readings (this once) ...');
    await fillWithDemoFleet(dataSource, Date.now());
  }
  await makeWritableExamples(dataSource);
  const { manager } = dataSource;
  return { demoKey: await keptKey(manager, DEMO_KEY), feedKey: await keptKey(manager, FEED_KEY) };
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function introduction(url: string, key: string, config: Config, example: LiveExamples | undefined): string {
  return `
Tank Monitoring Service is running, on an embedded PostgreSQL with a demo fleet.

  Fleet       ${url}/fleet
  Swagger UI  ${url}/docs
  API         ${url}/v1
  API key     ${key}

Try it:

  curl -H 'X-API-Key: ${key}' '${url}/v1/tanks?size=2'
${config.ingest.isOn && example !== undefined ? howToSend(url, key, example.reading.tank_id) : ''}
Ctrl-C stops it; the data stay for the next start. Set DATABASE_URL to use your own PostgreSQL.

`;
}

function howToSend(url: string, key: string, tank_id: string): string {
  const reading = { tank_id, created_at: new Date().toISOString(), fill_percentage: 42.5 };
  return `
Send a reading, as the demo's devices do meanwhile:

  curl -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' -d '${JSON.stringify({ readings: [reading] })}' '${url}/v1/telemetry'
`;
}
