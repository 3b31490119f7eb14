// The functions that a cluster has in another form, and those that only a cluster has. Readings and their counts are on the
// workers, by tank; everything else is on the coordinator, where these functions are called.
//
// What asks for readings is planned with its values (plan_cache_mode = auto): a generic plan does not know the tank's node.
import { keepTankStates } from '../migrations/1767225600004-tank-states.js';
import { writeReadings } from '../migrations/1767225600005-write-readings.js';
import { FIND_PAUSE, SERIES_OF_TANK } from '../migrations/1767225600006-series.js';
import { FRESH, FROM_THE_INDEX, judgeStates } from '../migrations/1767225600007-judge-states.js';
import { PAGE_OF_TANK } from '../migrations/1767225600009-bounded-reads.js';
import {
  EVENTS_OFF,
  EVENTS_ON,
  refuseCurrentMonth,
  TAKE_TURNS,
} from '../migrations/1767225600009-old-readings.js';
import { FALLS, FALLS_COLUMNS } from '../migrations/1767225600010-falls.js';

const PLANNED_WITH_VALUES = 'set plan_cache_mode = auto';

/**
 * Whoever writes readings of several tanks takes this first: rows on several nodes cannot be locked in one order, so writers of
 * the same tanks queue here. A lock of this kind is kept until every node has committed (that of a row is not): who gets it
 * next sees the readings of the one before. A tank has one of 64, so that they do not run out.
 */
const HOLD_TANKS = `
  create or replace function hold_tanks(tank_keys bigint[]) returns void language plpgsql as $$
  begin
    -- The table before the tanks, as TRUNCATE and "counts rebuild" take it. LOCK would ask every node; this asks none.
    delete from telemetry where false;
    perform pg_advisory_xact_lock(hashtext('tank_monitoring.tanks'), number)
    from (select distinct (key % 64)::integer as number from unnest(tank_keys) key order by 1) lock;
  end $$`;

/** One question to all nodes for so many tanks; every node is sent the keys of all of them. */
const KEYS_AT_ONCE = 10_000;

/** A tank with readings has a count of all of them, which leads each node to its tanks. Nodes without one of the keys are not asked. */
const NEWEST_READINGS = `
  create or replace function newest_readings(tank_keys bigint[], most integer)
  returns table (tank_key bigint, moments timestamptz[], fills double precision[])
  language plpgsql stable ${PLANNED_WITH_VALUES} as $$
  declare
    keys bigint[];
  begin
    for place in 1 .. cardinality(tank_keys) by ${KEYS_AT_ONCE} loop
      keys := tank_keys[place : place + ${KEYS_AT_ONCE - 1}];
      return query
        select counted.tank_key, newest.moments, newest.fills
        from telemetry_counts counted
        cross join lateral (
          select array_agg(reading.created_at order by reading.created_at desc) as moments,
                 array_agg(reading.fill_percentage order by reading.created_at desc) as fills
          from (select telemetry.created_at, telemetry.fill_percentage from telemetry
                where telemetry.tank_key = counted.tank_key and telemetry.tank_key = any (keys)
                order by telemetry.created_at desc limit most) reading
        ) newest
        where counted.tank_key = any (keys) and counted.level = 0;
    end loop;
  end $$`;

const READINGS_SINCE = `
  create or replace function readings_since(tank_keys bigint[], instants timestamptz[])
  returns table (tank_key bigint, created_at timestamptz, fill_percentage double precision)
  language plpgsql stable ${PLANNED_WITH_VALUES} as $$
  declare
    keys bigint[];
    sinces timestamptz[];
  begin
    for place in 1 .. cardinality(tank_keys) by ${KEYS_AT_ONCE} loop
      keys := tank_keys[place : place + ${KEYS_AT_ONCE - 1}];
      sinces := instants[place : place + ${KEYS_AT_ONCE - 1}];
      return query
        select telemetry.tank_key, telemetry.created_at, telemetry.fill_percentage
        from unnest(keys, sinces) wanted (tank_key, since)
        join telemetry on telemetry.tank_key = wanted.tank_key and telemetry.created_at >= wanted.since
        where telemetry.tank_key = any (keys);
    end loop;
  end $$`;

/** Of one tank: for "counts verify", which looks at every tank. */
const STATE_OF_READINGS = `
  create or replace function state_of_readings(tank bigint, min_fill_alert_percentage integer)
  returns table (reported_at timestamptz, fill_percentage double precision, low boolean, silent_after_seconds integer,
                 silent_at timestamptz)
  language plpgsql stable rows 1 ${PLANNED_WITH_VALUES} as $$
  declare
    moments timestamptz[];
    fills double precision[];
  begin
    select array_agg(reading.created_at order by reading.created_at desc),
           array_agg(reading.fill_percentage order by reading.created_at desc) into moments, fills
    from (select telemetry.created_at, telemetry.fill_percentage from telemetry
          where telemetry.tank_key = tank order by telemetry.created_at desc limit 10) reading;
    reported_at := moments[1];
    fill_percentage := fills[1];
    low := coalesce(fills[1] <= min_fill_alert_percentage, false);
    silent_after_seconds := silent_after(coalesce(moments, '{}'));
    silent_at := reported_at + silent_after_seconds * interval '1 second';
    return next;
  end $$`;

const KEEP_TANK_STATES = keepTankStates({
  first: 'perform hold_tanks(tank_keys)',
  known: `
      left join newest_readings(tank_keys, 10) newest on newest.tank_key = tank.key
      cross join lateral (select silent_after(coalesce(newest.moments, '{}')) as seconds offset 0) pause
      cross join lateral (
        select newest.moments[1] as reported_at, newest.fills[1] as fill_percentage,
               coalesce(newest.fills[1] <= tank.min_fill_alert_percentage, false) as low,
               pause.seconds as silent_after_seconds,
               newest.moments[1] + pause.seconds * interval '1 second' as silent_at
      ) known`,
});

/**
 * Readings come with two questions to the workers, however many tanks are judged: those since the last state, and the newest of the
 * tanks to judge, which hold the ten before these. Only of a tank with many fresh ones are the ten asked for by themselves.
 */
const MANY_FRESH = 20;
const JUDGE_STATES = judgeStates({
  settings: PLANNED_WITH_VALUES,
  fresh: `join (
        select was.tank_key, ${FRESH},
               array_agg(telemetry.created_at order by telemetry.created_at)
                 filter (where telemetry.created_at > greatest(was.reported_at, a_week_ago)) as moments,
               array_agg(telemetry.fill_percentage order by telemetry.created_at)
                 filter (where telemetry.created_at > greatest(was.reported_at, a_week_ago)) as fills
        from old_states was
        left join readings_since(
          array(select tank_key from old_states order by tank_key),
          array(select greatest(reported_at, a_week_ago) from old_states order by tank_key)
        ) telemetry on telemetry.tank_key = was.tank_key
        group by was.tank_key, was.reported_at, was.fill_percentage
      ) fresh using (tank_key)`,
  columns: ', fresh.moments as fresh_moments, fresh.fills as fresh_fills',
  tanks: (judged) => `
      with judged as materialized (${judged})
      select judged.*, newest.moments as newest_moments, newest.fills as newest_fills
      from judged left join newest_readings(
        array(select tank_key from judged where n <= ${MANY_FRESH}), ${MANY_FRESH + 10}) newest using (tank_key)`,
  before: `
        if tank.n <= ${MANY_FRESH} then
          select array_agg(at), array_agg(fill) into moments, fills
          from (select at, fill from unnest(tank.newest_moments, tank.newest_fills) newest (at, fill)
                where at <= greatest(tank.known_at, a_week_ago) limit 10) older;
        else
          ${FROM_THE_INDEX.before}
        end if;`,
  since: 'select * from unnest(tank.fresh_moments, tank.fresh_fills) fresh (at, fill)',
});

/** As a list of values, which goes to each node once; a select would open a connection for each of its shards. */
const WRITE_READINGS = writeReadings({
  settings: PLANNED_WITH_VALUES,
  first: 'perform hold_tanks(last_keys);',
  insert: `execute (
        select 'with inserted as (
                  insert into telemetry (tank_key, created_at, fill_percentage)
                  values ' || string_agg(format('(%s, %L, %s)', tank_key, instant, fill), ', ' order by tank_key, instant) || '
                  on conflict do nothing
                  returning tank_key, created_at
                )
                select coalesce(array_agg(tank_key), ''{}''), coalesce(array_agg(created_at), ''{}'') from inserted'
        from unnest(last_keys, last_instants, last_fills) last (tank_key, instant, fill)
      ) into more_keys, more_instants;`,
  lock: '', // nobody who holds the tanks changes their readings meanwhile
});

/**
 * Of the triggers on readings, those of TRUNCATE run on the coordinator too; there they do what they do on one machine. They leave
 * everything alone when only the coordinator's own, outdated copy goes.
 */
const IS_OF_ALL_READINGS = `tg_table_name = 'telemetry' and current_setting('citus.enable_ddl_propagation') = 'on'`;

const KEEP_STATES_OF_READINGS = `
  create or replace function keep_states_of_readings() returns trigger language plpgsql as $$
  begin
    if ${IS_OF_ALL_READINGS} then
      perform keep_tank_states(array(select tank_key from tank_states where reported_at is not null));
    end if;
    return null;
  end $$`;

const UNCOUNT_TELEMETRY = `
  create or replace function uncount_telemetry() returns trigger language plpgsql as $$
  begin
    if ${IS_OF_ALL_READINGS} then delete from telemetry_counts; end if;
    return null;
  end $$`;

const UNCOUNT_TANKS = `
  create or replace function uncount_tanks() returns trigger language plpgsql as $$
  begin
    delete from list_counts where list = 'tanks';
    truncate telemetry, telemetry_counts, tank_keys;
    return null;
  end $$`;

/** A count on a worker refers to the key of its tank, of which every node has a copy. */
const MIRROR_TANK_KEYS = `
  create or replace function mirror_tank_keys() returns trigger language plpgsql ${PLANNED_WITH_VALUES} as $$
  declare
    keys bigint[];
  begin
    if tg_op = 'INSERT' then
      select array_agg(key) into keys from new_rows;
      if keys is not null then insert into tank_keys select unnest(keys); end if;
    else
      select array_agg(key) into keys from old_rows;
      if keys is not null then delete from tank_keys where key = any (keys); end if;
    end if;
    return null;
  end $$`;

/** As on one machine, a batch of tanks at a time: the workers tell which readings are old, and the coordinator takes them out. */
const FORGET_READINGS = `
  create or replace function forget_readings(
    keep_from date, after_tank bigint, most integer, out forgotten integer, out reached bigint
  ) language plpgsql security definer set search_path = public, pg_temp ${PLANNED_WITH_VALUES} as $$
  declare
    tank_keys bigint[]; old_keys bigint[]; old_instants timestamptz[];
    until timestamptz := keep_from::timestamp at time zone 'UTC';
  begin${refuseCurrentMonth('keep_from')}
    perform ${TAKE_TURNS};
    forgotten := 0;
    select array_agg(key order by key), max(key) into tank_keys, reached
    from (select key from tanks where key > after_tank order by key limit 10000) next_tank;

    select array_agg(tank_key), array_agg(created_at) into old_keys, old_instants
    from (
      select counted.tank_key, reading.created_at
      from telemetry_counts counted
      cross join lateral (
        select telemetry.created_at from telemetry
        where telemetry.tank_key = counted.tank_key and telemetry.tank_key = any (tank_keys)
          and telemetry.created_at < until
        order by telemetry.created_at limit most
      ) reading
      where counted.tank_key = any (tank_keys) and counted.level = 0
      order by counted.tank_key, reading.created_at limit most
    ) old;
    if old_keys is null then return; end if;

    perform hold_tanks(old_keys);
    with old as materialized (select * from unnest(old_keys, old_instants) old (tank_key, instant))
    delete from telemetry using old
    where telemetry.tank_key = old.tank_key and telemetry.created_at = old.instant;
    get diagnostics forgotten = row_count;
    perform ${EVENTS_OFF};
    perform keep_tank_states(array(select distinct unnest(old_keys)));
    perform ${EVENTS_ON};
    -- The last tank may have more of them.
    if cardinality(old_keys) = most then reached := old_keys[most] - 1; end if;
  end $$`;

const FIND_TANK = `
    select key into tank from tanks
    where id = tank_id and (visible_owner_id is null or owner_id = visible_owner_id);
    if tank is null then return; end if;`;

const PAGE_COLUMNS = 'total bigint, created_at timestamptz, fill_percentage double precision';

/** Handed whole to the node that holds the tank, so that total and rows are of one snapshot. */
const TELEMETRY_PAGE_OF = `
  create or replace function telemetry_page_of(
    tank bigint, since timestamptz, until timestamptz, skip bigint, size integer
  ) returns table (${PAGE_COLUMNS}) language plpgsql stable rows 10 as $$
  declare${PAGE_OF_TANK.variables}
  begin
${PAGE_OF_TANK.statements}
  end $$`;

const TELEMETRY_PAGE = `
  create or replace function telemetry_page(
    tank_id text, visible_owner_id text, since timestamptz, until timestamptz, skip bigint, size integer
  ) returns table (${PAGE_COLUMNS}) language plpgsql stable rows 10 ${PLANNED_WITH_VALUES} as $$
  declare
    tank bigint;
  begin${FIND_TANK}
    return query
      select page.total, page.created_at, page.fill_percentage
      from telemetry_page_of(tank, since, until, skip, size) page;
  end $$`;

const TELEMETRY_SERIES_OF = `
  create or replace function telemetry_series_of(
    tank bigint, since timestamptz, until timestamptz, first_bucket timestamptz, buckets integer, step interval,
    silent_after interval, open_gap_from timestamptz
  ) returns table (${SERIES_OF_TANK.columns}) language plpgsql stable rows 1 as $$
  declare${SERIES_OF_TANK.variables}
  begin
${SERIES_OF_TANK.statements('')}
  end $$`;

const TELEMETRY_SERIES = `
  create or replace function telemetry_series(
    tank_id text, visible_owner_id text, since timestamptz, until timestamptz,
    first_bucket timestamptz, buckets integer, step interval
  ) returns table (${SERIES_OF_TANK.columns}) language plpgsql stable rows 1 ${PLANNED_WITH_VALUES} as $$
  declare
    tank bigint;
    silent_after interval;
    open_gap_from timestamptz;
  begin${FIND_TANK}
${FIND_PAUSE}
    return query
      select series.total, series.data, series.gaps, series.gaps_total, series.refills, series.refills_total
      from telemetry_series_of(tank, since, until, first_bucket, buckets, step, silent_after, open_gap_from) series;
  end $$`;

const FALLS_OF_TANK = `
  create or replace function falls_of_tank(tank bigint, reported_at timestamptz, silent_after_seconds integer)
  returns table (${FALLS_COLUMNS}) language plpgsql stable rows 1 ${PLANNED_WITH_VALUES} as $$
  begin
    return query ${FALLS};
  end $$`;

/** In the order in which they need each other. */
export const CLUSTER_FUNCTIONS: readonly string[] = [
  MIRROR_TANK_KEYS,
  HOLD_TANKS,
  NEWEST_READINGS,
  READINGS_SINCE,
  STATE_OF_READINGS,
  KEEP_TANK_STATES,
  JUDGE_STATES,
  WRITE_READINGS,
  KEEP_STATES_OF_READINGS,
  UNCOUNT_TELEMETRY,
  UNCOUNT_TANKS,
  TELEMETRY_PAGE_OF,
  TELEMETRY_PAGE,
  TELEMETRY_SERIES_OF,
  TELEMETRY_SERIES,
  FALLS_OF_TANK,
  FORGET_READINGS,
];

/** Those that the delegated ones call, and so every node needs. */
export const NEEDED_EVERYWHERE: readonly string[] = [
  'telemetry_is_partitioned()',
  'telemetry_rank(bigint, timestamptz)',
  'telemetry_locate(bigint, timestamptz, timestamptz, bigint)',
  'series_of_readings(timestamptz[], double precision[], timestamptz, timestamptz, timestamptz, integer, interval, interval, timestamptz)',
];

/** Handed to the node of the tank that is their first argument, in a transaction too. */
export const DELEGATED: readonly string[] = [
  'telemetry_page_of(bigint, timestamptz, timestamptz, bigint, integer)',
  'telemetry_series_of(bigint, timestamptz, timestamptz, timestamptz, integer, interval, interval, timestamptz)',
];
