// `npm start` without a DATABASE_URL: the service on an embedded PostgreSQL of this clone, filled once with a demo fleet,
// with a key that works. For one machine: it listens on loopback only.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DataSource } from 'typeorm';
import { createService } from '../app.setup.js';
import { hashOf, prefixOf } from '../auth/api-key.js';
import { KeyRegistry } from '../auth/key-registry.js';
import { SCOPES } from '../auth/scope.js';
import type { Config } from '../config/config.js';
import { openDataSource, operatorOptions } from '../database/data-source.js';
import { migrate } from '../database/migrate.js';
import { listen, stopOnSignal, stopService } from '../lifecycle.js';
import type { Logger } from '../logging/logger.js';
import { inProject } from '../project.js';
import type { LiveExamples } from '../openapi/live-examples.js';
import { openDemoDatabase } from './demo-database.js';
import { findExamples } from './demo-examples.js';
import { fillWithDemoFleet } from './fill.js';

const KEY_FILE = inProject('.data/demo-key');

export async function startDemo(config: Config, logger: Logger): Promise<void> {
  const database = await openDemoDatabase();
  try {
    const demoKey = await prepare(database.url);
    const { url: databaseUrl } = database;
    const examples = () => examplesIn(databaseUrl);
    const app = await createService({ config, databaseUrl, logger, demoKey, examples });
    const url = await listen(app, config);
    stopOnSignal(async () => {
      await stopService(app, config, logger);
      await database.release();
    }, logger);
    introduce(url, demoKey);
  } catch (error) {
    await database.release();
    throw error;
  }
}

async function examplesIn(url: string): Promise<LiveExamples | undefined> {
  const dataSource = await openDataSource(operatorOptions(url));
  try {
    return await findExamples(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/** Migrated, filled and with a key: all of it the first time, none of it the second. */
async function prepare(url: string): Promise<string> {
  const dataSource = await openDataSource(operatorOptions(url));
  try {
    await migrate(dataSource);
    await fillWithDemoFleet(dataSource);
    return await keyOfDemo(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/** The database has the key's hash only, so the key itself is kept beside it, for its owner's eyes. */
async function keyOfDemo(dataSource: DataSource): Promise<string> {
  const kept = await readFile(KEY_FILE, 'utf8').then(
    (text) => text.trim(),
    () => '',
  );
  if (await isUsable(dataSource, kept)) return kept;
  const bounds = { name: 'demo', customerId: null, expiresAt: null, scopes: SCOPES };
  const key = await new KeyRegistry(dataSource).create(bounds);
  await mkdir(dirname(KEY_FILE), { recursive: true });
  await writeFile(KEY_FILE, `${key}\n`, { mode: 0o600 });
  return key;
}

/** The demo's key may do everything: one from an earlier version is given the scopes there are now. */
async function isUsable(dataSource: DataSource, key: string): Promise<boolean> {
  const found: unknown[] = await dataSource.query(
    `with kept as (
       update api_keys set scopes = $3 where prefix = $1 and hash = $2 and revoked_at is null
       and (expires_at is null or expires_at > now()) returning prefix
     )
     select prefix from kept`,
    [prefixOf(key) ?? null, hashOf(key), SCOPES],
  );
  return found.length > 0;
}

function introduce(url: string, key: string): void {
  process.stdout.write(`
Tank Monitoring Service is running, on an embedded PostgreSQL with a demo fleet.

  API         ${url}/v1
  Swagger UI  ${url}/docs
  API key     ${key}

Try it:

  curl -H 'X-API-Key: ${key}' '${url}/v1/tanks?size=2'

Ctrl-C stops it; the data stay for the next start. Set DATABASE_URL to use your own PostgreSQL.

`);
}
