// The counts behind totals and pages: exact after any writes from anywhere, and corrected when something went around them.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { fc } from '../support/cases.js';
import { rebuildCounts, verifyCounts } from '../../src/operator/counts/counts.js';
import { keepStates } from '../support/builders.js';
import { runCli } from '../support/cli.js';
import { openDatabase } from '../support/operator.js';

const WRITERS = 4;
const TANKS = 6;
const NONE = { total: 0, first: [] };

const { url: databaseUrl, sql, operator } = await openDatabase({ max: WRITERS + 2 });

beforeEach(async () => {
  await sql.query('truncate customers cascade');
  await sql.query(`insert into customers (id, email, name) values ('owner', 'e', 'n')`);
  await sql.query(`
    insert into tanks (id, created_at, owner_id, name, assigned_device_id, capacity, capacity_unit, min_fill_alert_percentage)
    select 'tank-' || n, '2026-01-20Z', 'owner', 'n', 'd', 1, 'liters', 0 from generate_series(1, ${TANKS}) n`);
});

/** Months and days that several writers meet in. */
const SOME_TIME = `timestamptz '2026-01-20Z' + floor(random() * 40) * interval '18 hours'`;

/** Writes of one writer. Each keeps to rows of its own, so that nothing but the counts could make writers collide. */
function writes(writer: number): Record<string, string> {
  const mine = (column: string) => `${column} like 'w${writer}-%'`;
  const myReadings = `extract(microseconds from created_at)::int / 1000 % ${WRITERS} = ${writer}`;
  const someReadings = `
    select tank.key, ${SOME_TIME} + (${writer} + ${WRITERS} * floor(random() * 200)) * interval '1 millisecond', random() * 100
    from (select key from tanks where id like 'tank-%' order by random() limit 3) tank, generate_series(1, 20)`;
  const newObject = `'w${writer}-' || new_id(), ${SOME_TIME}, random() < 0.2`;
  return {
    'insert customers': `
      insert into customers (id, created_at, deleted, email, name)
      select ${newObject}, 'e', 'n' from generate_series(1, 15)`,
    'insert tanks': `
      insert into tanks (id, created_at, deleted, owner_id, name, assigned_device_id, capacity, capacity_unit,
                         min_fill_alert_percentage)
      select ${newObject}, 'owner', 'n', 'd', 1, 'liters', 0 from generate_series(1, 15)`,
    'insert readings': `insert into telemetry ${someReadings} on conflict do nothing`,
    'upsert readings': `
      insert into telemetry select distinct on (1, 2) * from (${someReadings}) reading (tank_key, created_at, fill)
      on conflict (tank_key, created_at) do update set fill_percentage = excluded.fill_percentage`,
    'move customers': `update customers set created_at = ${SOME_TIME} where ${mine('id')} and random() < 0.3`,
    'move tanks': `update tanks set created_at = ${SOME_TIME} where ${mine('id')} and random() < 0.3`,
    'move readings': `
      update telemetry set created_at = created_at + interval '400 days'
      where ${myReadings} and created_at < '2027-01-01Z' and random() < 0.2 and not exists (
        select from telemetry moved
        where moved.tank_key = telemetry.tank_key and moved.created_at = telemetry.created_at + interval '400 days')`,
    'delete and restore customers': `update customers set deleted = not deleted where ${mine('id')} and random() < 0.3`,
    'delete and restore tanks': `update tanks set deleted = not deleted where ${mine('id')} and random() < 0.3`,
    'remove customers': `delete from customers where ${mine('id')} and random() < 0.3`,
    'remove tanks': `delete from tanks where ${mine('id')} and random() < 0.3`,
    'remove readings': `delete from telemetry where ${myReadings} and random() < 0.3`,
    'truncate readings': 'truncate telemetry',
  };
}

async function writeAtRandom(writer: number, steps: readonly (readonly [string, boolean])[]): Promise<void> {
  const client = await sql.connect();
  try {
    for (const [name, isUndone] of steps) {
      const statement = writes(writer)[name] ?? '';
      await client.query(isUndone ? `begin; ${statement}; rollback` : statement);
    }
  } finally {
    client.release();
  }
}

describe('the counts equal a recount', () => {
  const step = fc.tuple(
    fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom(...Object.keys(writes(0))) },
      { weight: 30, arbitrary: fc.constantFrom('insert customers', 'insert tanks', 'insert readings') },
    ),
    fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
  );

  it('after random writes from several connections at once, without a deadlock', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(...Array.from({ length: WRITERS }, () => fc.array(step, { minLength: 20, maxLength: 20 }))),
        async (plans) => {
          await Promise.all(plans.map((plan, writer) => writeAtRandom(writer, plan)));
          expect(await verifyCounts(operator)).toEqual(NONE);
        },
      ),
      { numRuns: 8, endOnFailure: true },
    );
    expect(await sql.query('select from list_counts where n > 0')).not.toMatchObject({ rowCount: 0 });
  });

  it.each(['truncate tanks cascade', 'truncate customers cascade', 'delete from telemetry'])(
    'after %s',
    async (statement) => {
      const inserts = ['insert customers', 'insert tanks', 'insert readings'];
      await writeAtRandom(
        0,
        inserts.map((name) => [name, false]),
      );
      await sql.query(statement);
      expect(await verifyCounts(operator)).toEqual(NONE);
    },
  );
});

/** A page of a whole table, found by its counts and by counting. */
function wholeTable(table: string): { counted: string; plain: string } {
  return {
    counted: `
    select page.total, array(
      select id from ${table} where not deleted and created_at >= $1 and created_at < page.newest
      order by created_at desc, id desc offset page.passed limit $4) as rows
    from ${table}_locate($1, $2, $3) page`,
    plain: `
    select count(*) as total, array(
      select id from ${table} where not deleted and created_at >= $1 and created_at < $2
      order by created_at desc, id desc offset $3::bigint limit $4) as rows
    from ${table} where not deleted and created_at >= $1 and created_at < $2`,
  };
}

describe('every page equals that of a plain query', () => {
  const LIMITS = { min: new Date('2025-11-01T00:00:00Z'), max: new Date('2026-03-15T00:00:00Z') };
  const instant = fc.date({ ...LIMITS, noInvalidDate: true }).map((date) => date.toISOString());
  const midnight = instant.map((text) => `${text.slice(0, 10)}T00:00:00.000Z`);
  const question = fc.record({
    since: fc.oneof(fc.constant('-infinity'), instant, midnight),
    until: fc.oneof(fc.constant('infinity'), instant, midnight),
    page: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 600 })),
    size: fc.integer({ min: 1, max: 100 }),
  });
  const SPREAD = `timestamptz '2025-12-01Z' + floor(power(random(), 3) * 70 * 86400) * interval '1 second'`;

  beforeEach(async () => {
    await sql.query(`
      insert into customers (id, email, name, created_at, deleted)
      select 'c' || n, 'e', 'n', ${SPREAD}, random() < 0.1 from generate_series(1, 6000) n`);
    await sql.query(`
      insert into tanks (id, owner_id, name, assigned_device_id, capacity, capacity_unit,
                         min_fill_alert_percentage, created_at, deleted)
      select 't' || n, 'owner', 'n', 'd', 1, 'liters', 0, ${SPREAD}, random() < 0.1
      from generate_series(1, 6000) n`);
    await sql.query(`
      insert into telemetry select key, ${SPREAD}, random() * 100
      from tanks, generate_series(1, 6000) where id = 'tank-1' on conflict do nothing`);
  });

  const LISTS = {
    customers: wholeTable('customers'),
    tanks: wholeTable('tanks'),
    telemetry: {
      counted: `
        select max(total) as total,
               coalesce(array_agg(created_at::text order by created_at desc)
                        filter (where created_at is not null), '{}') as rows
        from telemetry_page('tank-1', null, $1, $2, $3, $4)`,
      plain: `
        select count(*) as total,
               coalesce((array_agg(telemetry.created_at::text order by telemetry.created_at desc))
                        [$3::integer + 1 : $3::integer + $4::integer], '{}') as rows
        from telemetry join tanks on key = tank_key
        where tanks.id = 'tank-1' and telemetry.created_at >= $1 and telemetry.created_at < $2`,
    },
  };

  it.each(Object.entries(LISTS))(
    'of %s, in random ranges',
    async (_, { counted, plain }) => {
      await fc.assert(
        fc.asyncProperty(question, async ({ since, until: end, page, size }) => {
          const values = [since, end, page * size, size];
          const [expected, actual] = await Promise.all([
            sql.query(plain, values),
            sql.query(counted, values),
          ]);
          expect(actual.rows).toEqual(expected.rows);
        }),
        { numRuns: 60 },
      );
    },
    60_000,
  );
});

describe('tank-monitoring counts', () => {
  const MISCOUNT = `
    insert into telemetry select key, '2026-01-20T10:00:00Z', 1 from tanks where id in ('tank-1', 'tank-2');
    update list_counts set n = n + 5 where list = 'customers' and level = 0;
    delete from list_counts where list = 'tanks' and level = 1;
    delete from telemetry_counts using tanks where key = tank_key and tanks.id = 'tank-1' and level = 2;
    insert into telemetry_counts select key, 2, '2020-02-02', 3 from tanks where id = 'tank-2'`;
  const miscount = async () => {
    await sql.query(MISCOUNT);
    await keepStates(sql);
  };

  it('verify is silent on stdout and exits 0 when all are right', async () => {
    expect(await runCli(databaseUrl, 'counts', 'verify')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'All counts are right.\n',
    });
  });

  it('verify tells each wrong count and exits 1', async () => {
    await miscount();
    const { code, stdout, stderr } = await runCli(databaseUrl, 'counts', 'verify');
    expect(code).toBe(1);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['list', 'level', 'start', 'counted', 'actual'],
      ['customers', 'all', '-', '6', '1'],
      ['tanks', 'month', '2026-01-01', '0', '6'],
      ['telemetry of tank-1', 'day', '2026-01-20', '0', '1'],
      ['telemetry of tank-2', 'day', '2020-02-02', '3', '0'],
      [''],
    ]);
    expect(stderr).toBe('4 counts were wrong; "counts rebuild" corrects them.\n');
  });

  it('rebuild corrects the wrong ones, and only those', async () => {
    await miscount();
    const right = `select ctid, xmin from list_counts where list = 'tanks' and level <> 1 order by level`;
    const before = (await sql.query(right)).rows;
    expect(await runCli(databaseUrl, 'counts', 'rebuild')).toMatchObject({
      code: 0,
      stderr: '4 counts were wrong and are right now.\n',
    });
    expect(await verifyCounts(operator)).toEqual(NONE);
    expect((await sql.query(right)).rows).toEqual(before);
    expect(await sql.query('select from telemetry_counts where n = 0')).toMatchObject({ rowCount: 0 });
  });

  it('rebuild waits for writers and counts what they wrote, while readers go on', async () => {
    await miscount();
    const writer = await sql.connect();
    await writer.query('begin');
    await writer.query(`insert into telemetry select key, '2026-01-21Z', 1 from tanks where id = 'tank-1'`);
    await keepStates(writer);
    const rebuilt = rebuildCounts(operator);
    const page = `select total from telemetry_page('tank-1', null, '-infinity', 'infinity', 0, 10)`;
    await expect(Promise.race([rebuilt, sql.query(page)])).resolves.toMatchObject({
      rows: [{ total: '1' }],
    });
    await writer.query('commit');
    writer.release();
    expect((await rebuilt).total).toBe(4);
    expect(await verifyCounts(operator)).toEqual(NONE);
  });
});

const wrongOfDay = (list: string, start: string, counted: string, actual: string) => {
  return { list, level: 'day', start, counted, actual };
};
async function expectCorrected(...first: ReturnType<typeof wrongOfDay>[]): Promise<void> {
  const wrong = { total: first.length, first };
  expect(await verifyCounts(operator)).toEqual(wrong);
  expect(await rebuildCounts(operator)).toEqual(wrong);
  expect(await verifyCounts(operator)).toEqual(NONE);
}

describe('the counts of events', () => {
  const COUNTED = `select type, day::text, n from event_counts order by 1, 2`;

  beforeEach(async () => {
    await sql.query('truncate events cascade');
    await sql.query(`
      insert into events (id, type, created_at, tank_id, owner_id, data)
      select event_id(moment), type, moment, 'tank-1', 'owner', '{}'
      from unnest(array['tank.low', 'tank.silent']) type,
           unnest(array[timestamptz '2026-01-20T23:59:59.999Z', '2026-01-21T00:00:00Z', '2026-01-21T12:00:00Z']) moment`);
  });

  it('equal a recount after events are added, moved and forgotten', async () => {
    expect(await verifyCounts(operator)).toEqual(NONE);
    await sql.query(
      `update events set created_at = '2026-01-22Z' where type = 'tank.low' and created_at < '2026-01-21Z'`,
    );
    await sql.query(`delete from events where type = 'tank.silent' and created_at < '2026-01-21Z'`);

    expect(await verifyCounts(operator)).toEqual(NONE);
  });

  it('that are wrong are told by verify and corrected by rebuild', async () => {
    const right = (await sql.query(COUNTED)).rows;
    await sql.query(`
      update event_counts set n = n + 3 where type = 'tank.low' and day = '2026-01-21';
      delete from event_counts where type = 'tank.silent' and day = '2026-01-20';
      insert into event_counts values ('tank.recovered', '2026-01-19', 1)`);
    await expectCorrected(
      wrongOfDay('events of type tank.low', '2026-01-21', '5', '2'),
      wrongOfDay('events of type tank.recovered', '2026-01-19', '1', '0'),
      wrongOfDay('events of type tank.silent', '2026-01-20', '0', '1'),
    );
    expect((await sql.query(COUNTED)).rows).toEqual(right);
  });
});

describe('the counts of activity', () => {
  it('that are wrong are told by verify and corrected by rebuild, folded or not', async () => {
    await sql.query(`
      insert into activity (created_at, type, object_id, operation, actor)
      select '2026-01-20T23:59:59Z', type, 'o', 'update', 'webhooks resume' from unnest(array['customer', 'tank', 'tank']) type;
      select tidy_activity(0);
      insert into activity (created_at, type, object_id, operation, actor) values ('2026-01-21Z', 'tank', 'o', 'create', 'key1')`);
    expect(await verifyCounts(operator)).toEqual(NONE);
    await sql.query(`
      update activity_counts set n = n + 3 where list in (' ', 'tank ');
      delete from activity_count_changes where list in (' key1', 'tank key1')`);
    await expectCorrected(
      wrongOfDay('activity', '2026-01-20', '6', '3'),
      wrongOfDay('activity by key1', '2026-01-21', '0', '1'),
      wrongOfDay('activity of type tank', '2026-01-20', '5', '2'),
      wrongOfDay('activity of type tank by key1', '2026-01-21', '0', '1'),
    );
    const located = `select total from activity_locate('tank', null, '-infinity', 'infinity', 0)`;
    expect((await sql.query(located)).rows).toEqual([{ total: '3' }]);
  });
});
