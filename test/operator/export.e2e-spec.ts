// What an export writes: the API's own objects from one snapshot, and enough of them to make the database's twin.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { toCustomerResponse, type CustomerRow } from '../../src/customers/dto/customer.response.js';
import { exportLines } from '../../src/operator/export/export-lines.js';
import { toTankResponse, type TankRow } from '../../src/tanks/dto/tank.response.js';
import {
  aTank,
  clear,
  insertCustomers,
  insertFleetOf,
  insertReadings,
  insertTanks,
} from '../support/builders.js';
import { runCli, runCliOn, startCli } from '../support/cli.js';
import { contentsOf } from '../support/contents.js';
import { openPool } from '../support/database.js';
import { createTestDatabase } from '../support/test-database.js';
import { openDatabase } from '../support/operator.js';

const { url: databaseUrl, sql, operator } = await openDatabase({ max: 4 });

beforeEach(() => clear(sql));

const ODD_TEXT = 'tab\t, line\r\n, "quote", back\\slash \\N \\., \u0001\u0002\u001f, é, 日本, 🛢';

/** A bit of everything: deleted objects, empty and full fields, odd texts, far instants, hard numbers. */
async function fill(): Promise<void> {
  await insertCustomers(sql, [
    { id: 'c1', created_at: '0001-01-01T00:00:00.001Z', updated_at: '9999-12-31T23:59:59.999Z' },
    {
      id: 'c2',
      deleted: true,
      name: ODD_TEXT,
      phone: '',
      is_verified: true,
      verified_at: '2026-01-31T08:15:30.120Z',
      last_seen_at: '2026-01-31T08:15:30Z',
    },
    { id: ODD_TEXT },
  ]);
  await insertTanks(sql, [
    aTank('c1', { id: 't2', capacity: 0.1 + 0.2, capacity_unit: 'gallons', latitude: -89.999999999999 }),
    aTank('c1', { id: 't1', deleted: true, city: ODD_TEXT, custom_id: 'x', use_case: 'industrial' }),
    aTank('c2', { id: ODD_TEXT, capacity: 1e21, longitude: 1e-7 }),
  ]);
  for (const tank of ['t1', 't2', ODD_TEXT]) {
    await insertReadings(sql, tank, [
      { created_at: '2026-01-31T08:15:30.120Z', fill_percentage: 100 / 3 },
      { created_at: '2026-01-31T08:15:30.119Z', fill_percentage: 1e-7 },
      { created_at: '0001-01-01T00:00:00.000Z', fill_percentage: 0 },
    ]);
  }
}

async function exported(...args: string[]): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await runCli(databaseUrl, 'export', ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout === '' ? [] : stdout.trimEnd().split('\n').map(parse);
}

const parse = (line: string) => JSON.parse(line) as Record<string, unknown>;
const asText = (column: string) => `${column}::text as ${column}`;
/** An object as the API shows it, as the line of an export. */
const asLine = ({ deleted }: { deleted: boolean }, response: object): object =>
  Object.assign(response, deleted ? { deleted } : {});
/** Which objects and readings they are. */
const told = (lines: Record<string, unknown>[]) =>
  lines.map(({ id, fill_percentage }) => id ?? fill_percentage);

describe('tank-monitoring export', () => {
  it('writes the objects as the API shows them, deleted ones whole, in one order, which an import needs', async () => {
    await fill();
    const customers = await sql.query<CustomerRow>(`
      select *, ${['created_at', 'updated_at', 'verified_at', 'last_seen_at'].map(asText).join(', ')},
        (select count(*)::int from tanks where owner_id = customers.id and not tanks.deleted) as tank_count
      from customers order by id`);
    const tanks = await sql.query<TankRow>(
      `select *, ${asText('created_at')}, ${asText('updated_at')} from tanks order by id`,
    );
    const lines = await exported();
    expect(lines.slice(0, 6)).toEqual([
      ...customers.rows.map((row) => asLine(row, toCustomerResponse(row))),
      ...tanks.rows.map((row) => asLine(row, toTankResponse(row))),
    ]);
    expect(lines.slice(6).map(({ tank_id, fill_percentage }) => [tank_id, fill_percentage])).toEqual(
      ['t1', 't2', ODD_TEXT].flatMap((tank) => [0, 1e-7, 100 / 3].map((percentage) => [tank, percentage])),
    );
    expect(lines.slice(6)).toContainEqual({
      object: 'telemetry',
      tank_id: ODD_TEXT,
      created_at: '2026-01-31T08:15:30.120Z',
      fill_percentage: 100 / 3,
    });
  });

  it('into an import makes an identical database', async () => {
    await fill();
    const twin = await createTestDatabase();
    const twinSql = openPool(twin.url);
    try {
      const { stdout } = await runCli(databaseUrl, 'export');
      expect(await runCliOn(stdout, twin.url, 'import', '-')).toMatchObject({ code: 0 });
      expect(await contentsOf(twinSql)).toEqual(await contentsOf(sql));
      expect(await runCli(twin.url, 'counts', 'verify')).toMatchObject({ code: 0 });
      const back = await runCliOn(stdout, databaseUrl, 'import', '--json', '-');
      expect(parse(back.stdout)).toMatchObject({
        customers: { inserted: 0, updated: 0, deleted: 0, unchanged: 3 },
        tanks: { inserted: 0, updated: 0, deleted: 0, unchanged: 3 },
        telemetry: { inserted: 0, updated: 0, unchanged: 9 },
      });
    } finally {
      await twinSql.end();
      await twin.drop();
    }
  });

  it('writes only the kinds that are named, in its own order', async () => {
    await fill();
    const kinds = (await exported('telemetry', 'customers')).map(({ object }) => object);
    expect([...new Set(kinds)]).toEqual(['customer', 'telemetry']);
  });

  it('writes with --since what was updated, or read, at or after it', async () => {
    await insertCustomers(sql, [
      { id: 'c1', created_at: '2020-01-01T00:00:00Z', updated_at: '2026-01-31T00:00:00.000Z' },
      { id: 'c2', created_at: '2020-01-01T00:00:00Z', updated_at: '2026-01-30T23:59:59.999Z' },
    ]);
    await insertTanks(sql, [aTank('c1', { id: 't1', updated_at: '2026-02-01T00:00:00Z' })]);
    await insertReadings(sql, 't1', [
      { created_at: '2026-01-31T00:00:00.000Z', fill_percentage: 1 },
      { created_at: '2026-01-30T23:59:59.999Z', fill_percentage: 2 },
    ]);
    expect(told(await exported('--since', '2026-01-31'))).toEqual(['c1', 't1', 1]);
    expect(told(await exported('--since', '2026-01-31T00:00:00.0001Z'))).toEqual(['t1']);
    expect(told(await exported('--since', '2026-01-31T00:00'))).toEqual(['c1', 't1', 1]);
  });

  it('exits 2 for a kind or a time it does not know', async () => {
    expect(await runCli(databaseUrl, 'export', 'tank')).toMatchObject({ code: 2, stdout: '' });
    expect(await runCli(databaseUrl, 'export', '--since', 'now')).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('a large export', () => {
  const READINGS = 60_000;

  beforeEach(async () => {
    await insertFleetOf(sql, { c1: ['t1'] });
    await sql.query(`
      insert into telemetry
      select key, timestamptz '2026-01-01Z' + n * interval '1 minute', n % 100
      from tanks, generate_series(1, ${READINGS}) n`);
  });

  it('ends quietly when its reader has seen enough', async () => {
    const { child, result } = startCli(databaseUrl, 'export');
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect(await result).toMatchObject({ code: 0, stderr: '' });
  });

  it('shows one snapshot, and holds little of it', async () => {
    let lines = 0;
    const reader = new PassThrough({ highWaterMark: 1 });
    const done = exportLines(operator, reader).finally(() => reader.end());
    await once(reader, 'readable');
    await sql.query('delete from telemetry; update tanks set deleted = true');
    for await (const chunk of reader) lines += String(chunk).split('\n').length - 1;
    await done;
    expect(lines).toBe(READINGS + 2);
    expect(await sql.query('select from telemetry')).toMatchObject({ rowCount: 0 });
  });
});
