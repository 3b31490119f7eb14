// The SQL that merges staged readings into telemetry: on one machine, and on a cluster, where the readings are on other nodes and
// cannot be joined with the staged lines directly.

export interface ReadingStatements {
  /** Makes "tanks_of_readings": the tanks that lines name, with their keys where they are known. */
  readonly findTanks: readonly string[];
  /** Before the insert, and before it is tried again. */
  readonly beforeInsert: readonly string[];
  /** Tanks that were removed since they were found are unknown. */
  readonly leaveOutRemoved: readonly string[];
  /** One statement for all, so that their counts, which other writers of the tanks wait for, are changed at its end. */
  readonly insertMissing: string;
  /** Makes "changed_readings". Locked, they stay as they were compared. */
  readonly lockChanged: string;
  readonly updateChanged: string;
}

/** In the order of the index, the last line of an instant first: the index grows at few places, and that line wins. */
export const lastLines = (condition = '', more = ''): string => `
  select distinct on (tanks.tank_key, staged.created_at)
         tanks.tank_key, staged.created_at, staged.fill_percentage ${more}
  from staged_readings staged join tanks_of_readings tanks using (tank_id)
  where tanks.tank_key is not null ${condition}
  order by tanks.tank_key, staged.created_at, staged.line desc`;

const STAGED_TANKS = `
  select tank_id, min(created_at) as first, max(created_at) as last, count(*) as lines
  from staged_readings group by tank_id`;

const FORGET_REMOVED_TANKS = `
  update tanks_of_readings set tank_key = null
  where tank_key is not null and not exists (select from tanks where tanks.key = tank_key)`;

/** "is_fresh": no reading of the tank is stored between its first and its last one here, so none can be the same. */
export const ON_ONE_MACHINE: ReadingStatements = {
  findTanks: [
    `create temp table tanks_of_readings on commit drop as
     select staged.tank_id, tanks.key as tank_key, staged.lines,
            not exists (select from telemetry
                        where telemetry.tank_key = tanks.key
                          and telemetry.created_at between staged.first and staged.last) as is_fresh
     from (${STAGED_TANKS}) staged
     left join tanks on tanks.id = staged.tank_id`,
  ],
  beforeInsert: [],
  leaveOutRemoved: [FORGET_REMOVED_TANKS],
  insertMissing: `
    insert into telemetry (tank_key, created_at, fill_percentage)
    ${lastLines(`and (tanks.is_fresh or not exists (
      select from telemetry existing
      where existing.tank_key = tanks.tank_key and existing.created_at = staged.created_at))`)}`,
  lockChanged: `
    create temp table changed_readings on commit drop as
    select existing.tank_key, existing.created_at, incoming.fill_percentage
    from (${lastLines()}) incoming
    join telemetry existing on existing.tank_key = incoming.tank_key and existing.created_at = incoming.created_at
    where existing.fill_percentage <> incoming.fill_percentage
    order by existing.tank_key, existing.created_at
    for no key update of existing`,
  updateChanged: `
    update telemetry existing set fill_percentage = changed.fill_percentage
    from changed_readings changed
    where existing.tank_key = changed.tank_key and existing.created_at = changed.created_at`,
};

/**
 * What is asked of the workers are the few columns that tell which of their readings matter, and the answer is kept here. All
 * tanks of the file are held to its end, those whose states change too: nobody who holds tanks writes their readings meanwhile.
 */
export const ON_A_CLUSTER: ReadingStatements = {
  findTanks: [
    'set local citus.max_intermediate_result_size = -1', // a file may be large
    `create temp table tanks_of_readings on commit drop as
     with staged as materialized (
       select incoming.*, tanks.key as tank_key from (${STAGED_TANKS}) incoming left join tanks on tanks.id = incoming.tank_id
     ), met as materialized (
       select counted.tank_key
       from staged join telemetry_counts counted on counted.tank_key = staged.tank_key and counted.level = 0
       where exists (select from telemetry
                     where telemetry.tank_key = counted.tank_key
                       and telemetry.created_at between staged.first and staged.last)
     )
     select staged.tank_id, staged.tank_key, staged.lines, met.tank_key is null as is_fresh
     from staged left join met using (tank_key)`,
    `select hold_tanks(array(
       select key from changed_tanks union select tank_key from tanks_of_readings where tank_key is not null))`,
    `create temp table incoming_readings on commit drop as ${lastLines('', ', tanks.is_fresh')}`,
    'analyze incoming_readings',
  ],
  beforeInsert: [
    'drop table if exists met_readings',
    `create temp table met_readings on commit drop as
     with late as materialized (select tank_key, created_at from incoming_readings where not is_fresh)
     select existing.tank_key, existing.created_at, existing.fill_percentage
     from late join telemetry existing on existing.tank_key = late.tank_key and existing.created_at = late.created_at`,
    'analyze met_readings',
  ],
  leaveOutRemoved: [
    FORGET_REMOVED_TANKS,
    `delete from incoming_readings
     where tank_key not in (select tank_key from tanks_of_readings where tank_key is not null)`,
  ],
  insertMissing: `
    insert into telemetry (tank_key, created_at, fill_percentage)
    select tank_key, created_at, fill_percentage from incoming_readings incoming
    where not exists (select from met_readings met
                      where met.tank_key = incoming.tank_key and met.created_at = incoming.created_at)
    order by tank_key, created_at`,
  lockChanged: `
    create temp table changed_readings on commit drop as
    select tank_key, created_at, incoming.fill_percentage
    from incoming_readings incoming join met_readings met using (tank_key, created_at)
    where incoming.fill_percentage <> met.fill_percentage`,
  updateChanged: `
    with changed as materialized (select * from changed_readings)
    update telemetry existing set fill_percentage = changed.fill_percentage
    from changed
    where existing.tank_key = changed.tank_key and existing.created_at = changed.created_at`,
};
