// Alerts over random histories, thresholds, orders and groupings of writes: exactly the events a plain program in memory tells.
import { expect, it } from '@jest/globals';
import { fc } from '../support/cases.js';
import { judgeAll } from '../../src/alerts/judging.js';
import { AlertModel, type ModelReading } from '../support/alert-model.js';
import { aTank, insertCustomers, insertTanks, keepStates } from '../support/builders.js';
import { openDatabase } from '../support/operator.js';
import { holds, PROPERTY_TIMEOUT_MS } from '../support/properties.js';

const { sql } = await openDatabase({ max: 1 });
await insertCustomers(sql, [{ id: 'owner' }]);
let tanks = 0;

const MINUTE = 60_000;

/** Levels near the threshold, its band and the bounds of rises and falls; ages on both sides of history. */
const level = fc.oneof(
  fc.constantFrom(0, 5, 12.4, 17.4, 19.9, 20, 20.1, 24.9, 25, 25.1, 40, 40.1, 41, 60, 80, 99, 100),
  fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10),
);
const minutesAgo = fc.oneof(
  fc.constantFrom(0, 1, 2, 59, 60, 61, 62, 1439, 1440, 1441, 2880, 4320), // often the same again, and around the bounds
  fc.integer({ min: 0, max: 300 }),
  fc.integer({ min: 0, max: 3 * 1440 }),
  fc.integer({ min: 0, max: 12 * 1440 }),
);
const threshold = fc.constantFrom(0, 15, 20, 25, 50, 96, 98, 100);

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      readings: fc.uniqueArray(fc.record({ minutesAgo, fill: level }), {
        minLength: 1,
        maxLength: 6,
        selector: (reading) => reading.minutesAgo,
      }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove newest' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('change newest' as const), fill: level }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('threshold' as const), threshold }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('delete' as const, 'restore' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const shown = (reading: ModelReading | null) =>
  reading && { created_at: new Date(reading.at).toISOString(), fill_percentage: reading.fill };

/** Plays the steps against the database and against the model, and returns what each of them tells. */
async function play(
  first: number,
  steps: readonly Step[],
): Promise<{ told: unknown[]; expected: unknown[] }> {
  const tank = aTank('owner', { id: `tank-of-run-${(tanks += 1)}`, min_fill_alert_percentage: first });
  await insertTanks(sql, [tank]);
  const model = new AlertModel(first);
  // Bounds are whole half minutes: the quarter keeps every age off them, for as long as a run takes.
  const start = Date.now() - MINUTE / 4;
  const stored = new Map<number, number>();
  let isDeleted = false;

  const write = async (written: readonly ModelReading[], removed: readonly number[]): Promise<void> => {
    for (const { at, fill } of written) stored.set(at, fill);
    for (const at of removed) stored.delete(at);
    if (removed.length > 0) {
      await sql.query(
        'delete from telemetry using tanks where tanks.key = tank_key and tanks.id = $1 and telemetry.created_at = any ($2)',
        [tank.id, removed.map((at) => new Date(at))],
      );
      await keepStates(sql);
    }
    if (written.length > 0) {
      await sql.query(
        `begin; select keep_states_last();
         insert into telemetry (tank_key, created_at, fill_percentage)
         select tanks.key, reading.at, reading.fill
         from tanks, jsonb_to_recordset('${JSON.stringify(written.map(({ at, fill }) => ({ at: new Date(at), fill })))}')
              reading (at timestamptz, fill float8)
         where tanks.id = '${tank.id}'
         on conflict (tank_key, created_at) do update set fill_percentage = excluded.fill_percentage;
         select keep_tank_states(array_agg(key)) from tanks where id = '${tank.id}';
         commit`,
      );
    }
    model.write(written, removed, Date.now());
  };

  for (const one of steps) {
    const newest = Math.max(...stored.keys());
    if (one.do === 'write') {
      await write(
        one.readings.map((reading) => ({ at: start - reading.minutesAgo * MINUTE, fill: reading.fill })),
        [],
      );
    } else if (one.do === 'remove newest' && stored.size > 0) await write([], [newest]);
    else if (one.do === 'change newest' && stored.size > 0) await write([{ at: newest, fill: one.fill }], []);
    else if (one.do === 'threshold') {
      await sql.query('update tanks set min_fill_alert_percentage = $2 where id = $1', [
        tank.id,
        one.threshold,
      ]);
      model.setThreshold(one.threshold);
    } else if (one.do === 'delete' && !isDeleted) {
      isDeleted = true;
      await sql.query('update tanks set deleted = true where id = $1', [tank.id]);
      model.delete();
    } else if (one.do === 'restore' && isDeleted) {
      isDeleted = false;
      await sql.query('update tanks set deleted = false where id = $1', [tank.id]);
      model.restore(Date.now());
    }
    await judgeAll(sql);
    await sql.query('select mark_silent_tanks(1000)');
    await judgeAll(sql);
    model.sweep(Date.now());
  }

  const { rows } = await sql.query<{ type: string; data: { reading: object; before: object | null } }>(
    'select type, data from events where tank_id = $1 order by created_at, id',
    [tank.id],
  );
  return {
    told: rows.map(({ type, data }) => ({ type, reading: data.reading, before: data.before })),
    expected: model.events.map(({ type, reading, before }) => ({
      type,
      reading: shown(reading),
      before: shown(before),
    })),
  };
}

it(
  'events are those of the plain model, whatever is written, changed, deleted and restored',
  async () => {
    const property = fc.asyncProperty(
      threshold,
      fc.array(step, { minLength: 1, maxLength: 12 }),
      async (first, steps) => {
        const began = Date.now();
        const { told, expected } = await play(first, steps);
        fc.pre(Date.now() - began < MINUTE / 4); // on a busy machine an age may have come over a bound
        expect(told).toEqual(expected);
      },
    );
    expect(await holds(property, 300)).toBe(true);
  },
  PROPERTY_TIMEOUT_MS,
);
