// Merges the staged readings into telemetry. Most imports bring readings of times that have none yet: for those tanks
// one look at the index per tank replaces one per reading, and the readings are simply inserted.
import type { PoolClient } from 'pg';
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
  const { unknown, fresh, compared } = await countLines(client);
  if (unknown > 0) await refuseUnknown(client, unknown, refusals, writeLine);
  const outcome = emptyOutcome();
  if (fresh > 0) {
    outcome.inserted = (await client.query(INSERT_FRESH)).rowCount ?? 0;
    outcome.superseded = fresh - outcome.inserted;
  }
  if (compared > 0) await mergeCompared(client, compared, outcome);
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

async function countLines(client: PoolClient): Promise<{ unknown: number; fresh: number; compared: number }> {
  const { rows } = await client.query<{ unknown: string; fresh: string; compared: string }>(`
    select coalesce(sum(lines) filter (where tank_key is null), 0) as unknown,
           coalesce(sum(lines) filter (where tank_key is not null and is_fresh), 0) as fresh,
           coalesce(sum(lines) filter (where tank_key is not null and not is_fresh), 0) as compared
    from tanks_of_readings`);
  const [counts] = rows;
  return {
    unknown: Number(counts?.unknown),
    fresh: Number(counts?.fresh),
    compared: Number(counts?.compared),
  };
}

/** In the order of the index, the last line of an instant first: the index grows at few places, and that line wins. */
const lastLines = (tanks: string): string => `
  select distinct on (tanks.tank_key, staged.created_at)
         tanks.tank_key, staged.created_at, staged.fill_percentage
  from staged_readings staged join tanks_of_readings tanks using (tank_id)
  where tanks.tank_key is not null and ${tanks}
  order by tanks.tank_key, staged.created_at, staged.line desc`;

const INSERT_FRESH = `
  insert into telemetry (tank_key, created_at, fill_percentage) ${lastLines('tanks.is_fresh')}`;

const COMPARE = `
  create temp table compared_readings on commit drop as
  select incoming.*,
         case when existing.tank_key is null then 'inserted'
              when existing.fill_percentage <> incoming.fill_percentage then 'updated'
              else 'unchanged' end as outcome
  from (${lastLines('not tanks.is_fresh')}) incoming
  left join telemetry existing using (tank_key, created_at)`;

const INSERT_COMPARED = `
  insert into telemetry (tank_key, created_at, fill_percentage)
  select tank_key, created_at, fill_percentage from compared_readings
  where outcome = 'inserted' order by tank_key, created_at`;

const UPDATE_COMPARED = `
  update telemetry existing set fill_percentage = compared.fill_percentage
  from compared_readings compared
  where compared.outcome = 'updated'
    and existing.tank_key = compared.tank_key and existing.created_at = compared.created_at`;

async function mergeCompared(client: PoolClient, lines: number, outcome: Outcome): Promise<void> {
  const readings = (await client.query(COMPARE)).rowCount ?? 0;
  await client.query('analyze compared_readings');
  const inserted = (await client.query(INSERT_COMPARED)).rowCount ?? 0;
  const updated = (await client.query(UPDATE_COMPARED)).rowCount ?? 0;
  outcome.inserted += inserted;
  outcome.updated += updated;
  outcome.unchanged += readings - inserted - updated;
  outcome.superseded += lines - readings;
}

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
