// A tank's readings of a range as a series to draw: buckets, gaps and refills from one reading of the range.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Series1767225600006 implements MigrationInterface {
  readonly name = 'Series1767225600006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SERIES_OF_READINGS);
    await runner.query(telemetrySeries());
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function telemetry_series, series_of_readings');
  }
}

// Readings come as two arrays, oldest first, and all that is drawn is taken from the arrays: window functions over the rows
// take longer. A bucket's readings are a slice of the arrays, whose ends a binary search finds (width_bucket()
// tells how many moments are not after an instant). Arrays may hold the readings next to the range: gaps reach beyond it.
// Buckets without readings are left out; the others are [number, count, first, last, min, max, mean]. Instants are
// milliseconds since 1970. Of gaps and refills the newest 1,000 are shown, newest first.
// Few pairs of readings are looked at: a level that rises by five within a bucket, or into it, makes the bucket's extremes lie as
// far apart; and where a stretch of several readings is shorter than the silence of a gap, there is none within it. A stretch has
// as many readings as fit into that silence nearly everywhere, tried at 32 places: sensors need not be punctual.
// A rise is compared after rounding to 6 decimals: 17.4 - 12.4 is 5. "offset 0" keeps what is worked out once from being
// worked out wherever it is used.
const SERIES_OF_READINGS = `
  create function series_of_readings(
    moments timestamptz[], fills double precision[], since timestamptz, until timestamptz,
    first_bucket timestamptz, buckets integer, step interval, silent_after interval, open_gap_from timestamptz,
    out data json, out gaps json, out gaps_total bigint, out refills json, out refills_total bigint
  ) language sql stable as $$
    with bucket as materialized (
      select number, oldest, newest, least_fill, most_fill, sum_of_fills / (newest - oldest + 1) as mean
      from (
        select number,
               1 + width_bucket(greatest(first_bucket + number * step, since) - interval '1 ms', moments) as oldest,
               width_bucket(least(first_bucket + (number + 1) * step, until) - interval '1 ms', moments) as newest
        from generate_series(0, buckets - 1) number
        offset 0
      ) slice, lateral (
        select min(fill) as least_fill, max(fill) as most_fill, sum(fill) as sum_of_fills
        from (select unnest(fills[oldest:newest]) as fill) reading
      ) filled
      where newest >= oldest
    ),
    refill as materialized (
      select position
      from (
        select generate_series(oldest, newest) as position from bucket
        where greatest(most_fill, fills[oldest - 1]) - least(least_fill, fills[oldest - 1]) >= 4.9999995
      ) candidate
      where fills[position] - fills[position - 1] >= 4.9999995
    ),
    stretch as (
      select generate_series(1, readings - 1, length) as start, length
      from (
        select readings, greatest(1, (
          select percentile_disc(0.1) within group (order by width_bucket(moments[at] + silent_after, moments) - at)
          from generate_series(1, readings - 1, readings / 32 + 1) at
        )) as length
        from cardinality(moments) readings
        offset 0
      ) steady
    ),
    gap as materialized (
      select moments[position] as gap_from, moments[position + 1] as gap_to
      from (
        select generate_series(start, start + length - 1) as position from stretch
        where (moments[start + length] <= moments[start] + silent_after) is not true
      ) candidate
      where moments[position + 1] > moments[position] + silent_after
      union all
      select open_gap_from, null where open_gap_from is not null
    )
    select
      (select array_to_json(array_agg(
         array[number, newest - oldest + 1, fills[oldest], fills[newest], least_fill, most_fill, mean]))
       from bucket),
      (select json_agg(json_build_array(round(date_part('epoch', gap_from) * 1000), round(date_part('epoch', gap_to) * 1000)))
       from (select * from gap order by gap_from desc limit 1000) newest),
      (select count(*) from gap),
      (select json_agg(json_build_array(round(date_part('epoch', moments[position]) * 1000),
                                        fills[position - 1], fills[position]))
       from (select * from refill order by position desc limit 1000) newest),
      (select count(*) from refill)
  $$`;

// What telemetry_series() does when it knows its tank: more than a million readings are counted, and not read; the range
// [since, until) is read with the readings next to it, once. "before" comes before that: it finds out the tank's pause, where that
// is not known yet, and may say where the readings next to the range lie.
export const SERIES_OF_TANK = {
  columns: 'total bigint, data json, gaps json, gaps_total bigint, refills json, refills_total bigint',
  variables: `
    oldest timestamptz := '-infinity';
    newest timestamptz := 'infinity';
    read_since timestamptz;
    read_until timestamptz;`,
  statements: (before: string): string => `
    total := greatest(telemetry_rank(tank, until) - telemetry_rank(tank, since), 0);
    gaps_total := 0;
    refills_total := 0;
    if total > 1000000 or since >= until then
      return next;
      return;
    end if;
${before}
    read_since := coalesce(
      (select max(created_at) from telemetry where tank_key = tank and created_at < since and created_at >= oldest), since);
    read_until := coalesce(
      (select min(created_at) from telemetry where tank_key = tank and created_at >= until and created_at < newest)
      + interval '1 ms', until);

    return query
      select total, drawn.*
      from (
        select coalesce(array_agg(created_at), '{}') as moments, coalesce(array_agg(fill_percentage), '{}') as fills
        from (select created_at, fill_percentage from telemetry
              where tank_key = tank and created_at >= read_since and created_at < read_until
              order by created_at) in_order
      ) reading
      cross join lateral series_of_readings(
        moments, fills, since, until, first_bucket, buckets, step, silent_after, open_gap_from) drawn;`,
};

export const FIND_PAUSE = `
    select known.silent_after_seconds * interval '1 second',
           case when known.silent_at < now() and known.reported_at < until and since <= now() then known.reported_at end
    into silent_after, open_gap_from
    from tank_states known where known.tank_key = tank;`;

// No row: there is no such tank for this caller.
export const telemetrySeries = (bounds = ''): string => `
  create or replace function telemetry_series(
    tank_id text, visible_owner_id text, since timestamptz, until timestamptz,
    first_bucket timestamptz, buckets integer, step interval
  ) returns table (${SERIES_OF_TANK.columns}) language plpgsql stable rows 1 as $$
  declare
    tank bigint;
    silent_after interval;
    open_gap_from timestamptz;${SERIES_OF_TANK.variables}
  begin
    select key into tank from tanks
    where id = tank_id and (visible_owner_id is null or owner_id = visible_owner_id);
    if tank is null then return; end if;
${SERIES_OF_TANK.statements(FIND_PAUSE + bounds)}
  end $$`;
