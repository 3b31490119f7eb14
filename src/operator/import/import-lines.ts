// Imports one file: one transaction, so all of its good lines or nothing. Lines are checked and staged while they are
// read, then merged in a few statements: customers, the tanks they own, the readings of those tanks.
import type { ClientBase } from 'pg';
import type { DataSource } from 'typeorm';
import { CUSTOMERS } from '../../customers/dto/customer.input.js';
import { inTransaction } from '../../platform/database/pool.js';
import { csvCell } from '../../common/pagination/csv.js';
import { TANKS } from '../../tanks/dto/tank.input.js';
import { CsvReader, NdjsonReader } from './line-reader.js';
import { LineSplitter } from './line-splitter.js';
import { mergeObjects } from './merge-objects.js';
import { mergeReadings, TOUCHED_TANKS, type WriteReadingLine } from './merge-readings.js';
import { RefusalLog } from './refusal-log.js';
import type { RejectsFile } from './rejects-file.js';
import type { ImportReport } from './report.js';
import { findDeletedOwners, findSharedDevices, type DeletedOwners } from './warnings.js';
import { Staging } from './staging.js';
import { takeLock } from '../../platform/schema/locks.js';

export type ImportFormat = 'ndjson' | 'csv';

export interface ImportProgress {
  readonly phase: 'reading' | 'waiting' | 'merging' | 'committing';
  readonly bytes: number;
  readonly lines: number;
}

export interface ImportOptions {
  readonly format?: ImportFormat;
  /** What messages call the source. */
  readonly name?: string;
  /** Does everything, then rolls it back. */
  readonly dryRun?: boolean;
  /** Who changes what is changed: a command. */
  readonly command?: string;
  /** Of all that is changed, for the activity. */
  readonly runId?: string;
  readonly rejects?: RejectsFile | undefined;
  /** Called for the first refused lines. */
  readonly onRefused?: (message: string) => void;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Called before anything is changed when customers would be deleted that own tanks; may stop the import by throwing. */
  readonly onDeletedOwners?: (owners: DeletedOwners) => Promise<void>;
  /** The last part of the transaction. */
  readonly beforeCommit?: (client: ClientBase) => Promise<void>;
}

export async function importLines(
  dataSource: DataSource,
  source: AsyncIterable<Buffer>,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const transaction = {
    mode: 'isolation level read committed, read write', // each statement sees what was committed before it
    dryRun: options.dryRun === true,
  };
  return inTransaction(dataSource, transaction, (client) => stageAndMerge(client, source, options));
}

/** Autovacuum, when it looks at a table meanwhile, sees nothing of what came, and PostgreSQL plans for what it saw: reads would time out. */
async function analyzeGrown(client: ClientBase, inserted: Readonly<Record<string, number>>): Promise<void> {
  const knowsFewer = 'select from pg_class where oid = $1::regclass and reltuples < $2';
  for (const [table, rows] of Object.entries(inserted)) {
    if (rows === 0) continue;
    const { rowCount } = await client.query(knowsFewer, [table, rows]);
    if (rowCount === 1) await client.query(`analyze ${table}`);
  }
}

async function stageAndMerge(
  client: ClientBase,
  source: AsyncIterable<Buffer>,
  options: ImportOptions,
): Promise<ImportReport> {
  const {
    name = 'input',
    format = 'ndjson',
    command = 'import',
    runId = null,
    rejects,
    onRefused = () => undefined,
  } = options;
  const refusals = new RefusalLog(name, onRefused, rejects);
  const staging = await Staging.create(client);
  const reader = format === 'csv' ? new CsvReader(staging, refusals) : new NdjsonReader(staging, refusals);
  const splitter = new LineSplitter(reader);
  let bytes = 0;
  const report = (phase: ImportProgress['phase']) =>
    options.onProgress?.({ phase, bytes, lines: splitter.lines });

  for await (const chunk of source) {
    splitter.feed(chunk);
    bytes += chunk.length;
    report('reading');
    await staging.flushFull();
  }
  splitter.finish();
  await staging.finish();
  const deletedOwners = await findDeletedOwners(client);
  if (deletedOwners !== undefined) await options.onDeletedOwners?.(deletedOwners);

  report('waiting');
  const now = await queueForMerge(client);
  report('merging');
  await client.query('select keep_states_last()');
  const customers = await mergeObjects(client, CUSTOMERS, { now, command, runId }, refusals);
  const tanks = await mergeObjects(client, TANKS, { now, command, runId }, refusals);
  const sharedDevices = await findSharedDevices(client);
  const telemetry = await mergeReadings(client, refusals, writeLineAs[format]);
  await analyzeGrown(client, {
    customers: customers.inserted,
    tanks: tanks.inserted,
    tank_states: tanks.inserted,
    telemetry: telemetry.inserted,
  });
  // Last, since other writers of these tanks' readings wait from here to the commit.
  if (tanks.updated + tanks.deleted + telemetry.inserted + telemetry.updated > 0)
    await client.query(`select renew_tank_states(${TOUCHED_TANKS}, is_news => true)`);
  await options.beforeCommit?.(client);
  report('committing');
  const { byKind } = refusals;
  return {
    lines: reader.lines,
    refused: refusals.count,
    customers: { ...customers, refused: byKind.customers },
    tanks: { ...tanks, refused: byKind.tanks },
    telemetry: { ...telemetry, refused: byKind.telemetry },
    unreadable: byKind.unreadable,
    reasons: refusals.reasons(),
    shared_devices: sharedDevices,
  };
}

/** Imports merge one after the other. Only readings are written by others meanwhile. Returns the time of the changes. */
async function queueForMerge(client: ClientBase): Promise<string> {
  await client.query(takeLock('IMPORT'));
  const { rows: objects } = await client.query(
    'select from staged_customers union all select from staged_tanks limit 1',
  );
  if (objects.length > 0) await client.query('lock table customers, tanks in share row exclusive mode');
  const { rows } = await client.query<{ now: string }>(
    `select date_trunc('milliseconds', clock_timestamp())::text as now`,
  );
  return rows[0]?.now ?? '';
}

const writeLineAs: Record<ImportFormat, WriteReadingLine> = {
  ndjson: (tankId, createdAt, fill) =>
    JSON.stringify({ object: 'telemetry', tank_id: tankId, created_at: createdAt, fill_percentage: fill }),
  csv: (...cells) => cells.map(csvCell).join(','),
};
