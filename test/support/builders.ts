// Puts customers, tanks and readings into a database, with believable values for whatever a test does not care about.
import { judgeAll } from '../../src/alerts/judging.js';
import type { Pool, PoolClient } from 'pg';
import type { CustomerRow } from '../../src/customers/dto/customer.response.js';
import { storedFields } from '../../src/common/writes/recorded-writes.js';
import type { TankRow } from '../../src/tanks/dto/tank.response.js';
import { Tank } from '../../src/tanks/tank.entity.js';
import type { TelemetryRow } from '../../src/telemetry/dto/telemetry.response.js';
import { workerUrls } from './database.js';

export type CustomerFields = Omit<CustomerRow, 'tank_count'>;
export type TankFields = TankRow;
export type ReadingFields = TelemetryRow;

let built = 0;

/** Each call is a minute later than the one before, so that what is built last is listed first. */
function nextMoment(): { number: number; moment: string } {
  const number = ++built;
  return { number, moment: new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString() };
}

export function aCustomer(fields: Partial<CustomerFields> = {}): CustomerFields {
  const { number, moment } = nextMoment();
  return {
    id: `customer-${number}`,
    created_at: moment,
    updated_at: fields.created_at ?? moment,
    deleted: false,
    email: `customer-${number}@example.com`,
    name: `Customer ${number}`,
    phone: null,
    is_verified: false,
    verified_at: null,
    last_seen_at: null,
    ...fields,
  };
}

export function aTank(owner: string | { readonly id: string }, fields: Partial<TankFields> = {}): TankFields {
  const { number, moment } = nextMoment();
  const { location, ...unsaid } = storedFields(new Tank());
  return {
    ...unsaid,
    ...storedFields(location),
    id: `tank-${number}`,
    owner_id: typeof owner === 'string' ? owner : owner.id,
    created_at: moment,
    updated_at: fields.created_at ?? moment,
    deleted: false,
    name: `Tank ${number}`,
    assigned_device_id: `device-${number}`,
    capacity: 2700,
    capacity_unit: 'liters',
    ...fields,
  };
}

export async function insertCustomers(sql: Pool, fields: readonly Partial<CustomerFields>[]): Promise<void> {
  await insert(sql, 'customers', fields.map(aCustomer));
}

export async function insertTanks(sql: Pool, tanks: readonly TankFields[]): Promise<void> {
  await insert(sql, 'tanks', tanks);
}

/** And judges them, as the background work does a moment later. */
export async function insertReadings(
  sql: Pool,
  tankId: string,
  readings: readonly ReadingFields[],
): Promise<void> {
  await writeReadings(sql, tankId, readings);
  await keepStates(sql);
  await judgeAll(sql);
}

export async function writeReadings(
  sql: Pool,
  tankId: string,
  readings: readonly ReadingFields[],
): Promise<void> {
  await sql.query(
    `insert into telemetry (tank_key, created_at, fill_percentage)
     select tanks.key, reading.created_at, reading.fill_percentage
     from tanks, jsonb_to_recordset($2) reading (created_at timestamptz, fill_percentage float8)
     where tanks.id = $1`,
    [tankId, JSON.stringify(readings)],
  );
}

/** On a cluster, who writes readings by hand keeps the tanks' states as well. */
export async function keepStates(sql: Pool | PoolClient): Promise<void> {
  if (workerUrls().length > 0) await sql.query('select keep_tank_states(array(select key from tanks))');
}

/** Back to an empty database, but for the keys that see everything. */
export async function clear(sql: Pool): Promise<void> {
  await sql.query(`
    delete from api_keys where customer_id is not null;
    delete from sources where customer_id is not null;
    delete from users where customer_id is not null;
    delete from telemetry;
    delete from tanks;
    delete from customers`);
}

/** Nothing but these customers, each with tanks of these ids. */
export async function insertFleetOf(
  sql: Pool,
  tanksOf: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  await clear(sql);
  const customers = Object.keys(tanksOf).map((id) => ({ id }));
  await insertCustomers(sql, customers);
  const tanks = Object.entries(tanksOf).flatMap(([owner, ids]) => ids.map((id) => aTank(owner, { id })));
  await insertTanks(sql, tanks);
}

/** The builder and the insert in one, for the one customer or tank a test needs. */
export async function insertCustomer(
  sql: Pool,
  fields: Partial<CustomerFields> = {},
): Promise<CustomerFields> {
  const customer = aCustomer(fields);
  await insert(sql, 'customers', [customer]);
  return customer;
}

export async function insertTank(
  sql: Pool,
  owner: string | { readonly id: string },
  fields: Partial<TankFields> = {},
): Promise<TankFields> {
  const tank = aTank(owner, fields);
  await insertTanks(sql, [tank]);
  return tank;
}

/** One statement for all rows; their fields are the columns. */
async function insert(sql: Pool, table: 'customers' | 'tanks', rows: readonly object[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  if (columns === '') return;
  await sql.query(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  );
}
