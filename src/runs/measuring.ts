// The background work of runs: measures deliveries whose readings or entries have changed, by what the feed of changes tells and entries
// note. Any number of processes may do it: one at a time does.
import type { ClientBase, Pool } from 'pg';
import { withTransaction } from '../platform/database/pool.js';
import { NUMBERS, type Reading } from '../rules.js';
import { inUnit } from '../tanks/capacity.js';
import type { CapacityUnit } from '../tanks/tank.entity.js';
import { measure, READINGS_AROUND, spanOf, type Delivery } from './measured.js';

const IS_OPEN = `stop.status = 'delivered' and stop.entered_at > now() - interval '${NUMBERS.MEASURED_DAYS} days'`;

/** What is not in the feed any more is unknown: then all are measured. $1, $2: after which change, up to which. */
const FIND_TANKS = `
  with news as (
    select distinct tank_key from change_feed where kind = 'r' and position > $1 and position <= $2
  ), lost as (
    select $1::bigint = 0 or (select min(position) from change_feed) > $1::bigint + 1
           or exists (select from change_feed where kind = 's' and position > $1) as everything
  )
  select distinct tank.key, tank.id, tank.capacity, tank.capacity_unit
  from run_stops stop join tanks tank on tank.id = stop.tank_id
  where ${IS_OPEN}
    and (stop.measure_since is not null or (select everything from lost) or tank.key in (select tank_key from news))`;

const FIND_DELIVERIES = `
  select stop.run_id, stop.tank_id, stop.delivered, stop.delivered_at, run.capacity_unit, stop.measure_since::text, ${IS_OPEN} as is_open
  from run_stops stop join runs run on run.id = stop.run_id
  where stop.tank_id = $1 and stop.status = 'delivered'`;

/** $2, $3: the time; before and after it, as many readings as a refill can have. */
const FIND_READINGS = `
  (select created_at, fill_percentage from telemetry where tank_key = $1 and created_at < $2 order by created_at desc limit ${READINGS_AROUND})
  union all
  (select created_at, fill_percentage from telemetry where tank_key = $1 and created_at >= $2 and created_at <= $3)
  union all
  (select created_at, fill_percentage from telemetry where tank_key = $1 and created_at > $3 order by created_at limit ${READINGS_AROUND})
  order by created_at`;

const FIND_POSITION = `
  select position, (select max(position) from change_feed) as newest from run_measuring for update skip locked`;

/** What was entered again meanwhile is measured the next time. */
const WRITE = `
  with found as (
    select * from json_to_recordset($1) found (run_id text, tank_id text, measured json, measure_since timestamptz)
  ), locked as (
    select stop.run_id, stop.tank_id from run_stops stop join found using (run_id, tank_id)
    order by stop.tank_id, stop.run_id for update of stop
  )
  update run_stops stop set measured = found.measured, measure_since = null
  from found join locked using (run_id, tank_id)
  where stop.run_id = found.run_id and stop.tank_id = found.tank_id and stop.status = 'delivered'
    and stop.measure_since is not distinct from found.measure_since`;

interface TankRow {
  readonly key: string;
  readonly id: string;
  readonly capacity: number;
  readonly capacity_unit: CapacityUnit;
}

interface DeliveryRow {
  readonly run_id: string;
  readonly tank_id: string;
  readonly delivered: number;
  readonly delivered_at: Date;
  readonly capacity_unit: CapacityUnit;
  readonly measure_since: string | null;
  readonly is_open: boolean;
}

/** Does all there is to do now. */
export function measureDeliveries(pool: Pick<Pool, 'connect'>): Promise<void> {
  return withTransaction(pool, async (client) => {
    const { rows } = await client.query<{ position: string; newest: string }>(FIND_POSITION);
    const [place] = rows;
    if (place === undefined) return; // another process does it
    const { rows: tanks } = await client.query<TankRow>(FIND_TANKS, [place.position, place.newest]);
    const found: object[] = [];
    for (const tank of tanks) found.push(...(await measureTank(client, tank)));
    if (found.length > 0) await client.query(WRITE, [JSON.stringify(found)]);
    if (place.position !== place.newest)
      await client.query('update run_measuring set position = $1', [place.newest]);
  });
}

async function measureTank(client: ClientBase, { key, id, ...tank }: TankRow): Promise<object[]> {
  const { rows } = await client.query<DeliveryRow>(FIND_DELIVERIES, [id]);
  const all = rows.map((row): { row: DeliveryRow; delivery: Delivery } => ({
    row,
    delivery: {
      run_id: row.run_id,
      at: row.delivered_at.getTime(),
      delivered: row.delivered,
      capacity: inUnit(tank.capacity, tank.capacity_unit, row.capacity_unit),
    },
  }));
  const deliveries = all.map(({ delivery }) => delivery);
  const found: object[] = [];
  for (const { row, delivery } of all.filter((one) => one.row.is_open)) {
    const measured = measure(delivery, deliveries, await readingsAround(client, key, delivery));
    found.push({ run_id: row.run_id, tank_id: id, measured, measure_since: row.measure_since });
  }
  return found;
}

async function readingsAround(client: ClientBase, key: string, delivery: Delivery): Promise<Reading[]> {
  const [from, to] = spanOf(delivery).map((at) => new Date(at));
  const { rows } = await client.query<{ created_at: Date; fill_percentage: number }>(FIND_READINGS, [
    key,
    from,
    to,
  ]);
  return rows.map(({ created_at: at, fill_percentage: fill }) => ({ at: at.getTime(), fill }));
}
