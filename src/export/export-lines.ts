// Streams customers, tanks and readings as NDJSON from one snapshot, in constant memory.
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import type { DataSource } from 'typeorm';
import { inTransaction } from '../database/transaction.js';
import { EXPORTS, exportStatement, type ExportedKind } from './statements.js';

export interface ExportOptions {
  /** All of them unless named. They come in the order in which an import needs them. */
  readonly kinds?: readonly ExportedKind[];
  /** As PostgreSQL reads it: readings created and objects updated at or after it. */
  readonly since?: string;
}

export async function exportLines(
  dataSource: DataSource,
  output: Writable,
  { kinds = EXPORTS, since = '-infinity' }: ExportOptions = {},
): Promise<void> {
  const snapshot = { mode: 'isolation level repeatable read, read only' };
  await inTransaction(dataSource, snapshot, async (client) => {
    await client.query(LOOK_EVERYWHERE);
    for (const kind of EXPORTS.filter((known) => kinds.includes(known))) {
      await pipeline(client.query(copyTo(exportStatement(kind, since))), output, { end: false });
    }
  });
}

/** A cluster has a snapshot on each node, taken when it is first asked: now, and not when customers and tanks are written. */
const LOOK_EVERYWHERE = 'select from telemetry limit 1';
