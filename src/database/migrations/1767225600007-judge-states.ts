// When a tank's state changes, is it an event? Judged in the transaction that changed it, under the lock of the tank's state,
// whoever wrote: so each event happens once, and the events of a tank in their order.

/** What was told about a tank and is not over yet. Tanks about which there is nothing to remember have no row. */
export const ALERTS = `
  create table tank_alerts (
    tank_key      bigint primary key,
    low           boolean not null,
    silence_told  boolean not null
  )`;

/** As the state's: three times the median gap of up to ten moments, newest first. */
export const SILENT_AFTER = `
  create function silent_after(moments timestamptz[]) returns integer language sql immutable as $$
    select case when cardinality(moments) < 3 then 86400 else (
      select least(greatest(round(3 * avg(gap) / 1000), 3600), 604800)::integer
      from (select round(date_part('epoch', moments[i] - moments[i + 1]) * 1000)::bigint as gap
            from generate_series(1, cardinality(moments) - 1) i
            order by gap offset (cardinality(moments) - 2) / 2 limit 1 + cardinality(moments) % 2) in_the_middle)
    end
  $$`;

/** Which events a level causes: null, tank.low or tank.recovered. Differences are rounded before they are compared. */
export const JUDGE_LEVEL = `
  create function judge_level(
    is_low boolean, threshold integer, fill double precision, at timestamptz,
    before_fill double precision, before_at timestamptz, silent_after integer
  ) returns text language sql immutable as $$
    select case
      when is_low and fill > threshold and (round((fill - threshold)::numeric, 6) >= 5 or fill >= 100) then 'tank.recovered'
      -- A fall of more than 20 points may be a wrong reading: it waits for a second one below the threshold.
      when not is_low and fill <= threshold
           and not coalesce(round((before_fill - fill)::numeric, 6) > 20 and before_fill > threshold
                            and at - before_at <= silent_after * interval '1 second', false) then 'tank.low'
    end
  $$`;

/** Of the readings since the last state, and of the last state "was". */
export const FRESH = `
               count(telemetry.created_at) filter (where telemetry.created_at > was.reported_at or was.reported_at is null) as n,
               min(telemetry.fill_percentage) as lowest, max(telemetry.fill_percentage) as highest,
               coalesce(bool_or(telemetry.created_at = was.reported_at and telemetry.fill_percentage = was.fill_percentage),
                        was.reported_at is null or was.reported_at < a_week_ago) as is_kept`;

/**
 * What differs on a cluster, where the readings are elsewhere: settings of the function, where fresh readings are counted, columns
 * of them that are needed later, how the tanks to judge are selected, the readings a tank had before and those that are fresh.
 */
export const FROM_THE_INDEX = {
  settings: '',
  fresh: `cross join lateral (
        select ${FRESH}
        from telemetry
        where telemetry.tank_key = now_.tank_key
          and telemetry.created_at >= greatest(was.reported_at, a_week_ago)
      ) fresh`,
  columns: '',
  tanks: (judged: string): string => judged,
  // One new reading, the most frequent case, is judged by the two before it; its silence is known.
  before: `
        select array_agg(created_at), array_agg(fill_percentage) into moments, fills
        from (select created_at, fill_percentage from telemetry
              where tank_key = tank.tank_key and created_at <= greatest(tank.known_at, a_week_ago)
              order by created_at desc
              limit case when tank.n = 1 and tank.is_kept and not tank.threshold_moved then 2 else 10 end) older;`,
  since: `
            select created_at as at, fill_percentage as fill from telemetry
            where tank_key = tank.tank_key and created_at > greatest(tank.known_at, a_week_ago)
            order by created_at`,
};

/**
 * A reading is history when it is older than a day and than the tank's silence when it is written: it rings nothing. Nothing is
 * older than seven days and not history, so no reading before that is looked at.
 *
 * A session plans a function once, perhaps while its tables are empty and a scan of them costs nothing; they may be full an
 * minute later. So this one, and what it calls, is told to use indexes; and not to be compiled, since before PostgreSQL 18 a
 * plan that has to scan after all looks expensive enough for that.
 */
export const judgeStates = ({
  settings,
  fresh,
  columns,
  tanks,
  before,
  since,
}: typeof FROM_THE_INDEX): string => `
  create or replace function judge_states() returns trigger language plpgsql
  set enable_seqscan = off set jit = off ${settings} as $$
  declare
    moment timestamptz := clock_timestamp();
    a_week_ago timestamptz := moment - interval '7 days';
    tank record;
    reading record;
    is_low boolean; silence_told boolean;
    moments timestamptz[]; fills double precision[];   -- the newest readings up to the one that is judged, newest first
    silence integer; rung text;
    -- what happened, in order
    keys bigint[] := '{}'; types text[] := '{}'; ats timestamptz[] := '{}'; levels double precision[] := '{}';
    befores timestamptz[] := '{}'; before_levels double precision[] := '{}'; silences integer[] := '{}';
    -- what to remember
    changed bigint[] := '{}'; lows boolean[] := '{}'; tolds boolean[] := '{}';
  begin
    for tank in
      ${tanks(`
      select now_.tank_key, now_.min_fill_alert_percentage as threshold, now_.reported_at, now_.fill_percentage as fill,
             now_.silent_after_seconds as silence, now_.low,
             now_.silent and (not was.silent or now_.reported_at is distinct from was.reported_at) as is_newly_silent,
             was.reported_at as known_at, was.fill_percentage as known_fill, was.deleted as was_deleted,
             now_.min_fill_alert_percentage <> was.min_fill_alert_percentage as threshold_moved,
             fresh.n, fresh.is_kept, coalesce(alert.low, false) as is_low,
             coalesce(alert.silence_told, false) as silence_told ${columns}
      from new_states now_ join old_states was using (tank_key)
      left join tank_alerts alert using (tank_key)
      ${fresh}
      where not now_.deleted
        and (was.deleted or alert.tank_key is not null or not fresh.is_kept
             or now_.min_fill_alert_percentage <> was.min_fill_alert_percentage
             or (now_.silent and (not was.silent or now_.reported_at is distinct from was.reported_at))
             or (fresh.n > 0 and (was.reported_at is null or was.reported_at < a_week_ago))
             or fresh.lowest <= now_.min_fill_alert_percentage
             or fresh.highest - least(fresh.lowest, was.fill_percentage) > 4.9)
      `)}
      order by tank_key
    loop
      is_low := tank.is_low;
      silence_told := tank.silence_told;

      if tank.was_deleted then
        -- Restored: its state is set, and nothing is told.
        is_low := tank.low;
        silence_told := false;
      else
        ${before}

        -- Another threshold, or another value where the newest reading was.
        if moments is not null and (tank.threshold_moved or not tank.is_kept) then
          silence := silent_after(moments);
          if tank.threshold_moved or moments[1] >= moment - greatest(silence, 86400) * interval '1 second' then
            rung := judge_level(is_low, tank.threshold, fills[1], moments[1], fills[2], moments[2], silence);
            if rung is not null then
              is_low := rung = 'tank.low';
              keys := keys || tank.tank_key; types := types || rung; silences := silences || silence;
              ats := ats || moments[1]; levels := levels || fills[1];
              befores := befores || moments[2]; before_levels := before_levels || fills[2];
            end if;
          end if;
        end if;

        if tank.n > 0 then
          for reading in
            ${since}
          loop
            moments := (reading.at || moments)[1:10];
            fills := (reading.fill || fills)[1:10];
            silence := case when reading.at = tank.reported_at then tank.silence else silent_after(moments) end;
            continue when reading.at < moment - greatest(silence, 86400) * interval '1 second';

            foreach rung in array array[
              case when silence_told then 'tank.reporting' end,
              case when round((fills[1] - fills[2])::numeric, 6) >= 5 and round((fills[1] - fills[3])::numeric, 6) >= 5
                   then 'tank.refilled' end,
              judge_level(is_low, tank.threshold, fills[1], moments[1], fills[2], moments[2], silence)]
            loop
              continue when rung is null;
              keys := keys || tank.tank_key; types := types || rung; silences := silences || silence;
              ats := ats || moments[1]; levels := levels || fills[1];
              befores := befores || moments[2]; before_levels := before_levels || fills[2];
              is_low := case rung when 'tank.low' then true when 'tank.recovered' then false else is_low end;
            end loop;
            silence_told := false;
          end loop;
        end if;

        -- History marks silence quietly, be it another value of the newest reading; what was told is not told again.
        if tank.is_newly_silent and not silence_told
           and (tank.reported_at is not distinct from tank.known_at and tank.is_kept
                or tank.reported_at >= moment - greatest(tank.silence, 86400) * interval '1 second') then
          if moments is null or moments[1] <> tank.reported_at then
            select array_agg(created_at), array_agg(fill_percentage) into moments, fills
            from (select created_at, fill_percentage from telemetry
                  where tank_key = tank.tank_key order by created_at desc limit 2) newest;
          end if;
          silence_told := true;
          keys := keys || tank.tank_key; types := types || 'tank.silent'::text; silences := silences || tank.silence;
          ats := ats || moments[1]; levels := levels || fills[1];
          befores := befores || moments[2]; before_levels := before_levels || fills[2];
        end if;
      end if;

      if (is_low, silence_told) is distinct from (tank.is_low, tank.silence_told) then
        changed := changed || tank.tank_key; lows := lows || is_low; tolds := tolds || silence_told;
      end if;
    end loop;

    if changed <> '{}' then
      insert into tank_alerts as alert (tank_key, low, silence_told)
      select * from unnest(changed, lows, tolds)
      on conflict (tank_key) do update set low = excluded.low, silence_told = excluded.silence_told;
      delete from tank_alerts alert where alert.tank_key = any (changed) and not alert.low and not alert.silence_told;
    end if;
    if keys <> '{}' then perform record_events(keys, types, ats, levels, befores, before_levels, silences); end if;
    return null;
  end $$`;

export const JUDGING = `
  create trigger judge_states after update on tank_states referencing old table as old_states new table as new_states
    for each statement execute function judge_states();

  create function forget_alerts() returns trigger language plpgsql as $$
  begin
    if tg_op = 'TRUNCATE' then delete from tank_alerts;
    else delete from tank_alerts where tank_key in (select tank_key from old_states);
    end if;
    return null;
  end $$;
  create trigger forget_alerts after delete on tank_states referencing old table as old_states
    for each statement execute function forget_alerts();
  create trigger forget_all_alerts after truncate on tank_states
    for each statement execute function forget_alerts()`;

const time = (expression: string): string =>
  `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * With all that is needed to act without asking back. A clock that was set back does not change the order of a tank's events: the
 * next ones continue its newest. That one is found before any event is inserted: each look would pass over all of this write.
 */
export const RECORD_EVENTS = `
  create function record_events(
    keys bigint[], types text[], ats timestamptz[], levels double precision[],
    befores timestamptz[], before_levels double precision[], silences integer[]
  ) returns void language plpgsql as $$
  declare
    moment timestamptz := date_trunc('milliseconds', clock_timestamp());
    recorded_ats timestamptz[]; numbers integer[];
  begin
    select array_agg(greatest(moment, last.created_at) order by place),
           array_agg(happened.number + coalesce(number_of_event(last.id), 0) order by place) into recorded_ats, numbers
    from (select tank_key, place, row_number() over (partition by tank_key order by place)::integer as number
          from unnest(keys) with ordinality happened (tank_key, place)) happened
    left join tanks tank on tank.key = happened.tank_key
    left join lateral (
      select id, created_at from events where events.tank_id = tank.id and events.created_at >= moment
      order by created_at desc, id desc limit 1
    ) last on true;

    insert into events (id, type, created_at, tank_id, owner_id, data)
    select event_id(event.recorded_at, event.number), event.type, event.recorded_at, event.tank_id, event.owner_id, event.data
    from (
      select happened.type, tank.id as tank_id, tank.owner_id, happened.recorded_at, happened.number,
             json_build_object(
               'reading', json_build_object('created_at', ${time('happened.at')}, 'fill_percentage', happened.fill),
               'before', case when happened.before_at is not null then json_build_object(
                 'created_at', ${time('happened.before_at')}, 'fill_percentage', happened.before_fill) end,
               'min_fill_alert_percentage', tank.min_fill_alert_percentage,
               'silent_after_seconds', happened.silence,
               'tank', json_build_object('name', tank.name, 'custom_id', tank.custom_id),
               'owner', json_build_object('name', owner.name, 'email', owner.email),
               'location', json_build_object(
                 'city', tank.city, 'country', tank.country, 'district', tank.district, 'latitude', tank.latitude,
                 'longitude', tank.longitude, 'postal_code', tank.postal_code, 'region', tank.region,
                 'street', tank.street, 'street_number', tank.street_number)) as data
      from unnest(keys, types, ats, levels, befores, before_levels, silences, recorded_ats, numbers) with ordinality
           happened (tank_key, type, at, fill, before_at, before_fill, silence, recorded_at, number, place)
      join tanks tank on tank.key = happened.tank_key
      left join customers owner on owner.id = tank.owner_id and not owner.deleted
      order by happened.place
    ) event;
  end $$`;
