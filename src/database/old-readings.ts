// Removes readings of months that are past their time, in short transactions; each leaves counts and states exact, so it may be
// stopped at any moment and begun anew. What is kept: the current month and as many before it as were asked for, in UTC.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { isCluster } from './cluster/is-cluster.js';
import { isDeadlock, waitedTooLong } from './failures.js';

export type Database = Pick<Pool, 'query'>;

export interface OldMonth {
  /** As in 2025-01. */
  readonly month: string;
  readonly readings: number;
  readonly tanks: number;
  /** Whether it goes as a whole, with its partition. */
  readonly isPartition: boolean;
}

export interface OldReadings {
  readonly months: OldMonth[];
  readonly readings: number;
  readonly tanks: number;
  /** How many of the tanks have no newer reading, so that none is left. */
  readonly emptied: number;
}

export interface Removal {
  /** How often something that others hold is tried, a second apart. */
  readonly tries?: number;
  readonly mayGoOn?: () => boolean;
  readonly onProgress?: (removed: number) => void;
}

/** Small enough that nobody waits for a batch. */
const READINGS_AT_ONCE = 5_000;
const BETWEEN_TRIES_MS = 1_000;

/** The first day of the oldest month that is kept. */
export async function firstMonthKept(database: Database, months: number): Promise<string> {
  const { rows } = await database.query<{ month: string }>(
    `select (date_trunc('month', now() at time zone 'UTC') - $1 * interval '1 month')::date::text as month`,
    [months],
  );
  return rows[0]?.month ?? '';
}

/** Told from the counts; no reading is looked at. */
export async function findOldReadings(database: Database, keepFrom: string): Promise<OldReadings> {
  const { from, isPartition } = (await isCluster(database)) ? ON_A_CLUSTER : BY_TANK;
  const { rows: months } = await database.query<OldMonth>(
    `select to_char(counted.start, 'YYYY-MM') as month, sum(counted.n)::float8 as readings, count(*)::float8 as tanks,
            ${isPartition} as "isPartition"
     ${from} group by counted.start order by counted.start`,
    [keepFrom],
  );
  const { rows } = await database.query<Omit<OldReadings, 'months'>>(
    `select coalesce(sum(old), 0)::float8 as readings, count(*)::float8 as tanks,
            (count(*) filter (where old >= whole.n))::float8 as emptied
     from (select counted.tank_key, sum(counted.n) as old ${from} group by counted.tank_key) tank
     join telemetry_counts whole on whole.tank_key = tank.tank_key and whole.level = 0`,
    [keepFrom],
  );
  return { readings: 0, tanks: 0, emptied: 0, ...rows[0], months };
}

/** By tank, so that the index finds them; the limit keeps the planner from reading all counts there are instead. */
const BY_TANK = {
  from: `
    from tanks cross join lateral (
      select tank_key, start, n from telemetry_counts
      where tank_key = tanks.key and level = 1 and start < $1 limit 1000000) counted`,
  isPartition: 'counted.start in (select telemetry_months())',
};

/** Each worker looks through its own counts. */
const ON_A_CLUSTER = {
  from: 'from telemetry_counts counted where counted.level = 1 and counted.start < $1',
  isPartition: 'false',
};

/** Any number of processes may be at it: one works at a time. Returns how many readings it has removed itself. */
export async function removeOldReadings(
  database: Database,
  keepFrom: string,
  { tries = 1, mayGoOn = () => true, onProgress = () => undefined }: Removal = {},
): Promise<number> {
  let removed = 0;
  const { rows: months } = await database.query<{ month: string }>(
    'select month::text as month from telemetry_months() month where month < $1',
    [keepFrom],
  );
  for (const { month } of months) {
    if (!mayGoOn()) return removed;
    removed += await inSeveralTries(tries, () => dropMonth(database, month));
    onProgress(removed);
  }
  for (let next: string | null = '0'; next !== null && mayGoOn();) {
    const afterTank: string = next;
    const { forgotten, reached } = await inSeveralTries(tries, () =>
      forgetBatch(database, keepFrom, afterTank),
    );
    next = reached;
    removed += forgotten;
    onProgress(removed);
  }
  return removed;
}

interface Batch {
  forgotten: number;
  /** A tank's internal key, as text; null after the last. */
  reached: string | null;
}

async function forgetBatch(database: Database, keepFrom: string, afterTank: string): Promise<Batch> {
  const { rows } = await database.query<Batch>(
    'select forgotten, reached::text as reached from forget_readings($1, $2, $3)',
    [keepFrom, afterTank, READINGS_AT_ONCE],
  );
  return rows[0] ?? { forgotten: 0, reached: null };
}

async function dropMonth(database: Database, month: string): Promise<number> {
  const { rows } = await database.query<{ n: number | null }>(
    'select drop_telemetry_month($1)::float8 as n',
    [month],
  );
  return rows[0]?.n ?? 0;
}

/** What failed because others held something has changed nothing. */
export async function inSeveralTries<T>(tries: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (tries <= 1 || !(waitedTooLong(error) || isDeadlock(error))) throw error;
    await sleep(BETWEEN_TRIES_MS);
    return inSeveralTries(tries - 1, work);
  }
}
