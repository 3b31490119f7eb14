// Merges the staged readings into telemetry, while others go on writing readings: what is not there is inserted, what is there
// with another value is locked and updated. Both in the order of tank and instant, which all writers of readings keep, so
// that they queue and do not deadlock.
import { DatabaseError, type PoolClient } from 'pg';
import { forEachRow } from './read-rows.js';
import type { Refusals } from './refusals.js';
import { RefusedLine } from './refused-line.js';
import { emptyOutcome, type Outcome } from './report.js';

/** How a refused reading is written back, in the format it came in. */
export type WriteReadingLine = (tankId: string, createdAt: string, fill: number) => string;

export async function mergeReadings(
  client: PoolClient,
  refusals: Refusals,
  writeLine: WriteReadingLine,
): Promise<Outcome> {
  await client.query(FIND_TANKS);
  await client.query('analyze tanks_of_readings');
  const { unknown, known } = await countLines(client);
  if (unknown > 0) await refuseUnknown(client, unknown, refusals, writeLine);
  const outcome = emptyOutcome();
  if (known === 0) return outcome;
  outcome.inserted = await insertMissing(client);
  if (outcome.inserted < known) await mergeExisting(client, known, outcome);
  return outcome;
}

/** "is_fresh": no reading of the tank is stored between its first and its last one here, so none can be the same. */
const FIND_TANKS = `
  create temp table tanks_of_readings on commit drop as
  select staged.tank_id, tanks.key as tank_key, staged.lines,
         not exists (select from telemetry
                     where telemetry.tank_key = tanks.key
                       and telemetry.created_at between staged.first and staged.last) as is_fresh
  from (select tank_id, min(created_at) as first, max(created_at) as last, count(*) as lines
        from staged_readings group by tank_id) staged
  left join tanks on tanks.id = staged.tank_id`;

async function countLines(client: PoolClient): Promise<{ unknown: number; known: number }> {
  const { rows } = await client.query<{ unknown: string; known: string }>(`
    select coalesce(sum(lines) filter (where tank_key is null), 0) as unknown,
           coalesce(sum(lines) filter (where tank_key is not null), 0) as known
    from tanks_of_readings`);
  return { unknown: Number(rows[0]?.unknown), known: Number(rows[0]?.known) };
}

/** In the order of the index, the last line of an instant first: the index grows at few places, and that line wins. */
const lastLines = (condition = ''): string => `
  select distinct on (tanks.tank_key, staged.created_at)
         tanks.tank_key, staged.created_at, staged.fill_percentage
  from staged_readings staged join tanks_of_readings tanks using (tank_id)
  where tanks.tank_key is not null ${condition}
  order by tanks.tank_key, staged.created_at, staged.line desc`;

/** One statement for all, so that their counts, which other writers of the tanks wait for, are changed at its end. */
const INSERT_MISSING = `
  insert into telemetry (tank_key, created_at, fill_percentage)
  ${lastLines(`and (tanks.is_fresh or not exists (
    select from telemetry existing
    where existing.tank_key = tanks.tank_key and existing.created_at = staged.created_at))`)}`;

const UNIQUE_VIOLATION = '23505'; // SQLSTATE

/** A reading that somebody else writes in this moment is rare; being prepared for it makes every one twice as expensive. */
async function insertMissing(client: PoolClient): Promise<number> {
  await client.query('savepoint before_insert');
  try {
    return (await client.query(INSERT_MISSING)).rowCount ?? 0;
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== UNIQUE_VIOLATION) throw error;
    await client.query('rollback to savepoint before_insert');
    return (await client.query(`${INSERT_MISSING} on conflict do nothing`)).rowCount ?? 0;
  }
}

/** Every reading of the file is stored now; where its value is another one, it was there before. */
async function mergeExisting(client: PoolClient, lines: number, outcome: Outcome): Promise<void> {
  const { rows } = await client.query<{ n: string }>(`select count(*) as n from (${lastLines()}) last_lines`);
  const readings = Number(rows[0]?.n);
  outcome.superseded = lines - readings;
  if (outcome.inserted === readings) return;
  await client.query(LOCK_CHANGED);
  outcome.updated = (await client.query(UPDATE_CHANGED)).rowCount ?? 0;
  outcome.unchanged = readings - outcome.inserted - outcome.updated;
}

/** Locked, they stay as they were compared. */
const LOCK_CHANGED = `
  create temp table changed_readings on commit drop as
  select existing.tank_key, existing.created_at, incoming.fill_percentage
  from (${lastLines()}) incoming
  join telemetry existing on existing.tank_key = incoming.tank_key and existing.created_at = incoming.created_at
  where existing.fill_percentage <> incoming.fill_percentage
  order by existing.tank_key, existing.created_at
  for no key update of existing`;

const UPDATE_CHANGED = `
  update telemetry existing set fill_percentage = changed.fill_percentage
  from changed_readings changed
  where existing.tank_key = changed.tank_key and existing.created_at = changed.created_at`;

async function refuseUnknown(
  client: PoolClient,
  unknown: number,
  refusals: Refusals,
  writeLine: WriteReadingLine,
): Promise<void> {
  const reason = 'unknown tank';
  const wanted = Math.min(refusals.toBeTold, unknown);
  const statement = `
    select staged.line, staged.tank_id, staged.fill_percentage,
           to_char(staged.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at
    from staged_readings staged join tanks_of_readings tanks using (tank_id)
    where tanks.tank_key is null order by staged.line limit ${wanted}`;
  await forEachRow(client, statement, (row) => {
    const tankId = String(row['tank_id']);
    const line = writeLine(tankId, String(row['created_at']), Number(row['fill_percentage']));
    const refused = new RefusedLine(reason, refusals.describeUnknown('tanks', tankId));
    refusals.refuse('telemetry', refused, Number(row['line']), line);
  });
  if (unknown > wanted) refusals.countOnly('telemetry', [reason], unknown - wanted);
}
