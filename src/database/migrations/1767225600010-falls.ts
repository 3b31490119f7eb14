// What a tank's consumption is told from, as a function: on a cluster its readings are on another machine, and only a function
// can be asked there. On one machine it is inlined where it is called, so nothing is different.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Falls1767225600010 implements MigrationInterface {
  readonly name = 'Falls1767225600010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function falls_of_tank(tank bigint, reported_at timestamptz, silent_after_seconds integer)
      returns table (${FALLS_COLUMNS}) language sql stable rows 1 as $$ ${FALLS} $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function falls_of_tank');
  }
}

export const FALLS_COLUMNS = 'used double precision, covered_ms double precision, since timestamptz';

/** Falls between readings of the last 336 hours that are near each other, without refills and without leaps. */
export const FALLS = `
  select sum(before_fill::numeric - fill_percentage::numeric)::float8,
         round(date_part('epoch', sum(created_at - before_at)) * 1000)::float8,
         min(before_at)
  from (
    select created_at, fill_percentage, lag(created_at) over earlier as before_at,
           lag(fill_percentage) over earlier as before_fill
    from telemetry
    where tank_key = tank and created_at >= reported_at - interval '336 hours' and created_at <= reported_at
    window earlier as (order by created_at)
  ) pair
  where created_at - before_at <= silent_after_seconds * interval '1 second'
    and round((fill_percentage - before_fill) * 1e6) < 5e6
    and round((before_fill - fill_percentage) * 1e6) <= 20e6`;
