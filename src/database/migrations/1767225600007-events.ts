// Events: what happened to tanks, written in the transaction that caused it, and counted like the other lists.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  ALERTS,
  FROM_THE_INDEX,
  JUDGE_LEVEL,
  judgeStates,
  JUDGING,
  RECORD_EVENTS,
  SILENT_AFTER,
} from './1767225600007-judge-states.js';

export class Events1767225600007 implements MigrationInterface {
  readonly name = 'Events1767225600007';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [EVENTS, EVENT_ID, COUNTS, COUNT_EVENTS, LOCATE, FORGET])
      await runner.query(statement);
    // What is silent already is known to be: nothing of the past rings a bell.
    await runner.query('select mark_silent_tanks(2147483647)');
    for (const statement of [
      ALERTS,
      SILENT_AFTER,
      JUDGE_LEVEL,
      RECORD_EVENTS,
      judgeStates(FROM_THE_INDEX),
      JUDGING,
    ]) {
      await runner.query(statement);
    }
    // They run with their owner's rights, so that the role of the background work needs nothing but them.
    for (const name of ['mark_silent_tanks(integer)', 'forget_events(timestamptz, integer)']) {
      await runner.query(`
        alter function ${name} security definer set search_path = public, pg_temp;
        revoke execute on function ${name} from public`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function judge_states, forget_alerts cascade;
      drop function record_events, judge_level, silent_after;
      drop table tank_alerts;
      drop function forget_events, events_locate, events_rank;
      drop function count_events, uncount_events cascade;
      drop function fold_event_counts, event_id, number_of_event;
      drop view event_days;
      drop table event_counts, event_count_changes, events`);
  }
}

// "data" is json, not jsonb: it is shown in the order in which it was written. The tank and its owner are those of that time,
// so nothing refers to them: past events stay when a tank goes.
const EVENTS = `
  create table events (
    id          text collate "C" primary key,
    type        text not null check (type in ('tank.low', 'tank.recovered', 'tank.refilled', 'tank.silent', 'tank.reporting')),
    created_at  timestamptz(3) not null,
    tank_id     text collate "C" not null,
    owner_id    text collate "C" not null,
    data        json not null
  );
  create index events_newest_first on events (created_at desc, id desc);
  create index events_of_type on events (type, created_at desc, id desc);
  create index events_of_tank on events (tank_id, created_at desc, id desc);
  create index events_of_owner on events (owner_id, created_at desc, id desc)`;

// A UUIDv7: the time, then a number that orders the events of one tank and millisecond, then random bits, so that an id tells nothing
// about other tanks. One expression, so that it is inlined where it is called.
const EVENT_ID = `
  create function event_id(recorded_at timestamptz, number integer default 0) returns text language sql volatile as $$
    select (lpad(to_hex(floor(extract(epoch from recorded_at) * 1000)::bigint), 12, '0')
            || '7' || lpad(to_hex(number >> 12), 3, '0') || '8' || lpad(to_hex(number & 4095), 3, '0')
            || right(gen_random_uuid()::text, 12))::uuid::text
  $$;

  create function number_of_event(id text) returns integer language sql immutable as $$
    select ('x' || substr(id, 16, 3) || substr(id, 21, 3))::bit(24)::integer
  $$`;

// Tanks' writers share no row: each adds its changes, and now and then one of them folds what is committed into the counts. Readers
// add up both. Days are enough: events are kept for months, not for decades.
const COUNTS = `
  create table event_counts (
    type text not null, day date not null, n integer not null, primary key (type, day)
  ) with (fillfactor = 70);
  create table event_count_changes (type text not null, day date not null, n integer not null);
  create view event_days as
    select type, day, n from event_counts union all select type, day, n from event_count_changes;

  create function fold_event_counts() returns void language plpgsql as $$
  begin
    if not pg_try_advisory_xact_lock(hashtext('tank-monitoring event counts')) then return; end if;
    with changes as (delete from event_count_changes returning type, day, n)
    insert into event_counts as counted (type, day, n)
    select type, day, sum(n) from changes group by type, day order by type, day
    on conflict (type, day) do update set n = counted.n + excluded.n;
    delete from event_counts where n = 0;
  end $$`;

const rows = (transition: string, n: string): string => `
        select type, (created_at at time zone 'UTC')::date as day, ${n} as n from ${transition}`;

const COUNT_EVENTS = `
  create function count_events() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      insert into event_count_changes (type, day, n)
      select type, day, sum(n) from (${rows('new_rows', '1')}) added group by type, day;
    elsif tg_op = 'DELETE' then
      insert into event_count_changes (type, day, n)
      select type, day, sum(n) from (${rows('old_rows', '-1')}) removed group by type, day;
    else
      insert into event_count_changes (type, day, n)
      select type, day, sum(n)
      from (${rows('new_rows', '1')} union all ${rows('old_rows', '-1')}) moved
      group by type, day having sum(n) <> 0;
    end if;
    if random() < 0.02 then perform fold_event_counts(); end if;
    return null;
  end $$;
  create trigger count_insert after insert on events referencing new table as new_rows
    for each statement execute function count_events();
  create trigger count_update after update on events referencing old table as old_rows new table as new_rows
    for each statement execute function count_events();
  create trigger count_delete after delete on events referencing old table as old_rows
    for each statement execute function count_events();

  create function uncount_events() returns trigger language plpgsql as $$
  begin
    delete from event_counts;
    delete from event_count_changes;
    return null;
  end $$;
  create trigger count_truncate after truncate on events
    for each statement execute function uncount_events()`;

// As for the other lists: the total of a range, and where one of its pages starts. No type means all of them.
const LOCATE = `
  create function events_rank(wanted_type text, instant timestamptz) returns bigint language plpgsql stable as $$
  declare
    day_of_instant date := (instant at time zone 'UTC')::date;
    midnight timestamptz := day_of_instant::timestamp at time zone 'UTC';
    found_rows bigint;
  begin
    if wanted_type is null then
      found_rows := (select coalesce(sum(n), 0) from event_days where day < day_of_instant);
      if instant > midnight then
        found_rows := found_rows
          + (select count(*) from events where created_at >= midnight and created_at < instant);
      end if;
    else
      found_rows := (select coalesce(sum(n), 0) from event_days where type = wanted_type and day < day_of_instant);
      if instant > midnight then
        found_rows := found_rows
          + (select count(*) from events where type = wanted_type and created_at >= midnight and created_at < instant);
      end if;
    end if;
    return found_rows;
  end $$;

  create function events_locate(
    wanted_type text, since timestamptz, until timestamptz, skip bigint,
    out total bigint, out newest timestamptz, out passed bigint
  ) language plpgsql stable as $$
  declare
    rows_until bigint := events_rank(wanted_type, until);
    place bigint;     -- of the page's newest event, counted from the oldest
    found_day date;
    upto bigint;      -- events up to the end of that day
  begin
    total := greatest(rows_until - events_rank(wanted_type, since), 0);
    if skip >= total then
      newest := '-infinity'; passed := 0; return;
    elsif skip <= 500 then
      newest := until; passed := skip; return;
    end if;
    place := rows_until - 1 - skip;
    select day, running into found_day, upto
    from (select day, sum(sum(n)) over (order by day) as running
          from event_days where wanted_type is null or type = wanted_type group by day) days
    where running > place order by day limit 1;
    newest := (found_day + 1)::timestamp at time zone 'UTC';
    passed := upto - 1 - place;
  end $$`;

// Removes events past their time, a bounded number a call, so that nobody waits for it. No setting keeps them for less than a day.
const FORGET = `
  create function forget_events(before timestamptz, most integer) returns integer language plpgsql as $$
  declare
    forgotten integer;
  begin
    if before > now() - interval '1 day' then
      raise 'Events of the last 24 hours are not removed.' using errcode = 'invalid_parameter_value';
    end if;
    delete from events where id in (
      select id from events where created_at < before order by created_at limit most for update skip locked);
    get diagnostics forgotten = row_count;
    return forgotten;
  end $$`;
