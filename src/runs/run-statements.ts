// The statements behind runs. A run is read with sums over its stops, and alone with the stops themselves, whose tanks are as they are now.
import type { Statement } from '../platform/database/reads.js';

const RUN = `
  run.id, run.created_at, run.updated_at, run.date::text as date, run.name, run.capacity, run.capacity_unit, run.start_latitude,
  run.start_longitude, sums.*`;

const SUMS = `
  select coalesce(sum(stop.planned), 0) as planned, coalesce(sum(stop.delivered), 0) as delivered, count(*)::integer as stop_count,
         count(*) filter (where stop.status = 'open')::integer as open_count,
         count(*) filter (where (stop.measured ->> 'discrepancy')::boolean)::integer as discrepancies,
         json_agg(json_build_array(tank.latitude, tank.longitude) order by stop.place) as places
  from run_stops stop left join tanks tank on tank.id = stop.tank_id and not tank.deleted
  where stop.run_id = run.id`;

/** What a stop shows of its tank, as JSON. */
export const TANK_NOW = `
  json_build_object(
    'name', tank.name, 'custom_id', tank.custom_id, 'owner_name', owner.name, 'phone', owner.phone, 'city', tank.city,
    'country', tank.country, 'district', tank.district, 'latitude', tank.latitude, 'longitude', tank.longitude,
    'postal_code', tank.postal_code, 'region', tank.region, 'street', tank.street, 'street_number', tank.street_number,
    'capacity', tank.capacity, 'capacity_unit', tank.capacity_unit, 'fill_percentage', state.fill_percentage,
    'reported_at', state.reported_at)`;
export const STATE_AND_OWNER = `
  left join tank_states state on state.tank_key = tank.key
  left join customers owner on owner.id = tank.owner_id and not owner.deleted`;

const STOPS = `
  select json_agg(json_build_object(
           'tank_id', stop.tank_id, 'planned', stop.planned, 'status', stop.status, 'delivered', stop.delivered,
           'delivered_at', stop.delivered_at, 'note', stop.note, 'measured', stop.measured,
           'tank', case when tank.id is not null then ${TANK_NOW} end) order by stop.place) as stops
  from run_stops stop left join tanks tank on tank.id = stop.tank_id and not tank.deleted ${STATE_AND_OWNER}
  where stop.run_id = run.id`;

/** $1: its id. */
export const FIND_ONE: Statement = {
  name: 'run_by_id',
  text: `
    select ${RUN}, stops.stops
    from runs run cross join lateral (${SUMS}) sums cross join lateral (${STOPS}) stops
    where run.id = $1`,
};

const hasStop = (condition: string): string =>
  `exists (select from run_stops stop where stop.run_id = run.id and ${condition})`;
const STATUS = `
  case when not ${hasStop(`status = 'open'`)} then 'done' when ${hasStop(`status <> 'open'`)} then 'underway' else 'planned' end`;

/** $1, $2: the range of created_at; $3, $4: how many to pass over and to give; $5, $6: first and last day; $7: status; $8: a tank. */
export const LIST: Statement = {
  name: 'runs_page',
  text: `
    with found as materialized (
      select run.id, run.date, run.created_at from runs run
      where run.created_at >= $1 and run.created_at < $2
        and ($5::date is null or run.date >= $5) and ($6::date is null or run.date <= $6)
        and ($7::text is null or ${STATUS} = $7) and ($8::text is null or ${hasStop('tank_id = $8')})
    ), page as (
      select id from found order by date desc, created_at desc, id desc offset $3 limit $4
    )
    select counted.total, ${RUN}
    from (select count(*) as total from found) counted
    left join (page join runs run using (id)) on true
    left join lateral (${SUMS}) sums on true
    order by run.date desc, run.created_at desc, run.id desc`,
};

/** Of a run that is being changed: nobody else changes it until this has ended. */
export const LOCK = 'select from runs where id = $1 for update';

/** Of these tanks, those that are there. */
export const FIND_TANKS = 'select id from tanks where id = any ($1) and not deleted';

/** Open stops at these tanks in other runs of the day. $3: the run. */
export const FIND_PLANNED = `
  select tank_id, run_id from run_stops
  where date = $1 and tank_id = any ($2) and status = 'open' and run_id is distinct from $3`;

export const INSERT = `
  insert into runs (id, date, name, capacity, capacity_unit, start_latitude, start_longitude)
  values (coalesce($1, new_id()), $2, $3, $4, $5, $6, $7) returning id`;

export const update = (updatedAt: string): string => `
  update runs set date = $2, name = $3, capacity = $4, capacity_unit = $5, start_latitude = $6, start_longitude = $7,
    updated_at = ${updatedAt}
  where id = $1`;

export const REMOVE_STOPS = 'delete from run_stops where run_id = $1 and tank_id <> all ($2)';

/** $2: the stops, as JSON. In the order of their tanks, so that two lists in opposite orders wait for each other instead of both for ever. */
export const WRITE_STOPS = `
  insert into run_stops as stop (run_id, tank_id, place, date, planned, status, delivered, delivered_at, note)
  select $1, tank_id, place, date, planned, status, delivered, delivered_at, note
  from json_populate_recordset(null::run_stops, $2) order by tank_id
  on conflict (run_id, tank_id) do update
  set place = excluded.place, date = excluded.date, planned = excluded.planned, status = excluded.status,
      delivered = excluded.delivered, delivered_at = excluded.delivered_at, note = excluded.note`;

/**
 * What an entry at the stop at $2 in the run $1 changes, before anything else: two drivers at one tank, and what measures them, wait for
 * each other in one order.
 */
export const LOCK_DELIVERIES = `
  select from run_stops where tank_id = $2 and (run_id = $1 or status = 'delivered') order by run_id for update`;

/** The delivery at $2 in the run $1 was entered, changed or taken back: it, and others at that tank, are measured anew. */
export const NOTE_ENTRY = `
  update run_stops
  set entered_at = case when run_id <> $1 then entered_at when status = 'delivered' then clock_timestamp() end,
      measured = case when run_id <> $1 then measured end,
      measure_since = clock_timestamp()
  where tank_id = $2 and (run_id = $1 or status = 'delivered')`;
