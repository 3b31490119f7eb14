// Removes the readings of old months, in short transactions; each leaves counts and states exact, so it may be stopped at any moment.
// What is kept: the current month and as many before it as were asked for, in UTC.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { isDeadlock, waitedTooLong } from '../../platform/database/failures.js';

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

/** Small enough that nobody waits for a batch. */
const READINGS_AT_ONCE = 5_000;

/** The first day of the oldest month that is kept. */
export async function firstMonthKept(database: Database, months: number): Promise<string> {
  const { rows } = await database.query<{ month: string }>(
    `select (date_trunc('month', now() at time zone 'UTC') - $1 * interval '1 month')::date::text as month`,
    [months],
  );
  return rows[0]?.month ?? '';
}

/** From the counts; no reading is read. */
export async function findOldReadings(database: Database, keepFrom: string): Promise<OldReadings> {
  const { rows: partitions } = await database.query<{ month: string }>(
    `select to_char(month, 'YYYY-MM') as month from telemetry_months() month`,
  );
  const { rows: months } = await database.query<Omit<OldMonth, 'isPartition'>>(
    `select to_char(start, 'YYYY-MM') as month, sum(n)::float8 as readings, count(*)::float8 as tanks
     from telemetry_counts where level = 1 and start < $1 group by start order by start`,
    [keepFrom],
  );
  const { rows } = await database.query<Omit<OldReadings, 'months'>>(
    `select coalesce(sum(old), 0)::float8 as readings, count(*)::float8 as tanks,
            (count(*) filter (where old >= whole.n))::float8 as emptied
     from (select tank_key, sum(n) as old from telemetry_counts where level = 1 and start < $1 group by tank_key) tank
     join telemetry_counts whole on whole.tank_key = tank.tank_key and whole.level = 0`,
    [keepFrom],
  );
  const whole = new Set(partitions.map(({ month }) => month));
  return {
    ...(rows[0] ?? { readings: 0, tanks: 0, emptied: 0 }),
    months: months.map((old) => ({ ...old, isPartition: whole.has(old.month) })),
  };
}

interface Removal {
  /** How often something that others hold is tried, a second apart. */
  readonly tries?: number;
  readonly mayGoOn?: () => boolean;
  readonly onProgress?: (removed: number) => void;
}

/** Any number of processes may do this: one works at a time. Returns how many readings it has removed itself. */
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
    const { rows } = await inSeveralTries(tries, () =>
      database.query<{ n: number | null }>('select drop_telemetry_month($1)::float8 as n', [month]),
    );
    removed += rows[0]?.n ?? 0;
    onProgress(removed);
  }
  for (let afterTank: string | null = '0'; afterTank !== null && mayGoOn();) {
    const values: unknown[] = [keepFrom, afterTank, READINGS_AT_ONCE];
    const { rows } = await inSeveralTries(tries, () => database.query<Batch>(REMOVE_BATCH, values));
    afterTank = rows[0]?.reached ?? null;
    removed += rows[0]?.forgotten ?? 0;
    onProgress(removed);
  }
  return removed;
}

const REMOVE_BATCH = 'select forgotten, reached::text as reached from forget_readings($1, $2, $3)';
/** `reached` is the key of a tank; null after the last. */
type Batch = { forgotten: number; reached: string | null };

/** A call that failed because others held a lock has changed nothing, so it may be repeated. */
export async function inSeveralTries<T>(tries: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (tries <= 1 || !(waitedTooLong(error) || isDeadlock(error))) throw error;
    await sleep(1_000);
    return inSeveralTries(tries - 1, work);
  }
}
