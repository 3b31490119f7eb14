// The background work of runs: measures deliveries whose readings or entries have changed, by what the feed of changes tells and entries
// note. Any number of processes may do it. A delivery is marked before it is measured: whatever ends that, a failure or the process, it is
// put off, and measured alone after all others.
import type { Pool } from 'pg';
import { isStatementFailure } from '../platform/database/failures.js';
import { withTransaction } from '../platform/database/pool.js';
import type { Logger } from '../platform/logging/logger.js';
import { NUMBERS, type Reading } from '../rules.js';
import { inUnit } from '../tanks/capacity.js';
import type { CapacityUnit } from '../tanks/tank.entity.js';
import { Measurement, READINGS_AROUND, spanOf, type Delivery } from './measured.js';

/** So few that nothing else waits for them. */
const READINGS_AT_ONCE = 2_000;
const DELIVERIES_AT_ONCE = 50;
/** A delivery that takes longer is measured after all others, and then as long as it takes. */
const MOST_MS = 2_000;

const IS_OPEN = `stop.status = 'delivered' and stop.entered_at > now() - interval '${NUMBERS.MEASURED_DAYS} days'`;

const FIND_POSITION = `
  select position, (select max(position) from change_feed) as newest from run_measuring for update skip locked`;

/** Marks the deliveries to tanks with new readings; to all tanks, if the feed does not reach back far enough. $1, $2: after which change, up to which. */
const NOTE_NEWS = `
  with news as (
    select distinct tank_key from change_feed where kind = 'r' and position > $1 and position <= $2
  ), lost as (
    select $1::bigint = 0 or (select min(position) from change_feed) > $1::bigint + 1
           or exists (select from change_feed where kind = 's' and position > $1) as everything
  ), noted as (
    select stop.run_id, stop.tank_id
    from run_stops stop join tanks tank on tank.id = stop.tank_id
    where ${IS_OPEN} and ((select everything from lost) or tank.key in (select tank_key from news))
    order by stop.tank_id, stop.run_id for update of stop
  )
  update run_stops stop set measure_since = clock_timestamp()
  from noted where stop.run_id = noted.run_id and stop.tank_id = noted.tank_id`;

/** Takes the next deliveries. Deliveries that were put off come last, one at a time. */
const CLAIM = `
  with next as materialized (
    select run_id, tank_id, measure_tries from run_stops stop
    where measure_since is not null and ${IS_OPEN} and coalesce(measure_at <= now(), true)
    order by measure_tries, measure_since, tank_id, run_id limit ${DELIVERIES_AT_ONCE} for update skip locked
  ), claimed as (
    update run_stops stop
    set measure_tries = stop.measure_tries + 1, measure_at = now() + least(2 ^ least(stop.measure_tries, 6), 60) * interval '1 minute'
    from (select *, row_number() over (order by measure_tries) as place from next) next
    where stop.run_id = next.run_id and stop.tank_id = next.tank_id and (next.measure_tries = 0 or next.place = 1)
    returning stop.*
  )
  select stop.run_id, stop.tank_id, stop.measure_tries, stop.measure_since::text, stop.entered_at::text,
         tank.key, tank.capacity, tank.capacity_unit
  from claimed stop join tanks tank on tank.id = stop.tank_id
  order by stop.tank_id, stop.run_id`;

const FIND_DELIVERIES = `
  select stop.run_id, stop.delivered, stop.delivered_at, run.capacity_unit
  from run_stops stop join runs run on run.id = stop.run_id
  where stop.tank_id = $1 and stop.status = 'delivered'`;

const IN_A_LIST = `select coalesce(json_agg(json_build_array(extract(epoch from created_at) * 1000, fill_percentage) order by created_at), '[]') as readings`;
const OF_TANK = 'select created_at, fill_percentage from telemetry where tank_key = $1 and created_at';
/** $2, $3: the time; before and after it, as many readings as a refill can have. */
const FIND_BEFORE = `${IN_A_LIST} from (${OF_TANK} < $2 order by created_at desc limit ${READINGS_AROUND}) reading`;
const FIND_SOME = `${IN_A_LIST} from (${OF_TANK} > $2 and created_at <= $3 order by created_at limit ${READINGS_AT_ONCE}) reading`;
const FIND_AFTER = `${IN_A_LIST} from (${OF_TANK} > $2 order by created_at limit ${READINGS_AROUND}) reading`;

/** Stores the results. A delivery that was entered again meanwhile, or has new readings, is measured again the next time. */
const WRITE = `
  with found as (
    select * from json_to_recordset($1)
      found (run_id text, tank_id text, measured json, measure_since timestamptz, entered_at timestamptz)
  ), locked as (
    select stop.run_id, stop.tank_id from run_stops stop join found using (run_id, tank_id)
    order by stop.tank_id, stop.run_id for update of stop
  )
  update run_stops stop
  set measured = found.measured, measure_tries = 0, measure_at = null,
      measure_since = case when stop.measure_since > found.measure_since then stop.measure_since end
  from found join locked using (run_id, tank_id)
  where stop.run_id = found.run_id and stop.tank_id = found.tank_id and stop.status = 'delivered' and stop.entered_at = found.entered_at`;

interface Claimed {
  readonly run_id: string;
  readonly tank_id: string;
  readonly measure_tries: number;
  readonly measure_since: string;
  readonly entered_at: string;
  readonly key: string;
  readonly capacity: number;
  readonly capacity_unit: CapacityUnit;
}

interface DeliveryRow {
  readonly run_id: string;
  readonly delivered: number;
  readonly delivered_at: Date;
  readonly capacity_unit: CapacityUnit;
}

interface Work {
  readonly logger: Pick<Logger, 'warn'>;
  readonly mayGoOn: () => boolean;
}

/** Does all there is to do now. */
export async function measureDeliveries(pool: Pick<Pool, 'query' | 'connect'>, work: Work): Promise<void> {
  await noteNews(pool);
  while (work.mayGoOn()) {
    const { rows } = await pool.query<Claimed>(CLAIM);
    if (rows.length === 0) return;
    const found: object[] = [];
    for (const claimed of rows) found.push(...(await tryToMeasure(pool, claimed, work)));
    if (found.length > 0) await pool.query(WRITE, [JSON.stringify(found)]);
  }
}

function noteNews(pool: Pick<Pool, 'connect'>): Promise<void> {
  return withTransaction(pool, async (client) => {
    const { rows } = await client.query<{ position: string; newest: string | null }>(FIND_POSITION);
    const [place] = rows;
    // Another process does it, or there is nothing new.
    if (place === undefined || place.newest === null || place.newest === place.position) return;
    await client.query(NOTE_NEWS, [place.position, place.newest]);
    await client.query('update run_measuring set position = $1', [place.newest]);
  });
}

/** Nothing, where it is put off. */
async function tryToMeasure(
  pool: Pick<Pool, 'query'>,
  { run_id, tank_id, measure_tries: tries, measure_since, entered_at, ...tank }: Claimed,
  { logger, mayGoOn }: Work,
): Promise<object[]> {
  const place = { run: run_id, tank: tank_id, tries };
  if (tries > 1) logger.warn(place, 'a delivery is measured again: the last time it did not end');
  const endsAt = tries > 1 ? Infinity : performance.now() + MOST_MS;
  try {
    const { rows } = await pool.query<DeliveryRow>(FIND_DELIVERIES, [tank_id]);
    const all = rows.map((row) => toDelivery(row, tank));
    const delivery = all.find((one) => one.run_id === run_id);
    if (delivery === undefined) return [];
    const measurement = new Measurement(delivery, all);
    for await (const readings of readingsAround(pool, tank.key, delivery)) {
      if (!mayGoOn() || performance.now() > endsAt) return [];
      for (const reading of readings) measurement.add(reading);
    }
    return [{ run_id, tank_id, measured: measurement.result(), measure_since, entered_at }];
  } catch (error) {
    if (!(error instanceof Error) || !isStatementFailure(error)) throw error;
    logger.warn({ err: error, ...place }, 'a delivery could not be measured, and is put off');
    return [];
  }
}

function toDelivery(
  { run_id, delivered, delivered_at: at, capacity_unit: unit }: DeliveryRow,
  tank: Pick<Claimed, 'capacity' | 'capacity_unit'>,
): Delivery {
  return { run_id, at: at.getTime(), delivered, capacity: inUnit(tank.capacity, tank.capacity_unit, unit) };
}

/** Sorted by time, a part at a time. */
async function* readingsAround(
  pool: Pick<Pool, 'query'>,
  key: string,
  delivery: Delivery,
): AsyncGenerator<Reading[]> {
  const [from, to] = spanOf(delivery);
  const find = async (statement: string, ...times: number[]): Promise<Reading[]> => {
    const values = [key, ...times.map((at) => new Date(at))];
    const { rows } = await pool.query<{ readings: [number, number][] }>(statement, values);
    return rows.flatMap(({ readings }) => readings.map(([at, fill]) => ({ at, fill })));
  };
  yield find(FIND_BEFORE, from);
  let last: number | undefined = from - 1; // a millisecond before the first
  while (last !== undefined) {
    const readings: Reading[] = await find(FIND_SOME, last, to);
    yield readings;
    last = readings.at(-1)?.at;
  }
  yield find(FIND_AFTER, to);
}
