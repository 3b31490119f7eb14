// Replays the stored readings night by night, as if forecasts had been made all along: each sees only what was there before it. It only reads.
import type { ClientBase } from 'pg';
import { DAY_MS } from '../common/datetime/datetime.js';
import { FleetIndex, type SeasonTank } from './model/fleet-index.js';
import type { Forecast } from './model/forecast.js';
import { Spread } from './model/spread.js';
import { SEASON_TANKS, Tank } from './model/tank.js';
import { readReadings } from './tank-store.js';

/** More tanks would not change the table; those that are asked for are always among them. */
const MOST_TANKS = 10_000;
const TANKS_AT_ONCE = 20;
const READINGS_AT_ONCE = 10_000;

export interface BacktestTank {
  readonly key: string;
  readonly id: string;
  readonly owner_id: string;
  readonly threshold: number;
  readonly tank: Tank;
}

export interface BacktestOptions {
  /** All unless named. */
  readonly tanks?: readonly string[];
  readonly every: number;
  readonly onProgress: (what: string) => void;
}

/** Live tanks with their histories. */
export async function readHistories(
  client: ClientBase,
  { tanks: asked = [], every, onProgress }: BacktestOptions,
): Promise<BacktestTank[]> {
  const { rows } = await client.query<Omit<BacktestTank, 'tank'>>(
    `select key, id, owner_id, min_fill_alert_percentage as threshold from tanks where not deleted
     order by (id = any ($1)) desc, row_number() over (partition by owner_id order by hashint8(key), key), hashint8(key), key
     limit $2`,
    [asked, MOST_TANKS],
  );
  const unknown = asked.filter((one) => !rows.some(({ id }) => id === one));
  if (unknown.length > 0) throw new Error(`There is no tank ${unknown.join(', ')}.`);
  const isAsked = (id: string): boolean => asked.length === 0 || asked.includes(id);
  const histories = rows.map((row) => ({
    ...row,
    tank: new Tank(undefined, undefined, isAsked(row.id) ? every : NaN),
  }));
  for (let from = 0; from < histories.length; from += TANKS_AT_ONCE) {
    const to = Math.min(from + TANKS_AT_ONCE, histories.length);
    await readAll(client, histories.slice(from, to));
    onProgress(`readings of ${to} of ${histories.length} tanks read`);
  }
  return histories.filter(({ tank }) => tank.curve.state.last !== null);
}

async function readAll(client: ClientBase, tanks: readonly BacktestTank[]): Promise<void> {
  let left = tanks.map(({ key, tank }) => ({ key, tank, since: '-infinity' }));
  while (left.length > 0) {
    const keys = left.map(({ key }) => key);
    const sinces = left.map(({ since }) => since);
    const readings = await readReadings(client, keys, sinces, new Date(), READINGS_AT_ONCE);
    left = left.flatMap(({ key, tank }) => {
      const { moments, fills, next } = readings(key);
      tank.advance(moments, fills, next / DAY_MS);
      return moments.length < READINGS_AT_ONCE ? [] : [{ key, tank, since: new Date(next).toISOString() }];
    });
  }
}

export interface ReplayedNight<One> {
  readonly night: number;
  /** The last one. */
  readonly until: number;
  readonly made: { readonly one: One; readonly forecast: Forecast }[];
}

/** Night by night, what is asked for; until the midnight after the newest reading, or until now, in milliseconds. */
export function* backtest<One extends SeasonTank & { readonly tank: Tank }>(
  tanks: readonly One[],
  now: number,
): Generator<ReplayedNight<One>> {
  const newest = Math.max(...tanks.map(({ tank }) => tank.curve.state.last?.t ?? 0));
  const until = Math.min(Math.floor(newest) + 1, Math.floor(now / DAY_MS));
  const first = Math.min(...tanks.map(({ tank }) => tank.curve.firstDay));
  const fleet = new FleetIndex();
  const spread = new Spread();
  for (const { tank } of tanks) tank.advance([], [], until);
  for (let night = first + 1; night <= until; night += 1) {
    const live = tanks.filter(({ tank }) => tank.curve.firstDay < night);
    fleet.learn(live.slice(0, SEASON_TANKS), night);
    const outlook = fleet.asOf(night);
    for (const { tank } of live) tank.settle(night, spread, (error) => spread.add(error));
    const made = live.flatMap((one) => {
      const forecast = one.tank.nextPast(night, () => outlook, spread);
      return forecast !== undefined && one.tank.isAsked(night) ? [{ one, forecast }] : [];
    });
    yield { night, until, made };
  }
}
