// Streams customers, tanks and readings as NDJSON from one snapshot, in constant memory: the database writes the JSON, and its COPY is
// the output. A line is the object as the API shows it; a deleted one is whole too, with "deleted".
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import type { DataSource } from 'typeorm';
import { CUSTOMER } from '../customers/customer.fields.js';
import { inTransaction } from '../database/transaction.js';
import type { Resource } from '../fields/resource.js';
import { TANK } from '../tanks/tank.fields.js';

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
    await client.query(TAKE_SNAPSHOTS);
    for (const kind of EXPORTS.filter((known) => kinds.includes(known))) {
      await pipeline(client.query(copyTo(exportStatement(kind, since))), output, { end: false });
    }
  });
}

/** Each node of a cluster takes its snapshot at its first statement. */
const TAKE_SNAPSHOTS = 'select from telemetry limit 1';

const time = (column: string): string => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const lineOf = (resource: Resource): string =>
  resource.shown.map((name) => `${valueOf(resource, name)} as ${name}`).join(', ');

/** From a row that is named after the object. */
function valueOf({ object, fields, computed }: Resource, name: string): string {
  if (name === 'object') return `'${object}'`;
  const inner = fields.filter(({ within }) => within === name).map(({ column }) => `${object}.${column}`);
  if (inner.length > 0) return `(select ${name} from (select ${inner.join(', ')}) ${name})`;
  const column = `${object}.${name}`;
  const instants = fields.filter(({ type }) => type === 'instant').map((field) => field.name);
  const isInstant = ['created_at', 'updated_at', ...instants].includes(name);
  return computed[name] ?? (isInstant ? time(column) : column);
}

/** "deleted" is a field of a deleted object's line only. */
const selectObjects = (resource: Resource) => (since: string) => `
  select case when deleted
    then (select row_to_json(line) from (select ${lineOf(resource)}, true as deleted) line)
    else (select row_to_json(line) from (select ${lineOf(resource)}) line) end
  from ${resource.table} ${resource.object} where updated_at >= ${since} order by id`;

/** `since` is a timestamp as PostgreSQL reads it; everything is since -infinity. */
function exportStatement(kind: ExportedKind, since: string): string {
  return `copy (${SELECTS[kind](`timestamptz '${since}'`)}) to stdout with ${AS_IT_IS}`;
}

const SELECTS: Record<ExportedKind, (since: string) => string> = {
  customers: selectObjects(CUSTOMER),
  tanks: selectObjects(TANK),
  telemetry: (since) => `
    select '{"object":"telemetry","tank_id":' || to_json(tank.id)
        || ',"created_at":"' || ${time('reading.created_at')}
        || '","fill_percentage":' || reading.fill_percentage || '}'
    from telemetry reading join tanks tank on tank.key = reading.tank_key
    where reading.created_at >= ${since} order by tank.id, reading.created_at`,
};

/** So that COPY neither escapes nor quotes: no line of JSON can hold these two characters. */
const AS_IT_IS = `(format csv, delimiter E'\\x01', quote E'\\x02')`;
