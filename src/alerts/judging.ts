// Judges the tanks with which something may have happened: each batch is locked, read, judged and recorded in one transaction. So each
// event happens once and in the order of its tank, however many processes do this, and nothing is lost when one is killed.
import type { ClientBase, Pool } from 'pg';
import { isStatementFailure } from '../platform/database/failures.js';
import { withTransaction } from '../platform/database/pool.js';
import type { Reading } from '../rules.js';
import { judge, type Judgement, type JudgeInput } from './judge.js';

/** Small enough that writers of these tanks do not wait long. */
const TANKS_AT_ONCE = 500;

interface TakenRow extends Omit<JudgeInput, 'known' | 'writes' | 'readings'> {
  readonly key: string;
  /** False: somebody else holds the tank; it is looked at again later. */
  readonly isTaken: boolean;
  readonly knownAt: Date | null;
  readonly knownFill: number | null;
  readonly writtenAt: readonly string[];
  readonly reached: readonly (string | null)[];
  readonly moments: readonly string[] | null;
  readonly fills: readonly number[] | null;
}

type Database = Pick<Pool, 'connect' | 'query'>;

/** Arrays travel as JSON, which is read several times faster than arrays of dates. */
const TAKE = `
  select tank_key as key, is_taken as "isTaken", threshold, known_threshold as "knownThreshold", known_at as "knownAt", known_fill as "knownFill",
         was_silent as "wasSilent", was_restored as "wasRestored", to_json(written_at) as "writtenAt", to_json(reached) as reached,
         is_silent as "isSilent", is_low as low, silence_reported as "silenceReported", to_json(moments) as moments, to_json(fills) as fills,
         goes_on as "goesOn"
  from take_unjudged_tanks($1, $2)`;

/** A tank that cannot be judged keeps no other from it: what failed is thrown when all others are judged. */
export async function judgeAll(pool: Database, mayGoOn = () => true): Promise<void> {
  const failures: Error[] = [];
  for (let from: string | undefined = '0'; from !== undefined && mayGoOn();) {
    const after: string = from;
    from = await judgeBatch(pool, after, TANKS_AT_ONCE).catch((error: unknown) => {
      if (!(error instanceof Error && isStatementFailure(error))) throw error;
      return judgeOneByOne(pool, after, failures);
    });
  }
  if (failures[0] !== undefined) throw failures[0];
}

/** Returns after which tank to go on: of one with more readings, before it. Undefined when there are no more. */
function judgeBatch(pool: Database, after: string, most: number): Promise<string | undefined> {
  return withTransaction(pool, async (client) => {
    const { rows } = await client.query<TakenRow>(TAKE, [after, most]);
    const taken = rows.filter(({ isTaken }) => isTaken);
    const judged = taken.map((row) => {
      const input = toJudgeInput(row);
      return { key: row.key, reached: row.goesOn ? input.readings[0] : undefined, ...judge(input) };
    });
    if (judged.length > 0) await recordJudgements(client, judged);
    const unfinished = taken.find(({ goesOn }) => goesOn);
    if (unfinished !== undefined) return String(BigInt(unfinished.key) - 1n);
    return rows.length === most ? rows.at(-1)?.key : undefined;
  });
}

async function judgeOneByOne(pool: Database, after: string, failures: Error[]): Promise<string | undefined> {
  const { rows } = await pool.query<{ before: string; tank_key: string }>(
    'select tank_key - 1 as before, tank_key from tanks_to_judge where tank_key > $1 order by tank_key limit $2',
    [after, TANKS_AT_ONCE],
  );
  for (const { before } of rows) {
    await judgeBatch(pool, before, 1).catch((error: unknown) => {
      if (!(error instanceof Error && isStatementFailure(error))) throw error;
      failures.push(error);
    });
  }
  return rows.length === TANKS_AT_ONCE ? rows.at(-1)?.tank_key : undefined;
}

export async function recordJudgements(
  client: ClientBase,
  judged: readonly (Judgement & { readonly key: string; readonly reached?: Reading | undefined })[],
): Promise<void> {
  const events = judged.flatMap(({ key, events: ofTank }) => ofTank.map((event) => ({ key, ...event })));
  const unfinished = judged.flatMap(({ key, reached }) =>
    reached === undefined ? [] : [{ key, ...reached }],
  );
  await client.query('select record_judged_tanks($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)', [
    judged.map(({ key }) => key),
    judged.map(({ low }) => low),
    judged.map(({ silenceReported }) => silenceReported),
    events.map(({ key }) => key),
    events.map(({ type }) => type),
    events.map(({ reading }) => new Date(reading.at)),
    events.map(({ reading }) => reading.fill),
    events.map(({ before }) => (before === undefined ? null : new Date(before.at))),
    events.map(({ before }) => before?.fill ?? null),
    events.map(({ silentAfterSeconds }) => silentAfterSeconds),
    unfinished.map(({ key }) => key),
    unfinished.map(({ at }) => new Date(at)),
    unfinished.map(({ fill }) => fill),
  ]);
}

function toJudgeInput(row: TakenRow): JudgeInput {
  const { knownAt, knownFill, writtenAt, reached, moments, fills } = row;
  return {
    ...row,
    known: knownAt === null || knownFill === null ? undefined : { at: knownAt.getTime(), fill: knownFill },
    writes: writtenAt.map((at, i) => ({ at: Date.parse(at), reached: parseMoment(reached[i]) })),
    readings: (moments ?? []).map((at, i): Reading => ({ at: Date.parse(at), fill: fills?.[i] ?? 0 })),
  };
}

function parseMoment(moment: string | null | undefined): number | undefined {
  return moment === null || moment === undefined ? undefined : Date.parse(moment);
}
