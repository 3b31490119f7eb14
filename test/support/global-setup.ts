// One real PostgreSQL for the whole run: TEST_DATABASE_URL, or an embedded one in a temporary folder. In it one migrated
// database, of which spec files take copies. TEST_PREPARE says in what form: plain unless it is set.
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DataSource } from 'typeorm';

const {
  announceTestServer,
  createCitusDatabase,
  databaseUrl,
  dropDatabasesOf,
  execute,
  makeTemplate,
  workerUrls,
} = load('./database.ts') as typeof import('./database.js');
const { openEmbeddedPostgres } = load(
  '../../build/demo/embedded-postgres/embedded-postgres.js',
) as typeof import('../../src/demo/embedded-postgres/embedded-postgres.js');
const { openDataSource, operatorOptions } = load(
  '../../build/platform/database/data-source.js',
) as typeof import('../../src/platform/database/data-source.js');
const { migrate } = load(
  '../../build/platform/database/migrate.js',
) as typeof import('../../src/platform/database/migrate.js');
const { partitionOn } = load(
  '../../build/telemetry/storage/partitions.js',
) as typeof import('../../src/telemetry/storage/partitions.js');
const { prepareCluster } = load(
  '../../build/platform/cluster/prepare.js',
) as typeof import('../../src/platform/cluster/prepare.js');
const { bundlePackages } = load('./packages.js') as { bundlePackages: () => Promise<void> };

declare global {
  /** For the global teardown, which runs in the same process. */
  var removeTestServer: (() => Promise<void>) | undefined;
}

export default async function setUp(): Promise<void> {
  await bundlePackages();
  const { url, stop } = await findServer();
  const template = `tank_test_${randomBytes(4).toString('hex')}`;
  const workers = workerUrls();
  if (workers.length === 0) await execute(url, `create database ${template}`);
  else await createCitusDatabase({ coordinator: url, workers }, template);
  await prepareDatabase(databaseUrl(url, template));
  if (workers.length > 0) await makeTemplate({ coordinator: url, workers }, template);
  announceTestServer({ url, template });
  const remove = async () => {
    await dropDatabasesOf({ url, template });
    await stop();
  };
  globalThis.removeTestServer = remove;
  // Interrupted, Jest does not tear down: a server would be left for every Ctrl-C.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void remove().finally(() => process.exit(1)));
  }
}

async function findServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL'];
  return given === undefined || given === '' ? startEmbedded() : { url: given, stop: async () => undefined };
}

async function startEmbedded(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tank-test-'));
  await chmod(folder, 0o711); // as root the server runs as another user, who must get through
  const embedded = await openEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    database: 'tank_test_maintenance',
    durable: false,
    // Autovacuum looks when it likes: in the middle of a test's insert it would see an empty table, and plans would be made for one.
    settings: { max_connections: '400', max_prepared_transactions: '20', autovacuum: 'off' },
  });
  const stop = async () => {
    await embedded.release();
    await rm(embedded.directory, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  };
  return { url: embedded.url, stop };
}

type Prepare = (dataSource: DataSource) => Promise<void>;

const FORMS: Readonly<Record<string, Prepare>> = {
  plain: () => Promise.resolve(),
  /** With the months that most specs have readings in, and without those of some. */
  partitions: async (dataSource) => {
    await partitionOn(dataSource, () => undefined);
    await dataSource.query(`
      select add_telemetry_month(month::date)
      from generate_series(timestamp '2025-01-01', '2027-06-01', interval '1 month') month`);
  },
  /** TEST_DATABASE_URL is the coordinator, TEST_WORKER_URLS are its workers. */
  citus: async (dataSource) => {
    await prepareCluster(dataSource, { onStep: () => undefined });
  },
};

async function prepareDatabase(url: string): Promise<void> {
  const form = process.env['TEST_PREPARE'] ?? 'plain';
  const prepare = FORMS[form];
  if (prepare === undefined) throw new Error(`TEST_PREPARE must be one of ${Object.keys(FORMS).join(', ')}.`);
  const dataSource = await openDataSource(operatorOptions(url));
  try {
    await migrate(dataSource);
    await prepare(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/** Jest runs this file as CommonJS, without the mapping of `.js` to `.ts` that specs have: src comes as it was built. */
function load(path: string): unknown {
  return require(fileURLToPath(new URL(path, import.meta.url)));
}
