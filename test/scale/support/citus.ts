// A real Citus cluster: a coordinator and two workers of Debian's PostgreSQL 15. Missing unless the extension is installed.
import { existsSync } from 'node:fs';
import { DebianPostgres, hasDebianPostgres } from '../../faults/support/debian-postgres.js';
import { createCitusDatabase, databaseUrl, type CitusNodes } from '../../support/database.js';

export const hasCitus = hasDebianPostgres && existsSync('/usr/share/postgresql/15/extension/citus.control');

export const NEEDS_CITUS =
  "skipped: needs the extension Citus 13 in Debian's PostgreSQL 15 (/usr/share/postgresql/15/extension/citus.control)";

/** Few shards, so that a database is made quickly: the databases of specs are many and small. */
const SETTINGS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_connections: '300',
  max_prepared_transactions: '300',
  'citus.shard_count': '4',
};

export class CitusCluster {
  private constructor(
    readonly coordinator: DebianPostgres,
    readonly workers: readonly DebianPostgres[],
  ) {}

  static async start(): Promise<CitusCluster> {
    const coordinator = await DebianPostgres.start(SETTINGS);
    const workers = [await DebianPostgres.start(SETTINGS), await DebianPostgres.start(SETTINGS)];
    return new CitusCluster(coordinator, workers);
  }

  get nodes(): CitusNodes {
    return {
      coordinator: this.coordinator.url('postgres'),
      workers: this.workers.map((worker) => worker.url('postgres')),
    };
  }

  /** Without a table, on all nodes. Returns its URL on the coordinator. */
  async createDatabase(name: string): Promise<string> {
    await createCitusDatabase(this.nodes, name);
    return databaseUrl(this.nodes.coordinator, name);
  }
}
