// What the migrations of 2.0.0 call before they name a function: makes it, as it was then, unless it is there. Frozen like them. Those of
// triggers do nothing: `migrate` installs the real ones in the same transaction, before anybody can write (database/functions.ts).
import type { QueryRunner } from 'typeorm';

export async function installFunctions(
  runner: QueryRunner,
  _form?: 'one machine' | 'cluster',
): Promise<void> {
  for (const [name, text] of Object.entries(FUNCTIONS)) {
    const found: unknown[] = await runner.query(
      'select from pg_proc where proname = $1 and pg_function_is_visible(oid)',
      [name],
    );
    if (found.length > 0) continue;
    await runner.query(text);
    await runner.query(
      `insert into installed_functions (name, hash) values ($1, 'of a migration')
       on conflict (name) do update set hash = excluded.hash`,
      [name],
    );
  }
}

const TRIGGER_FUNCTIONS = [
  'expect_insert',
  'keep_states_of_tanks',
  'keep_states_of_readings',
  'count_events',
  'forget_alerts',
  'queue_deliveries',
  'hand_on_deliveries',
  'note_customers',
  'note_tanks',
  'note_readings',
  'note_events',
].map((name) => [
  name,
  `create function ${name}() returns trigger language plpgsql as $$ begin return null; end $$`,
]);

// One for the index of devices, one for a column's default, and one that fills the states: by the newest ten readings of a tank, low at or
// below its threshold, silent after three times the median of their gaps.
const FUNCTIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(TRIGGER_FUNCTIONS),
  device_key: `
    create function device_key(id text) returns text language sql immutable parallel safe as $$
      select case
        when length(id) = 16 and id ~ '^[0-9A-Fa-f]{16}$' then upper(id collate "C")
        when length(id) = 23 and id ~ '^[0-9A-Fa-f]{2}((-[0-9A-Fa-f]{2}){7}|(:[0-9A-Fa-f]{2}){7})$'
          then upper(translate(id, '-:', '') collate "C")
        else id end
    $$`,
  database_identity: `
    create function database_identity() returns text language sql stable as $$
      select system_identifier || '/' || oid from pg_control_system(), pg_database where datname = current_database()
    $$`,
  states_of_tanks: `
    create function states_of_tanks(tank_keys bigint[])
    returns table (tank_key bigint, tank_id text, owner_id text, use_case text, created_at timestamptz, deleted boolean,
                   min_fill_alert_percentage integer, reported_at timestamptz, fill_percentage double precision, low boolean,
                   silent_after_seconds integer, silent_at timestamptz)
    language sql stable as $$
      select tank.key, tank.id, tank.owner_id, tank.use_case, tank.created_at, tank.deleted, tank.min_fill_alert_percentage,
             newest.moments[1], newest.fill, coalesce(newest.fill <= tank.min_fill_alert_percentage, false),
             pause.seconds, newest.moments[1] + pause.seconds * interval '1 second'
      from tanks tank
      cross join lateral (
        select array_agg(reading.created_at order by reading.created_at desc) as moments,
               (array_agg(reading.fill_percentage order by reading.created_at desc))[1] as fill
        from (select * from telemetry where telemetry.tank_key = tank.key order by telemetry.created_at desc limit 10) reading
      ) newest
      cross join lateral (
        select case when count(*) < 2 then 86400 else least(greatest(round(
                 3 * percentile_cont(0.5) within group (order by round(date_part('epoch', later - earlier) * 1000))::numeric / 1000),
                 3600), 604800)::integer end as seconds
        from (select unnest(newest.moments) as later, unnest(newest.moments[2:]) as earlier) gap where earlier is not null
      ) pause
      where tank.key = any (tank_keys)
    $$`,
};
