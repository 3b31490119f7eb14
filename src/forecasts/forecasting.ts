// The background work of forecasts: a step for the fleet each night, then each tank in batches of one transaction; between the nights, tanks
// with news. Any number of processes may do it: a batch leaves out what others hold. Killed anywhere, nothing is skipped or counted
// twice, since what is known of a tank says up to where it was read and what was counted.
import { setImmediate as others, setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Optional } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { Batch } from './batch.js';
import { LONG_WORK_POOL, withTransaction } from '../platform/database/pool.js';
import { beginRound, endRound, readFleet, type Database, type Fleet } from './fleet-step.js';
import { DAY_MS } from '../common/datetime/datetime.js';
import type { Outlook } from './model/fleet-index.js';
import { LONGEST_SILENCE } from './model/tank.js';
import { HAS_CHANGED, IS_OLD, OLD_FORECAST_MS, readTanks } from './tank-store.js';

/** After midnight, for readings that are on their way. */
const NIGHT_BEGINS_MS = 5 * 60_000;
/** Found at once. Tanks with news are looked for in between. */
const TANKS_FOUND = 1_000;
/** Worked on without a rest: few, since a whole history comes as one answer, which nobody else is served beside. */
const TANKS_AT_ONCE = 10;
/** After each piece of work it rests so many times as long, so that requests have the processor. */
const PAUSE = 2;
/** A timer is no more exact. */
const SHORTEST_REST_MS = 1;
/** Of a tank, so that the first forecasts of 10,000 tanks are made within ten minutes, whatever goes on beside. */
const LONGEST_REST_MS = 25;
/** A fill level that is so far above the forecast's may be a refill. */
const MAY_BE_REFILL = 3;

/** $1: the round; $2, $3: before them, forecasts and readings are old. Tanks with news come first. */
const FIND_TANKS = `
  select state.tank_key, known.tank_key is null as is_new
  from tank_states state left join tank_forecasts known on known.tank_key = state.tank_key
  where state.fleet_group is not null and state.reported_at is not null and (
    known.tank_key is null and state.reported_at >= $3
    or ${HAS_CHANGED}
    or (state.reported_at > known.seen_at or known.seen_at is null)
       and (${IS_OLD} or state.rose or state.fill_percentage > known.level + ${MAY_BE_REFILL})
    or known.awaits_reading and state.reported_at is distinct from known.seen_at)
  order by case when known.tank_key is null then 2 when known.round < $1 then 1 else 0 end, state.tank_key
  limit ${TANKS_FOUND}`;

@Injectable()
export class Forecasting {
  private fleet: Fleet | undefined;
  private outlooks = new Map<number, Outlook>();
  private mayGoOn = () => true;
  private owedRest = 0;
  private restedAt = 0;

  constructor(
    @Inject(LONG_WORK_POOL) private readonly database: Database,
    @Optional() private readonly clock: () => number = Date.now,
    @Optional() private readonly pause: number = PAUSE,
  ) {}

  /** Does all there is to do now. */
  async run(mayGoOn = () => true): Promise<void> {
    this.mayGoOn = mayGoOn;
    const night = Math.floor((this.clock() - NIGHT_BEGINS_MS) / DAY_MS);
    const begin = async (): Promise<boolean> => {
      const hasBegun = await beginRound(this.database, night, new Date(this.clock()));
      await this.rest(1);
      return hasBegun;
    };
    this.restedAt = performance.now();
    if ((await this.readFleet()).night < night) await begin();
    await this.makeAll();
    // The first tanks need not wait for the night to have a season.
    if (mayGoOn() && (await begin())) await this.makeAll();
    if (mayGoOn()) await endRound(this.database, new Date(this.clock()));
  }

  private async makeAll(): Promise<void> {
    const skipped = new Set<string>();
    while (this.mayGoOn()) {
      await this.database.query('select fold_alert_counts()');
      const { round } = await this.readFleet();
      const now = this.clock();
      const { rows } = await this.database.query<{ tank_key: string; is_new: boolean }>(FIND_TANKS, [
        round,
        new Date(now - OLD_FORECAST_MS),
        new Date(now - LONGEST_SILENCE * DAY_MS),
      ]);
      const found = rows.filter(({ tank_key: key }) => !skipped.has(key));
      if (found.length === 0) return;
      while (found.length > 0 && this.mayGoOn()) {
        const keys = found.splice(0, TANKS_AT_ONCE).map(({ tank_key: key }) => key);
        const fleet = await this.readFleet();
        const left = await withTransaction(this.database, (client) => this.makeBatch(client, fleet, keys));
        for (const key of left) skipped.add(key);
        await this.rest(keys.length);
      }
    }
  }

  /** After a batch, on no connection, unless it is to end. What takes longer beside requests than alone is followed by more rest. */
  private async rest(tanks: number): Promise<void> {
    this.owedRest += this.pause * (performance.now() - this.restedAt);
    const rest = Math.min(this.owedRest, LONGEST_REST_MS * tanks);
    if (rest >= SHORTEST_REST_MS && this.mayGoOn()) {
      await sleep(rest);
      this.owedRest -= rest;
    }
    this.restedAt = performance.now();
  }

  private async readFleet(): Promise<Fleet> {
    const { rows } = await this.database.query<{ round: string }>('select round from forecast_fleet');
    if (this.fleet?.round !== Number(rows[0]?.round)) {
      this.fleet = await readFleet(this.database);
      this.outlooks = new Map();
    }
    return this.fleet;
  }

  /** Returns the tanks that others hold. */
  private async makeBatch(client: ClientBase, fleet: Fleet, keys: readonly string[]): Promise<string[]> {
    await client.query(
      'insert into tank_curves (tank_key) select unnest($1::bigint[]) order by 1 on conflict do nothing',
      [keys],
    );
    const at = this.clock();
    const tanks = await readTanks(client, keys, new Date(at), fleet.round);
    const batch = new Batch(client, fleet, at, (night) => this.outlookAt(fleet, night));
    await batch.readRecords(tanks);
    for (const tank of tanks) {
      batch.take(tank);
      await others();
    }
    await batch.write();
    const held = new Set(tanks.map(({ tank_key: key }) => key));
    return keys.filter((key) => !held.has(key));
  }

  private outlookAt(fleet: Fleet, night: number): Outlook {
    let outlook = this.outlooks.get(night);
    if (outlook === undefined) this.outlooks.set(night, (outlook = fleet.index.asOf(night)));
    return outlook;
  }
}
