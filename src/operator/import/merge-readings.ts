// Merges the staged readings into telemetry, while others go on writing readings: what is not there is inserted, what is there
// with another value is locked and updated. Both in the order of tank and instant, which all writers of readings keep, so
// that they queue and do not deadlock.
import { DatabaseError, type ClientBase } from 'pg';
import { refersToNothing } from '../../platform/database/failures.js';
import { fetchRows } from '../../platform/database/rows-in-parts.js';
import { isCluster } from '../../platform/cluster/steps.js';
import { fault } from '../../common/validation/fault.js';
import { time } from '../export/export-lines.js';
import { RefusedLine, type RefusalLog } from './refusal-log.js';
import { emptyOutcome, type Outcome } from './report.js';

/** How a refused reading is written back, in the format it came in. */
export type WriteReadingLine = (tankId: string, createdAt: string, fill: number) => string;

export async function mergeReadings(
  client: ClientBase,
  refusals: RefusalLog,
  writeLine: WriteReadingLine,
): Promise<Outcome> {
  await runAll(client, [...FIND_TANKS, ...FIND_LAST_LINES]);
  const outcome = emptyOutcome();
  outcome.inserted = await insertMissing(client);
  const { rows } = await client.query<{ unknown: number; known: number }>(COUNT_LINES);
  const { unknown = 0, known = 0 } = rows[0] ?? {};
  if (unknown > 0) await refuseUnknown(client, unknown, refusals, writeLine);
  if (outcome.inserted < known) await mergeExisting(client, known, outcome);
  if (await isCluster(client))
    await client.query(outcome.updated > 0 ? NOTE_INSERTED_AND_CHANGED : NOTE_INSERTED);
  return outcome;
}

async function runAll(client: ClientBase, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await client.query(statement);
}

const COUNT_LINES = `
  select coalesce(sum(lines) filter (where tank_key is null), 0)::float8 as unknown,
         coalesce(sum(lines) filter (where tank_key is not null), 0)::float8 as known
  from tanks_of_readings`;

const UNIQUE_VIOLATION = '23505'; // SQLSTATE
const MAX_ATTEMPTS = 3;

/** That others write the same reading or remove a tank meanwhile is rare; `on conflict` from the start would double the cost. */
async function insertMissing(client: ClientBase): Promise<number> {
  await client.query('savepoint before_insert');
  let insert = INSERT_MISSING;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await runAll(client, FIND_STORED);
      return (await client.query(insert)).rowCount ?? 0;
    } catch (error) {
      const isThere = error instanceof DatabaseError && error.code === UNIQUE_VIOLATION;
      if (attempt === MAX_ATTEMPTS || !(isThere || refersToNothing(error))) throw error;
      await client.query('rollback to savepoint before_insert');
      if (isThere) insert = `${INSERT_MISSING} on conflict do nothing`;
      await runAll(client, FIND_TANKS_AGAIN);
    }
  }
}

/** Every reading of the file is stored now; where its value is another one, it was there before. */
async function mergeExisting(client: ClientBase, lines: number, outcome: Outcome): Promise<void> {
  const { rows } = await client.query<{ n: string }>('select count(*) as n from incoming_readings');
  const readings = Number(rows[0]?.n);
  outcome.superseded = lines - readings;
  if (outcome.inserted === readings) return;
  await client.query(LOCK_CHANGED);
  outcome.updated = (await client.query(UPDATE_CHANGED)).rowCount ?? 0;
  outcome.unchanged = readings - outcome.inserted - outcome.updated;
}

type UnknownReading = Record<'line' | 'tank_id' | 'created_at', string> & { fill_percentage: number };

async function refuseUnknown(
  client: ClientBase,
  unknown: number,
  refusals: RefusalLog,
  writeLine: WriteReadingLine,
): Promise<void> {
  const reason = 'unknown tank';
  const wanted = Math.min(refusals.needed, unknown);
  const statement = `
    select staged.line, staged.tank_id, staged.fill_percentage,
           ${time('staged.created_at')} as created_at
    from staged_readings staged join tanks_of_readings tanks using (tank_id)
    where tanks.tank_key is null order by staged.line limit ${wanted}`;
  for await (const rows of fetchRows<UnknownReading>(client, statement)) {
    for (const { line, tank_id, created_at, fill_percentage } of rows) {
      const refused = new RefusedLine(fault(reason, refusals.describeUnknown('tanks', tank_id)));
      refusals.refuse('telemetry', refused, Number(line), writeLine(tank_id, created_at, fill_percentage));
    }
  }
  if (unknown > wanted) refusals.countOnly('telemetry', [reason], unknown - wanted);
}

// The SQL. On a cluster the readings are on other nodes, which are asked for as little as possible.

/** Those of the readings, and those that the file changed. */
export const TOUCHED_TANKS = `array(
  select key from changed_tanks union select tank_key from tanks_of_readings where tank_key is not null)`;

/** "is_fresh": no reading of the tank is stored between its first and its last one here, so none can be the same. */
const FIND_TANKS: readonly string[] = [
  'set local citus.max_intermediate_result_size = -1', // a file may be large; one machine knows no such setting, and ignores it
  `create temp table tanks_of_readings on commit drop as
   with staged as materialized (
     select incoming.*, tanks.key as tank_key
     from (select tank_id, min(created_at) as first, max(created_at) as last, count(*) as lines
           from staged_readings group by tank_id) incoming
     left join tanks on tanks.id = incoming.tank_id
   ), met as materialized (
     select counted.tank_key
     from staged join telemetry_counts counted on counted.tank_key = staged.tank_key and counted.level = 0
     where exists (select from telemetry
                   where telemetry.tank_key = counted.tank_key
                     and telemetry.created_at between staged.first and staged.last)
   )
   select staged.tank_id, staged.tank_key, staged.lines, met.tank_key is null as is_fresh
   from staged left join met using (tank_key)`,
  'analyze tanks_of_readings',
  `select hold_tanks(${TOUCHED_TANKS})`, // on a cluster: others cannot write their readings from here on
];

/** In the order of the index, the last line of an instant first: the index grows at few places, and that line wins. */
const FIND_LAST_LINES: readonly string[] = [
  `create temp table incoming_readings on commit drop as
   select distinct on (tanks.tank_key, staged.created_at)
          tanks.tank_key, staged.created_at, staged.fill_percentage, tanks.is_fresh
   from staged_readings staged join tanks_of_readings tanks using (tank_id)
   where tanks.tank_key is not null
   order by tanks.tank_key, staged.created_at, staged.line desc`,
  'analyze incoming_readings',
];

/** Finds those that are stored already; before each try to insert. */
const FIND_STORED: readonly string[] = [
  'drop table if exists met_readings',
  `create temp table met_readings on commit drop as
   with late as materialized (select tank_key, created_at from incoming_readings where not is_fresh)
   select existing.tank_key, existing.created_at, existing.fill_percentage
   from late join telemetry existing on existing.tank_key = late.tank_key and existing.created_at = late.created_at`,
  'analyze met_readings',
];

const IS_MISSING = `not exists (
  select from met_readings met where met.tank_key = incoming.tank_key and met.created_at = incoming.created_at)`;

/** One statement for all, so that their counts, which other writers of the tanks wait for, are changed at its end. */
const INSERT_MISSING = `
  insert into telemetry (tank_key, created_at, fill_percentage)
  select tank_key, created_at, fill_percentage from incoming_readings incoming
  where ${IS_MISSING}
  order by tank_key, created_at`;

/** Tanks may have been removed, and readings stored, since they were looked for. */
const FIND_TANKS_AGAIN: readonly string[] = [
  `update tanks_of_readings set tank_key = null
   where tank_key is not null and not exists (select from tanks where tanks.key = tank_key)`,
  `delete from incoming_readings
   where tank_key not in (select tank_key from tanks_of_readings where tank_key is not null)`,
  'update incoming_readings set is_fresh = false where is_fresh',
];

/** Locked, they stay as they are compared. */
const LOCK_CHANGED = `
  create temp table changed_readings on commit drop as
  with differing as materialized (
    select array_agg(tank_key order by tank_key, created_at) as keys,
           array_agg(created_at::timestamptz order by tank_key, created_at) as instants
    from incoming_readings incoming join met_readings met using (tank_key, created_at)
    where incoming.fill_percentage <> met.fill_percentage
  )
  select incoming.tank_key, incoming.created_at, incoming.fill_percentage
  from differing cross join lateral lock_readings(differing.keys, differing.instants) stored
  join incoming_readings incoming on incoming.tank_key = stored.tank_key and incoming.created_at = stored.instant
  where incoming.fill_percentage <> stored.level`;

const UPDATE_CHANGED = `
  with changed as materialized (select * from changed_readings)
  update telemetry existing set fill_percentage = changed.fill_percentage
  from changed
  where existing.tank_key = changed.tank_key and existing.created_at = changed.created_at`;

/** On a cluster no trigger has noted them. */
const noteReadings = (readings: string): string => `
  select note_changed_readings(coalesce(array_agg(tank_key), '{}'), coalesce(array_agg(instant), '{}'))
  from (select tank_key, unnest(array[min(created_at), max(created_at)])::timestamptz as instant
        from (${readings}) reading group by tank_key) changed`;

const INSERTED = `select tank_key, created_at from incoming_readings incoming where ${IS_MISSING}`;
const NOTE_INSERTED = noteReadings(INSERTED);
const NOTE_INSERTED_AND_CHANGED = noteReadings(
  `${INSERTED} union all select tank_key, created_at from changed_readings`,
);
