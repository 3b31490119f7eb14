// Forecasts: what is known of each tank's use, what was forecast from it, and how good that was. The alert of a forecast is kept with the
// tank's state, by which lists are sorted and filtered.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Forecasts1767225600016 implements MigrationInterface {
  readonly name = 'Forecasts1767225600016';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [STATES, TABLES, FUNCTIONS, TRIGGERS]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function drop_forecast, count_alerts cascade;
      drop index tank_states_by_alert, tank_states_by_first_alert;
      alter table tank_states drop column alert_order, drop column alert_hours, drop column forecast_made_at;
      drop table tank_forecasts, tank_curves, forecast_fleet, forecast_errors, forecast_records, alert_counts, alert_count_changes`);
  }
}

// Instants of forecasts are whole hours since 1970, as p10, p50, p90. "alert_hours": null while there is no forecast, or the tank is low.
// "alert_order" sorts low tanks by their fill level, which is always below an hour of our time, and others by their alert.
const STATES = `
  alter table tank_states
    add column forecast_made_at timestamptz(3),
    add column alert_hours integer[],
    add column alert_order double precision generated always as
      (case when low then fill_percentage else alert_hours[2] end) stored;
  create index tank_states_by_alert on tank_states (fleet_group, alert_order, tank_id) where fleet_group is not null;
  create index tank_states_by_first_alert on tank_states (fleet_group, (alert_hours[1])) where alert_hours is not null`;

// tank_forecasts: the newest forecast of each tank; "made_at" is null where none could be made. "seen_at" is the newest reading it knows,
// "levels" p10, p50 and p90 after 1 to 30 days, "round" the round of nightly work it was made in, "accuracy" sums over its record.
// tank_curves: what is known of a tank's use, from all readings before "read_until"; it can be made anew from readings. Errors of
// forecasts for days up to "settled_day" are counted.
// forecast_fleet: what the fleet tells, and errors of forecasts so far; forecast_errors: those that are to be added to it.
// forecast_records: forecasts that were set aside, one a tank and week, never made anew. "uses" are p10, p50 and p90 of the use by 1, 3,
// 7, 14 and 28 days, "used" what was used, null before its day, NaN if nobody knows. The position from which they start is "ahead" of
// that of a midnight, "anchor_day". alert_counts: tanks by use case (its number in fleet_group) and
// hour of the alert's p10; alert_count_changes: what is to be added to them.
const TABLES = `
  create table tank_forecasts (
    tank_key         bigint primary key,
    made_at          timestamptz(3),
    seen_at          timestamptz(3),
    threshold        integer not null,
    level            double precision,
    percent_per_day  double precision,
    empty_hours      integer[],
    levels           real[],
    round            bigint not null,
    accuracy         double precision[]
  );
  create index tank_forecasts_by_age on tank_forecasts (made_at);
  create table tank_curves (
    tank_key     bigint primary key,
    read_until   timestamptz(3) not null default '-infinity',
    settled_day  integer not null default 0,
    state        json,
    days         bytea
  );
  create table forecast_fleet (
    only_row     boolean primary key default true check (only_row),
    night        integer not null default 0,
    round        bigint not null default 0,
    tanks        integer not null default 0,
    feed_position  bigint not null default 0,
    state        json,
    errors       bytea,
    started_at   timestamptz(3),
    finished_at  timestamptz(3),
    seconds      double precision not null default 0
  );
  insert into forecast_fleet default values;
  create table forecast_errors (
    id      bigint generated always as identity primary key,
    bins    integer[] not null,
    sizes   double precision[] not null
  );
  create table forecast_records (
    tank_key    bigint not null,
    made_at     timestamptz(3) not null,
    anchor_day  integer not null,
    ahead       double precision not null,
    uses        real[] not null,
    plain_use   double precision not null,
    used        real[] not null,
    primary key (tank_key, made_at)
  );
  create table alert_counts (
    use_case smallint not null, hour integer not null, n bigint not null, primary key (use_case, hour)
  );
  create table alert_count_changes (
    id bigint generated always as identity primary key,
    use_case smallint not null,
    hour integer not null,
    n bigint not null
  )`;

// A low tank has no alert to forecast, a deleted one or one without readings no forecast: until one is made anew. With all states go all
// forecasts. Otherwise what has changed is appended, since writers of different tanks would wait for each other's rows of alert_counts.
// No files, since an earlier version's `migrate` drops functions that it does not know, and triggers need these.
const FUNCTIONS = `
  create function drop_forecast() returns trigger language plpgsql as $$
  begin
    new.alert_hours := null;
    if new.deleted or new.reported_at is null then new.forecast_made_at := null; end if;
    return new;
  end $$;
  create function count_alerts() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
  begin
    if tg_op = 'TRUNCATE' then
      truncate alert_counts, alert_count_changes, tank_forecasts, tank_curves, forecast_records;
      return null;
    end if;
    if old.alert_hours[1] is not null then
      insert into alert_count_changes (use_case, hour, n) values (old.fleet_group / 5, old.alert_hours[1], -1);
    end if;
    if tg_op = 'UPDATE' and new.alert_hours[1] is not null then
      insert into alert_count_changes (use_case, hour, n) values (new.fleet_group / 5, new.alert_hours[1], 1);
    end if;
    return null;
  end $$`;

const TRIGGERS = `
  create trigger drop_forecast before update on tank_states for each row
    when (new.forecast_made_at is not null
          and (new.deleted or new.reported_at is null or new.low and new.alert_hours is not null))
    execute function drop_forecast();
  create trigger count_alert_of_change after update on tank_states for each row
    when (old.alert_hours[1] is distinct from new.alert_hours[1]
          or new.alert_hours[1] is not null and old.use_case is distinct from new.use_case)
    execute function count_alerts();
  create trigger count_alert_of_removal after delete on tank_states for each row
    when (old.alert_hours[1] is not null) execute function count_alerts();
  create trigger count_no_alerts after truncate on tank_states for each statement execute function count_alerts()`;
