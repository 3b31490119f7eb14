// Merges the staged lines of customers or of tanks into their table, a few statements whatever the number of lines.
//
// Lines are checked alone first (does a tank's owner exist, is there something for a short form to delete); of the good
// ones the last line about an object wins. A short form only deletes: the fields of a whole line before it are kept.
// Only rows that really differ are written. A change moves updated_at forward: to the line's if that is newer, to now otherwise, so
// that an incremental export finds it.
import type { ClientBase } from 'pg';
import { NUMBERS } from '../../rules.js';
import { columnTypes } from '../../platform/database/columns.js';
import { fetchRows } from '../../platform/database/rows-in-parts.js';
import type { ImportedKind } from '../../common/pagination/columns.js';
import { TANKS } from '../../tanks/dto/tank.input.js';
import { fault } from '../../common/validation/fault.js';
import { time } from '../export/export-lines.js';
import { RefusedLine, type RefusalLog } from './refusal-log.js';
import { emptyOutcome, type Kind, type Outcome } from './report.js';
import { REMEMBER_GIVEN_DEVICES } from './warnings.js';
import { stagingOf } from './staging.js';
import { ownColumns } from './write-object.js';

/** `now` is the time of this import's changes, as PostgreSQL writes it. */
interface Importing {
  readonly now: string;
  readonly command: string;
  readonly runId: string | null;
}

export async function mergeObjects(
  client: ClientBase,
  kind: ImportedKind,
  { now, command, runId }: Importing,
  refusals: RefusalLog,
): Promise<Outcome> {
  if (kind === TANKS) await refuse(client, kind, UNKNOWN_OWNER, refusals);
  await refuse(client, kind, nothingToDelete(kind), refusals);
  const { rows } = await client.query<{ lines: string; objects: string }>(
    `select count(*) as lines, count(distinct id) as objects from ${stagingOf(kind)}`,
  );
  const [lines, objects] = [Number(rows[0]?.lines), Number(rows[0]?.objects)];
  if (lines === 0) return emptyOutcome();
  const changed = await findChanges(client, kind, now);
  await client.query(record(kind), [command, runId]);
  await writeChanges(client, kind);
  const written = changed.inserted + changed.updated + changed.deleted;
  return { ...changed, unchanged: objects - written, superseded: lines - objects, refused: 0 };
}

/** A check of lines against the database and each other. */
interface Refusal {
  readonly reason: string;
  /** The column with the unknown id, and what it is an id of. */
  readonly column: string;
  readonly kind: Kind;
  readonly condition: string;
}

const UNKNOWN_OWNER: Refusal = {
  reason: 'unknown owner',
  column: 'owner_id',
  kind: 'customers',
  condition: 'not is_short and not exists (select from customers where customers.id = staged.owner_id)',
};

const nothingToDelete = (kind: ImportedKind): Refusal => ({
  reason: `no such ${kind.object} to delete`,
  column: 'id',
  kind: kind.table,
  condition: `
    is_short
    and not exists (select from ${kind.table} existing where existing.id = staged.id)
    and not exists (select from ${stagingOf(kind)} whole where whole.id = staged.id and not whole.is_short)`,
});

type RefusedObject = Record<'line' | 'id' | 'unknown', string> & { source: string | null };

async function refuse(
  client: ClientBase,
  lineKind: ImportedKind,
  { reason, column, kind, condition }: Refusal,
  refusals: RefusalLog,
): Promise<void> {
  const refusedLines = `from ${stagingOf(lineKind)} staged where ${condition}`;
  const statement = `select line, source, id, ${column} as unknown ${refusedLines} order by line`;
  for await (const rows of fetchRows<RefusedObject>(client, statement)) {
    for (const { line, source, id, unknown } of rows) {
      const refused = new RefusedLine(fault(reason, refusals.describeUnknown(kind, unknown)));
      refusals.refuse(lineKind.table, refused, Number(line), source ?? '');
      refusals.remember(lineKind.table, id, Number(line));
    }
  }
  await client.query(`delete ${refusedLines}`);
}

type Changed = Pick<Outcome, 'inserted' | 'updated' | 'deleted'>;

/** Fills "changes" with the new state of every row that will be another one, and counts them by outcome. */
async function findChanges(client: ClientBase, kind: ImportedKind, now: string): Promise<Changed> {
  const columns = ownColumns(kind);
  const of = (alias: string) => columns.map((column) => `${alias}.${column}`).join(', ');
  const timestamp = `timestamptz '${now}'`;
  await client.query(`
    create temp table changes on commit drop as
    with last_whole as (
      select distinct on (id) * from ${stagingOf(kind)} where not is_short order by id, line desc
    ), last_short as (
      select id, max(line) as line from ${stagingOf(kind)} where is_short group by id
    ), incoming as (
      select whole.id, whole.created_at, whole.updated_at,
             whole.deleted or coalesce(short.line > whole.line, false) as deleted, ${of('whole')}
      from last_whole whole left join last_short short using (id)
      union all
      select existing.id, null, null, true, ${of('existing')}
      from last_short short join ${kind.table} existing using (id)
      where not exists (select from last_whole whole where whole.id = short.id)
    )
    select incoming.id,
           coalesce(incoming.created_at, existing.created_at, ${timestamp}) as created_at,
           case when existing.id is null then coalesce(incoming.updated_at, ${timestamp})
                when incoming.updated_at > existing.updated_at then incoming.updated_at
                else greatest(existing.updated_at, ${timestamp}) end as updated_at,
           incoming.deleted, ${of('incoming')},
           case when existing.id is null then 'inserted'
                when incoming.deleted and not existing.deleted then 'deleted'
                else 'updated' end as outcome
    from incoming left join ${kind.table} existing using (id)
    where existing.id is null
       or incoming.created_at <> existing.created_at
       or incoming.updated_at > existing.updated_at
       or (incoming.deleted, ${of('incoming')}) is distinct from (existing.deleted, ${of('existing')})`);
  await client.query('analyze changes');
  const { rows } = await client.query<{ outcome: keyof Changed; n: string }>(
    'select outcome, count(*) as n from changes group by outcome',
  );
  const changed: Changed = { inserted: 0, updated: 0, deleted: 0 };
  for (const { outcome, n } of rows) changed[outcome] = Number(n);
  return changed;
}

async function writeChanges(client: ClientBase, kind: ImportedKind): Promise<void> {
  const columns = ['created_at', 'updated_at', 'deleted', ...ownColumns(kind)];
  const list = ['id', ...columns].join(', ');
  if (kind === TANKS) await client.query(REMEMBER_GIVEN_DEVICES);
  await client.query(`
    insert into ${kind.table} (${list})
    select ${list} from changes where outcome = 'inserted' order by id`);
  await client.query(`
    update ${kind.table} existing
    set ${columns.map((column) => `${column} = changes.${column}`).join(', ')}
    from changes where changes.id = existing.id and outcome <> 'inserted'`);
  if (kind === TANKS) await client.query(REMEMBER_CHANGED);
  await client.query('drop table changes');
}

/** Before they are written: who makes which change of what, as common/writes/activity.ts does it. */
function record(kind: ImportedKind): string {
  const owner = kind === TANKS ? 'changes.owner_id' : 'changes.id';
  const fields = shownColumns(kind);
  const changed = (most: number): string => {
    const each = fields.map(([field, column]) => {
      const type = String(columnTypes(kind.entity).get(column));
      const value = { 'timestamp with time zone': time, text: cutTo(most) }[type] ?? String;
      const [was, is] = [`existing.${column}`, `changes.${column}`];
      return `case when ${was} is distinct from ${is} then
        '"${field}":' || json_build_object('from', ${value(was)}, 'to', ${value(is)}) end`;
    });
    return `'{' || concat_ws(',', ${each.join(', ')}) || '}'`;
  };
  return `
    insert into activity (type, object_id, object_name, owner_id, operation, actor, request_id, changes)
    select '${kind.object}', changes.id, changes.name, ${owner},
           case when outcome = 'inserted' then 'create' when outcome = 'deleted' then 'delete'
                when existing.deleted and not changes.deleted then 'restore' else 'update' end,
           $1, $2::text,
           case when outcome <> 'updated' then '{}' when octet_length(whole.changes) <= ${NUMBERS.ACTIVITY_CHANGES_BYTES}
                then whole.changes::json else (${changed(NUMBERS.ACTIVITY_SHORT_VALUE)})::json end
    from changes left join ${kind.table} existing using (id)
    cross join lateral (select ${changed(NUMBERS.ACTIVITY_VALUE)} as changes offset 0) whole`;
}

const cutTo = (most: number) => (text: string) =>
  `left(${text}, ${most}) || case when length(${text}) > ${most} then '…' else '' end`;

/** The fields that the API shows and an import can change, and their columns. */
function shownColumns({ response, computed }: ImportedKind): [field: string, column: string][] {
  const own = new Set(['id', 'object', 'updated_at', ...Object.keys(computed)]);
  return Object.entries(new response())
    .filter(([name]) => !own.has(name))
    .flatMap(([name, value]: [string, unknown]): [string, string][] =>
      typeof value === 'object' && value !== null
        ? Object.keys(value).map((column) => [`${name}.${column}`, column])
        : [[name, name]],
    );
}

/** Their states have to be kept. */
const REMEMBER_CHANGED = `
  insert into changed_tanks
  select tanks.key from changes join tanks using (id) where outcome <> 'inserted'`;
