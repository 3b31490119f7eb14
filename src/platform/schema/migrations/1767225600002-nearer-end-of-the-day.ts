// A tank with thousands of readings a day: deep pages find their first row from the nearer end of its day, and from the index
// alone, instead of passing over the day's rows one by one.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TELEMETRY_PAGE } from './1767225600001-counted-lists.js';

export class NearerEndOfTheDay1767225600002 implements MigrationInterface {
  readonly name = 'NearerEndOfTheDay1767225600002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TELEMETRY_PAGE_FROM_NEARER_END);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(TELEMETRY_PAGE);
  }
}

// More than 500 rows are passed over only within a day that telemetry_locate() has walked to: "newest" is its end, and the
// page's first row is one of its rows. An instant is one reading of a tank, so the row is known by it.
export const TELEMETRY_PAGE_FROM_NEARER_END = `
  create or replace function telemetry_page(
    tank_id text, visible_owner_id text, since timestamptz, until timestamptz, skip bigint, size integer
  ) returns table (total bigint, created_at timestamptz, fill_percentage double precision)
  language plpgsql stable rows 10 as $$
  declare
    tank bigint;
    page record;
    rows_of_day bigint;
    first_row timestamptz;
  begin
    select key into tank from tanks
    where id = tank_id and (visible_owner_id is null or owner_id = visible_owner_id);
    if tank is null then return; end if;

    page := telemetry_locate(tank, since, until, skip);
    if page.passed > 500 then
      select n into rows_of_day from telemetry_counts
      where tank_key = tank and level = 2 and start = (page.newest at time zone 'UTC')::date - 1;
      if page.passed <= rows_of_day / 2 then
        select reading.created_at into first_row from telemetry reading
        where reading.tank_key = tank and reading.created_at < page.newest
        order by reading.created_at desc offset page.passed limit 1;
      else
        select reading.created_at into first_row from telemetry reading
        where reading.tank_key = tank and reading.created_at >= page.newest - interval '24 hours'
        order by reading.created_at offset rows_of_day - page.passed - 1 limit 1;
      end if;
      page.newest := first_row + interval '1 millisecond';
      page.passed := 0;
    end if;

    return query
      select page.total, reading.created_at, reading.fill_percentage
      from telemetry reading
      where reading.tank_key = tank and reading.created_at >= since and reading.created_at < page.newest
      order by reading.created_at desc offset page.passed limit size;
    if not found then
      return query select page.total, null::timestamptz, null::double precision;
    end if;
  end $$`;
