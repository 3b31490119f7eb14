// The lines of an export, written as JSON by the database: its COPY is the output, nothing is built up on the way.
// A line is the object as the API shows it; a deleted one is whole too, and says so.
import { CUSTOMER } from '../customers/customer.fields.js';
import type { Resource } from '../fields/resource.js';
import { TANK } from '../tanks/tank.fields.js';

export const EXPORTS = ['customers', 'tanks', 'telemetry'] as const;
export type ExportedKind = (typeof EXPORTS)[number];

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
export function exportStatement(kind: ExportedKind, since: string): string {
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

/** COPY escapes or quotes what it takes for special; as CSV with these two, that is nothing a line of JSON can hold. */
const AS_IT_IS = `(format csv, delimiter E'\\x01', quote E'\\x02')`;
