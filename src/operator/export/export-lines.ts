// Streams customers, tanks and readings as NDJSON from one snapshot, in constant memory: the database writes the JSON, and its COPY is
// the output. A line is the object as the API shows it; a deleted one is whole too, with "deleted".
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import type { DataSource } from 'typeorm';
import { CUSTOMERS } from '../../customers/dto/customer.input.js';
import { columnTypes } from '../../platform/database/columns.js';
import { inTransaction } from '../../platform/database/pool.js';
import type { ImportedKind } from '../../common/pagination/columns.js';
import { TANKS } from '../../tanks/dto/tank.input.js';

export const EXPORTS = ['customers', 'tanks', 'telemetry'] as const;
export type ExportedKind = (typeof EXPORTS)[number];

export interface ExportOptions {
  /** All unless named, in the order in which an import needs them. */
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
    await client.query('select from telemetry limit 1'); // each node of a cluster takes its snapshot at its first statement
    for (const kind of EXPORTS.filter((known) => kinds.includes(known))) {
      const copy = `copy (${SELECTS[kind](`timestamptz '${since}'`)}) to stdout with ${UNESCAPED}`;
      await pipeline(client.query(copyTo(copy)), output, { end: false });
    }
  });
}

export const time = (column: string): string => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** From a row that is named after the object. */
function selectValue({ object, entity, computed }: ImportedKind, name: string, value: unknown): string {
  if (name === 'object') return `'${object}'`;
  if (typeof value === 'object' && value !== null) {
    const inner = Object.keys(value).map((column) => `${object}.${column}`);
    return `(select ${name} from (select ${inner.join(', ')}) ${name})`;
  }
  const column = `${object}.${name}`;
  const isInstant = columnTypes(entity).get(name) === 'timestamp with time zone';
  return computed[name] ?? (isInstant ? time(column) : column);
}

/** "deleted" is a field of a deleted object's line only. */
function selectObjects(kind: ImportedKind, since: string): string {
  const shown = Object.entries(new kind.response());
  const line = shown.map(([name, value]) => `${selectValue(kind, name, value)} as ${name}`).join(', ');
  return `
    select case when deleted
      then (select row_to_json(line) from (select ${line}, true as deleted) line)
      else (select row_to_json(line) from (select ${line}) line) end
    from ${kind.table} ${kind.object} where updated_at >= ${since} order by id`;
}

const SELECTS: Record<ExportedKind, (since: string) => string> = {
  customers: (since) => selectObjects(CUSTOMERS, since),
  tanks: (since) => selectObjects(TANKS, since),
  telemetry: (since) => `
    select '{"object":"telemetry","tank_id":' || to_json(tank.id)
        || ',"created_at":"' || ${time('reading.created_at')}
        || '","fill_percentage":' || reading.fill_percentage || '}'
    from telemetry reading join tanks tank on tank.key = reading.tank_key
    where reading.created_at >= ${since} order by tank.id, reading.created_at`,
};

/** So that COPY neither escapes nor quotes: no line of JSON can hold these two characters. */
const UNESCAPED = `(format csv, delimiter E'\\x01', quote E'\\x02')`;
