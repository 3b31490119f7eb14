// The SQL that merges staged readings into telemetry. On a cluster the readings are on other nodes, which are asked for as little as
// possible.

/** Those of the readings, and those that the file changed. */
export const TOUCHED_TANKS = `array(
  select key from changed_tanks union select tank_key from tanks_of_readings where tank_key is not null)`;

/** "is_fresh": no reading of the tank is stored between its first and its last one here, so none can be the same. */
export const FIND_TANKS: readonly string[] = [
  'set local citus.max_intermediate_result_size = -1', // a file may be large; one machine knows no such setting, and ignores it
  `create temp table tanks_of_readings on commit drop as
   with staged as materialized (
     select incoming.*, tanks.key as tank_key
     from (select tank_id, min(created_at) as first, max(created_at) as last, count(*) as lines
           from staged_readings group by tank_id) incoming
     left join tanks on tanks.id = incoming.tank_id
   ), met as materialized (
     select counted.tank_key
     from staged join telemetry_counts counted on counted.tank_key = staged.tank_key and counted.level = 0
     where exists (select from telemetry
                   where telemetry.tank_key = counted.tank_key
                     and telemetry.created_at between staged.first and staged.last)
   )
   select staged.tank_id, staged.tank_key, staged.lines, met.tank_key is null as is_fresh
   from staged left join met using (tank_key)`,
  'analyze tanks_of_readings',
  `select hold_tanks(${TOUCHED_TANKS})`, // on a cluster: others cannot write their readings from here on
];

/** In the order of the index, the last line of an instant first: the index grows at few places, and that line wins. */
export const FIND_LAST_LINES: readonly string[] = [
  `create temp table incoming_readings on commit drop as
   select distinct on (tanks.tank_key, staged.created_at)
          tanks.tank_key, staged.created_at, staged.fill_percentage, tanks.is_fresh
   from staged_readings staged join tanks_of_readings tanks using (tank_id)
   where tanks.tank_key is not null
   order by tanks.tank_key, staged.created_at, staged.line desc`,
  'analyze incoming_readings',
];

/** Finds those that are stored already; before each try to insert. */
export const FIND_STORED: readonly string[] = [
  'drop table if exists met_readings',
  `create temp table met_readings on commit drop as
   with late as materialized (select tank_key, created_at from incoming_readings where not is_fresh)
   select existing.tank_key, existing.created_at, existing.fill_percentage
   from late join telemetry existing on existing.tank_key = late.tank_key and existing.created_at = late.created_at`,
  'analyze met_readings',
];

const IS_MISSING = `not exists (
  select from met_readings met where met.tank_key = incoming.tank_key and met.created_at = incoming.created_at)`;

/** One statement for all, so that their counts, which other writers of the tanks wait for, are changed at its end. */
export const INSERT_MISSING = `
  insert into telemetry (tank_key, created_at, fill_percentage)
  select tank_key, created_at, fill_percentage from incoming_readings incoming
  where ${IS_MISSING}
  order by tank_key, created_at`;

/** Tanks may have been removed, and readings stored, since they were looked for. */
export const FIND_TANKS_AGAIN: readonly string[] = [
  `update tanks_of_readings set tank_key = null
   where tank_key is not null and not exists (select from tanks where tanks.key = tank_key)`,
  `delete from incoming_readings
   where tank_key not in (select tank_key from tanks_of_readings where tank_key is not null)`,
  'update incoming_readings set is_fresh = false where is_fresh',
];

/** Locked, they stay as they are compared. */
export const LOCK_CHANGED = `
  create temp table changed_readings on commit drop as
  with differing as materialized (
    select array_agg(tank_key order by tank_key, created_at) as keys,
           array_agg(created_at::timestamptz order by tank_key, created_at) as instants
    from incoming_readings incoming join met_readings met using (tank_key, created_at)
    where incoming.fill_percentage <> met.fill_percentage
  )
  select incoming.tank_key, incoming.created_at, incoming.fill_percentage
  from differing cross join lateral lock_readings(differing.keys, differing.instants) stored
  join incoming_readings incoming on incoming.tank_key = stored.tank_key and incoming.created_at = stored.instant
  where incoming.fill_percentage <> stored.level`;

export const UPDATE_CHANGED = `
  with changed as materialized (select * from changed_readings)
  update telemetry existing set fill_percentage = changed.fill_percentage
  from changed
  where existing.tank_key = changed.tank_key and existing.created_at = changed.created_at`;

/** On a cluster no trigger has noted them; `keep_tank_states` comes next. */
const noteReadings = (readings: string): string => `
  select note_changed_readings(coalesce(array_agg(tank_key), '{}'), coalesce(array_agg(instant), '{}'))
  from (select tank_key, unnest(array[min(created_at), max(created_at)])::timestamptz as instant
        from (${readings}) reading group by tank_key) changed`;

const INSERTED = `select tank_key, created_at from incoming_readings incoming where ${IS_MISSING}`;
export const NOTE_INSERTED = noteReadings(INSERTED);
export const NOTE_INSERTED_AND_CHANGED = noteReadings(
  `${INSERTED} union all select tank_key, created_at from changed_readings`,
);
