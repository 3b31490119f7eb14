// A few tanks, each of which shows one thing, with readings that are minutes or days old now.
import {
  insertCustomer,
  insertReadings,
  insertTank,
  type ReadingFields,
  type TankFields,
} from '../../support/builders.js';
import type { Pool } from 'pg';

const HOUR = 3_600_000;

/** A reading an hour from `fromHours` ago to `toHours` ago, falling evenly between two levels. */
export function hourly(fromHours: number, toHours: number, from: number, to: number): ReadingFields[] {
  const steps = fromHours - toHours;
  const now = Date.now();
  return Array.from({ length: steps + 1 }, (_, index) => ({
    created_at: new Date(now - (fromHours - index) * HOUR).toISOString(),
    fill_percentage: Math.round((from + ((to - from) * index) / Math.max(1, steps)) * 100) / 100,
  }));
}

export async function addTank(
  sql: Pool,
  owner: string,
  fields: Partial<TankFields>,
  readings: readonly ReadingFields[],
): Promise<TankFields> {
  const tank = await insertTank(sql, owner, fields);
  await insertReadings(sql, tank.id, readings);
  return tank;
}

/** One of each state: low, silent, both, never reported, fine, and one with a gap and a refill behind it. */
export async function addSmallFleet(sql: Pool): Promise<void> {
  await insertCustomer(sql, {
    id: 'harbor',
    name: 'Harbor Hotel',
    email: 'office@harbor.example',
    phone: '+31 10 555 0142',
  });
  await insertCustomer(sql, { id: 'farm', name: 'Hill Farm', email: 'hill@farm.example', phone: null });
  const rotterdam = { city: 'Rotterdam', country: 'Netherlands', latitude: 51.9, longitude: 4.5 };
  const place = { ...rotterdam, street: 'Maaskade', street_number: '12', postal_code: '3071 NB' };
  await addTank(sql, 'harbor', { id: 'low', name: 'Boiler house', ...place }, hourly(240, 0, 60, 12));
  await addTank(sql, 'harbor', { id: 'fine', name: 'Kitchen', ...place }, hourly(240, 0, 90, 70));
  await addTank(
    sql,
    'farm',
    { id: 'silent', name: 'Greenhouse', use_case: 'commercial' },
    hourly(300, 60, 80, 55),
  );
  await addTank(
    sql,
    'farm',
    { id: 'both', name: 'Grain dryer', latitude: 45.7, longitude: 4.8 },
    hourly(300, 90, 40, 8),
  );
  await addTank(sql, 'farm', { id: 'never', name: 'Brooder barn' }, []);
  await addTank(sql, 'farm', { id: 'eventful', name: 'Farmhouse', latitude: -33.9, longitude: 151.2 }, [
    ...hourly(400, 200, 70, 30),
    ...hourly(150, 50, 25, 15),
    ...hourly(49, 0, 90, 80),
  ]);
}
