// Reads what is known of tanks, with the readings since, and writes what became of it.
import type { ClientBase } from 'pg';
import { DAY_MS } from '../common/datetime/datetime.js';
import type { RecordedForecast, Tally } from './model/record.js';
import { MOST_DAYS, Tank, type StoredTank } from './model/tank.js';

export const OLD_FORECAST_MS = 6 * 3_600_000;
/** In all, of a batch. */
const READINGS_AT_ONCE = 40_000;
const LEAST_READINGS = 2_000;
/** Forecasts of the record count for so long. */
const COUNTED_DAYS = 365;

interface TankRow {
  readonly tank_key: string;
  readonly owner_id: string;
  /** All readings before it, in milliseconds, are in what is known; null for a tank of which nothing is known yet. */
  readonly read_until: number | null;
  readonly settled_day: number;
  readonly state: StoredTank['state'] | null;
  readonly days: Buffer | null;
  readonly threshold: number;
  /** Its newest reading, or the end of those that are read: a reading may be ahead of our clock. */
  readonly seen_at: Date | null;
  readonly hash: number;
  /** Whether it never had a forecast. */
  readonly is_new: boolean;
  readonly is_due: boolean;
  readonly accuracy: Tally | null;
}

/** Its readings in days, and from when on there may be more, in milliseconds. */
export interface Readings {
  readonly moments: readonly number[];
  readonly fills: readonly number[];
  readonly next: number;
}

export type ReadTank = Omit<TankRow, 'state' | 'days' | 'read_until'> &
  Readings & { readonly tank: Tank; readonly readUntil: number; readonly hasMore: boolean };

/** $1: the round; $2: before it, forecasts are old. */
export const HAS_CHANGED = `known.round < $1 or state.forecast_made_at is distinct from known.made_at
  or state.min_fill_alert_percentage <> known.threshold`;
export const IS_OLD = 'known.made_at is null or known.made_at < $2';

/** With a round, only those that nobody else works on. */
export async function readTanks(
  client: ClientBase,
  keys: readonly string[],
  until: Date,
  round?: number,
): Promise<ReadTank[]> {
  const { rows } = await client.query<TankRow>(
    `select tank_key, owner_id, case when read_until > '-infinity' then date_part('epoch', read_until) * 1000 end as read_until,
            settled_day, curve.state, days, state.min_fill_alert_percentage as threshold, least(reported_at, $4) as seen_at, hashint8(tank_key) as hash,
            known.tank_key is null as is_new, ${HAS_CHANGED} or ${IS_OLD} or state.rose or known.awaits_reading as is_due, to_json(known.accuracy) as accuracy
     from tank_curves curve join tank_states state using (tank_key) left join tank_forecasts known using (tank_key)
     where tank_key = any ($3) and fleet_group is not null order by tank_key ${round === undefined ? '' : 'for update of curve skip locked'}`,
    [round ?? 0, new Date(until.getTime() - OLD_FORECAST_MS), keys, until],
  );
  const earliest = until.getTime() - MOST_DAYS * DAY_MS;
  const most = Math.max(LEAST_READINGS, Math.floor(READINGS_AT_ONCE / Math.max(1, rows.length)));
  const sinces = rows.map(({ read_until: since }) => new Date(since ?? earliest));
  const found = rows.map(({ tank_key: key }) => key);
  const readingsOf = await readReadings(client, found, sinces, until, most);
  return rows.map(({ state, days, read_until: readUntil, ...row }) => {
    const readings = readingsOf(row.tank_key);
    const stored = state === null || days === null ? undefined : { state, days };
    const tank = new Tank(Number(BigInt(row.tank_key) % 7n), stored); // weeks begin on different days, so that each night has as much to do
    return {
      ...row,
      ...readings,
      tank,
      readUntil: readUntil ?? -Infinity,
      hasMore: readings.moments.length === most,
    };
  });
}

/** Of each tank at most so many since an instant of its own. Arrays travel as JSON, which is read several times faster. */
export async function readReadings(
  client: ClientBase,
  keys: readonly string[],
  sinces: readonly (Date | string)[],
  until: Date,
  most: number,
): Promise<(key: string) => Readings> {
  const { rows } = await client.query<{ tank_key: string; moments: number[] | null; fills: number[] | null }>(
    'select tank_key, to_json(moments) as moments, to_json(fills) as fills from readings_between($1, $2, $3, $4)',
    [keys, sinces, until, most],
  );
  const byKey = new Map(rows.map((row) => [row.tank_key, row]));
  return (key) => {
    const moments = byKey.get(key)?.moments ?? [];
    return {
      moments: moments.map((moment) => moment / DAY_MS),
      fills: byKey.get(key)?.fills ?? [],
      next: (moments.at(-1) ?? 0) + 1,
    };
  };
}

export interface StoredRecord extends RecordedForecast {
  readonly tank_key: string;
}

/** Forecasts that count at a night. */
export async function readRecords(
  client: ClientBase,
  keys: readonly string[],
  night: number,
): Promise<StoredRecord[]> {
  if (keys.length === 0) return [];
  const { rows } = await client.query<StoredRecord>(
    `select tank_key, round(date_part('epoch', made_at) / 86400)::integer as night, anchor_day, ahead, uses, plain_use, used
     from forecast_records where tank_key = any ($1) and made_at >= $2`,
    [keys, new Date((night - COUNTED_DAYS) * DAY_MS)],
  );
  return rows;
}

/** JSON has no NaN, but an array's text has. What was set aside stays as it is: only what was used is added to it. */
export function writeRecords(client: ClientBase, records: readonly StoredRecord[]): Promise<void> {
  const rows = records.map(({ night, used, ...record }) => ({
    ...record,
    made_at: new Date(night * DAY_MS),
    used: `{${used.map((points) => points ?? 'null').join()}}`,
  }));
  const columns = 'anchor_day, ahead, uses, plain_use, used';
  return upsert(client, 'forecast_records', 'tank_key, made_at', columns, JSON.stringify(rows), 'used');
}

/** As columns of tank_forecasts, and the hours of the alert. */
export interface WrittenForecast {
  readonly tank_key: string;
  readonly [column: string]: unknown;
}

/** What lists are sorted by goes to the tank's state, the alert unless the tank is low by now. */
export async function writeForecasts(
  client: ClientBase,
  forecasts: readonly WrittenForecast[],
): Promise<void> {
  if (forecasts.length === 0) return;
  const keys = forecasts.map(({ tank_key: key }) => key);
  const rows = JSON.stringify(forecasts);
  const columns =
    'made_at, seen_at, threshold, level, percent_per_day, empty_hours, levels, round, accuracy, awaits_reading';
  await upsert(client, 'tank_forecasts', 'tank_key', columns, rows);
  await client.query(
    'select from tank_states where tank_key = any ($1) order by tank_key for no key update',
    [keys],
  );
  await client.query(
    `update tank_states state
     set forecast_made_at = written.made_at, empty_hours = written.empty_hours,
         alert_hours = case when state.low then null else written.alert_hours end
     from json_to_recordset($1::json) written (tank_key bigint, made_at timestamptz, alert_hours integer[], empty_hours integer[])
     where state.tank_key = written.tank_key and not state.deleted and state.tank_key = any ($2)`,
    [rows, keys],
  );
}

/** Adds rows, in JSON by the names of their columns, or updates those that are there. */
export async function upsert(
  client: ClientBase,
  table: string,
  key: string,
  columns: string,
  rows: string,
  updated = columns,
): Promise<void> {
  if (rows === '[]') return;
  const updates = updated.split(', ').map((column) => `${column} = excluded.${column}`);
  await client.query(
    `insert into ${table} (${key}, ${columns})
     select ${key}, ${columns} from json_populate_recordset(null::${table}, $1) order by ${key}
     on conflict (${key}) do update set ${updates.join()}`,
    [rows],
  );
}
