// The first step of a night, and once more on the day of the first tanks: learns the season from a sample of tanks, adds up the errors
// that were learned since, and begins a new round, in which every tank gets a forecast. One transaction, so that it happens once.
import { setImmediate as others } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';
import { withTransaction } from '../platform/database/pool.js';
import { DAY_MS } from '../common/datetime/datetime.js';
import { FleetIndex, type FleetState } from './model/fleet-index.js';
import { Spread } from './model/spread.js';
import { SEASON_TANKS } from './model/tank.js';
import { readTanks } from './tank-store.js';

export type Database = Pick<Pool, 'connect' | 'query'>;

/** As many as a new index needs to settle. */
const FIRST_STEPS = 8;
/** Records are kept longer than they count, until their last day has come. */
const KEEP_RECORDS_DAYS = 400;
/** Of so many tanks forecasts are set aside. */
const RECORDED_TANKS = 10_000;

/** What forecasts need of the fleet. */
export interface Fleet {
  readonly night: number;
  readonly round: number;
  readonly index: FleetIndex;
  /** How many tanks were in the sample it was learned from. */
  readonly tanks: number;
  readonly spread: Spread;
  /** Tanks are in the record whose hash is not above it. */
  readonly recorded: number;
}

interface FleetRow {
  readonly night: number;
  readonly round: string;
  readonly tanks: number;
  readonly feed_position: string;
  readonly state: { fleet: FleetState; misses: { sum: number; n: number }[]; recorded: number } | null;
  readonly errors: Buffer | null;
}

const READ_FLEET = 'select night, round, tanks, feed_position, state, errors from forecast_fleet';
const HIGHEST_HASH = 2_147_483_647;

export async function readFleet(database: Pick<Pool, 'query'>): Promise<Fleet> {
  const { rows } = await database.query<FleetRow>(READ_FLEET);
  if (rows[0] === undefined) throw new Error('The row of forecast_fleet is missing.');
  return toFleet(rows[0]);
}

function toFleet({ night, round, tanks, state, errors }: FleetRow): Fleet {
  const bins = errors === null ? undefined : new Float32Array(new Uint8Array(errors).buffer);
  return {
    night,
    tanks,
    round: Number(round),
    index: new FleetIndex(state?.fleet),
    spread: new Spread(bins, state?.misses),
    recorded: state?.recorded ?? HIGHEST_HASH,
  };
}

/** Whether the round was begun: not if the night has had its step, unless there were no tanks yet, or if another process does it. */
export function beginRound(database: Database, night: number, at: Date): Promise<boolean> {
  return withTransaction(database, async (client) => {
    const { rows } = await client.query<FleetRow>(`${READ_FLEET} for update skip locked`);
    const [row] = rows;
    if (row === undefined) return false;
    const fleet = toFleet(row);
    const isNewNight = night > fleet.night;
    if (isNewNight) await startTidily(client, row.feed_position, at);
    const keys = await sample(client, night);
    if (!isNewNight && (fleet.tanks > 0 || keys.length === 0)) return false;
    await learnFrom(client, fleet, keys, night);
    const { index, spread } = fleet;
    const state = { fleet: index.state, misses: spread.misses, recorded: await highestRecorded(client) };
    await client.query(
      `update forecast_fleet set night = $1, round = round + 1, tanks = $2, state = $3, errors = $4, started_at = $5, finished_at = null,
         feed_position = case when $6 then (select coalesce(max(position), 0) from change_feed) else feed_position end`,
      [night, keys.length, JSON.stringify(state), Buffer.from(spread.bins.buffer), at, isNewNight],
    );
    return true;
  });
}

async function learnFrom(
  client: ClientBase,
  fleet: Fleet,
  keys: readonly string[],
  night: number,
): Promise<void> {
  const tanks = await readTanks(client, keys, new Date(night * DAY_MS));
  for (const { tank, moments, fills } of tanks) tank.advance(moments, fills, night);
  const steps = fleet.index.isEmpty || tanks.length >= 2 * fleet.tanks ? FIRST_STEPS : 1;
  for (let step = 0; step < steps && tanks.length > 0; step += 1) {
    fleet.index.learn(tanks, night);
    await others();
  }
  const { rows } = await client.query<{ bins: number[]; sizes: number[] }>(
    'delete from forecast_errors returning bins, to_json(sizes) as sizes',
  );
  for (const { bins, sizes } of rows)
    bins.forEach((bin, i) => fleet.spread.add({ bin, size: sizes[i] ?? 0 }));
}

/** What is known of tanks whose readings have changed in the past is made anew; what belongs to deleted tanks goes. */
async function startTidily(client: ClientBase, position: string, at: Date): Promise<void> {
  await client.query(
    `with late as (
       select tank_key, min(since) as since from change_feed where kind = 'r' and position > $1 group by tank_key
     ), lost as (
       select exists (select from change_feed where kind = 's' and position > $1)
              or (select min(position) from change_feed) > $1::bigint as everything
     )
     update tank_curves known set read_until = '-infinity', state = null, days = null
     where read_until > '-infinity' and $1::bigint > 0
       and ((select everything from lost)
            or exists (select from late where late.tank_key = known.tank_key and late.since < known.read_until))`,
    [position],
  );
  for (const table of ['tank_curves', 'tank_forecasts']) {
    await client.query(
      `delete from ${table} where not exists (
         select from tank_states state where state.tank_key = ${table}.tank_key and state.fleet_group is not null)`,
    );
  }
  await client.query('delete from forecast_records where made_at < $1', [
    new Date(at.getTime() - KEEP_RECORDS_DAYS * DAY_MS),
  ]);
}

/** A fixed sample, of each customer as many as there is room for, as far as it is known by this night. */
async function sample(client: ClientBase, night: number): Promise<string[]> {
  const { rows } = await client.query<{ tank_key: string }>(
    `select known.tank_key from tank_curves known join tank_states state using (tank_key)
     where state.fleet_group is not null and known.read_until > $1
     order by row_number() over (partition by owner_id order by hashint8(tank_key), tank_key), hashint8(tank_key), tank_key limit $2`,
    [new Date((night - 30) * DAY_MS), SEASON_TANKS],
  );
  return rows.map(({ tank_key: key }) => key);
}

async function highestRecorded(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ hash: number }>(
    `select hashint8(tank_key) as hash from tank_states where fleet_group is not null order by 1 offset $1 limit 1`,
    [RECORDED_TANKS - 1],
  );
  return rows[0]?.hash ?? HIGHEST_HASH;
}

/** Notes how long a night took, once every tank has its forecast. */
export async function endRound(database: Pick<Pool, 'query'>, at: Date): Promise<void> {
  await database.query(
    `update forecast_fleet set finished_at = $1, seconds = date_part('epoch', $1::timestamptz - started_at)
     where finished_at is null and started_at is not null
       and not exists (select from tank_forecasts where tank_forecasts.round < forecast_fleet.round)`,
    [at],
  );
}
