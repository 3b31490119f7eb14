// A night that is killed between any two of its statements, or done by several processes at once: nothing is skipped or counted twice.
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { Forecasting } from '../../src/forecasts/forecasting.js';
import { startService } from '../support/app.js';
import { insertFleetOf, writeReadings } from '../support/builders.js';
import { dying } from '../support/dying.js';

const { sql } = await startService();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const TANKS = ['a', 'b', 'c', 'd'];
let now = 0;

const made = (database: Pick<Pool, 'connect' | 'query'> = sql) => new Forecasting(database, () => now, 0);

const readings = (days: number, until: number) =>
  Array.from({ length: days * 4 }, (_, i) => ({
    created_at: new Date(until - i * 6 * HOUR).toISOString(),
    fill_percentage: 20 + ((i * 0.4) % 60),
  }));

beforeEach(async () => {
  await sql.query(`
    delete from tank_curves; delete from tank_forecasts; delete from forecast_records; delete from forecast_errors;
    update forecast_fleet set night = 0, round = 0, tanks = 0, state = null, errors = null, feed_position = 0`);
  now = Math.floor(Date.now() / DAY) * DAY + 9 * HOUR;
  await insertFleetOf(sql, { ours: TANKS });
  for (const tank of TANKS) await writeReadings(sql, tank, readings(20, now));
});

async function nextDay(): Promise<void> {
  now += DAY;
  for (const tank of TANKS) await writeReadings(sql, tank, readings(1, now));
}

/** What there is after all, without the moments at which it was made. */
async function everything(): Promise<unknown> {
  const { rows } = await sql.query(`
    select (select json_agg(json_build_array(tank.id, known.read_until, known.settled_day, known.state, encode(known.days, 'hex'))
                            order by tank.id)
            from tank_curves known join tanks tank on tank.key = known.tank_key) as curves,
           (select json_agg(json_build_array(tank.id, record.made_at, record.uses, record.used) order by tank.id, record.made_at)
            from forecast_records record join tanks tank on tank.key = record.tank_key) as records,
           (select json_agg(bin order by bin) from forecast_errors, unnest(bins) bin) as errors,
           (select encode(errors, 'hex') from forecast_fleet) as counted,
           (select json_agg(json_build_array(tank_id, alert_hours) order by tank_id) from tank_states) as alerts`);
  return rows[0];
}

describe('a night', () => {
  it('that is killed between any two statements comes to the same end', async () => {
    await made().run();
    await nextDay();
    const tables = ['tank_curves', 'tank_forecasts', 'forecast_records', 'forecast_errors', 'forecast_fleet'];
    for (const table of tables) await sql.query(`create table kept_${table} as select * from ${table}`);
    await made().run();
    const expected = await everything();

    let kills = 0;
    for (let after = 0; ; after += 1) {
      for (const table of tables) {
        const { rows } = await sql.query<{ columns: string }>(
          `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
           where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
          [table],
        );
        const columns = rows[0]?.columns ?? '';
        await sql.query(`
          delete from ${table};
          insert into ${table} (${columns}) overriding system value select ${columns} from kept_${table}`);
      }
      const { database, hasDied } = dying(sql, after);
      await made(database)
        .run()
        .catch((error: Error) => {
          if (!error.message.includes('killed')) throw error;
        });
      if (!(await hasDied())) break;
      kills += 1;
      await made().run();
      expect(await everything()).toEqual(expected);
    }
    expect(kills).toBeGreaterThan(15);
  });

  it('that several processes do at once comes to the same end', async () => {
    await made().run();
    await nextDay();
    await Promise.all([1, 2, 3].map(() => made().run()));
    const { rows } = await sql.query(
      `select count(*)::integer as n, min(round) = max(round) as same from tank_forecasts where made_at = $1`,
      [new Date(now)],
    );
    expect(rows[0]).toEqual({ n: TANKS.length, same: true });
    const { rows: doubles } = await sql.query(
      `select from forecast_records group by tank_key, made_at having count(*) > 1`,
    );
    expect(doubles).toEqual([]);
  });

  it('goes on beside writers, a deletion and the removal of old readings', async () => {
    await made().run();
    now += DAY;
    await Promise.all([
      made().run(),
      ...TANKS.map((tank) => writeReadings(sql, tank, readings(1, now))),
      sql.query(`update tanks set deleted = true where id = 'a'`),
      sql.query(`delete from telemetry where tank_key = (select key from tanks where id = 'b')`),
    ]);
    await sql.query('select place_changes()');
    now += DAY;
    await made().run();
    const { rows } = await sql.query<{ tank_id: string }>(
      `select tank_id from tank_states where forecast_made_at = $1 order by tank_id`,
      [new Date(now)],
    );
    expect(rows.map(({ tank_id: id }) => id)).toEqual(['c', 'd']);
    const { rows: counts } = await sql.query(`
      select coalesce(sum(n), 0)::integer as n from (
        select n from alert_counts union all select n from alert_count_changes) counted`);
    const { rows: alerts } = await sql.query(
      'select count(*)::integer as n from tank_states where alert_hours[1] is not null',
    );
    expect(counts).toEqual(alerts);
  });
});
