// Merges the staged readings into telemetry, while others go on writing readings: what is not there is inserted, what is there
// with another value is locked and updated. Both in the order of tank and instant, which all writers of readings keep, so
// that they queue and do not deadlock.
import { DatabaseError, type ClientBase } from 'pg';
import { refersToNothing } from '../database/failures.js';
import { isCluster } from '../schema/is-cluster.js';
import { fault } from '../validation/fault.js';
import { forEachRow } from './read-rows.js';
import {
  FIND_LAST_LINES,
  FIND_STORED,
  FIND_TANKS,
  FIND_TANKS_AGAIN,
  INSERT_MISSING,
  LOCK_CHANGED,
  NOTE_INSERTED,
  NOTE_INSERTED_AND_CHANGED,
  UPDATE_CHANGED,
} from './reading-statements.js';
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
           to_char(staged.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at
    from staged_readings staged join tanks_of_readings tanks using (tank_id)
    where tanks.tank_key is null order by staged.line limit ${wanted}`;
  await forEachRow(client, statement, (row) => {
    const tankId = String(row['tank_id']);
    const line = writeLine(tankId, String(row['created_at']), Number(row['fill_percentage']));
    const refused = new RefusedLine(fault(reason, refusals.describeUnknown('tanks', tankId)));
    refusals.refuse('telemetry', refused, Number(row['line']), line);
  });
  if (unknown > wanted) refusals.countOnly('telemetry', [reason], unknown - wanted);
}
