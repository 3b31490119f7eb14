// Twenty thousand tanks: the fleet page asks as seldom and holds as little as with ten.
import { describe, expect, it } from '@jest/globals';
import { until } from '../faults/support/until.js';
import { aTank, insertCustomer, insertTanks } from '../support/builders.js';
import { addressesOf, listed, startFleet } from './support/fleet-page.js';

const TANKS = 20_000;
const isEven = (name: string) => Number(name.slice('Tank '.length)) % 2 === 0;

const { sql, visit } = await startFleet();

const { id } = await insertCustomer(sql, { id: 'everyone', name: 'Everyone' });
const tanks = Array.from({ length: TANKS }, (_, index) =>
  aTank(id, {
    name: `Tank ${index}`,
    city: `City ${index % 100}`,
    // All over the world, but never twice in one place.
    latitude: -50 + ((index * 37) % 1_100) / 10,
    longitude: -170 + ((index * 91) % 3_400) / 10,
  }),
);
await insertTanks(sql, tanks);
await sql.query(`
  insert into tank_sensors (tank_key, profile_id, battery_percent)
  select key, 'em400-udl', case when substr(name, 6)::integer % 2 = 0 then 5 else 90 end from tanks`);
await sql.query(`
  insert into telemetry (tank_key, created_at, fill_percentage)
  select key, now() - (key % 5) * interval '1 day', key % 101 from tanks`);

describe('twenty thousand tanks', () => {
  it('are listed fifty at a time, by six addresses and one for who asks', async () => {
    const { page, asked } = await visit();

    expect(await listed(page)).toHaveLength(50);

    await page.locator('.count-all').getByText('20,000', { exact: true }).waitFor();
    await until('all is asked', () => addressesOf(asked).length >= 7);
    expect(addressesOf(asked)).toHaveLength(7);
    expect(await page.locator('*').count()).toBeLessThan(2_500);
  });

  it('have every low battery of the rows marked, on whatever page', async () => {
    const { page } = await visit('?page=7');
    const rows = await listed(page);

    const marked = page.locator('.tanks tbody tr:has(.icon-low_battery) [data-tank]');
    expect(rows.filter(isEven).length).toBeGreaterThan(0);
    expect(await marked.allTextContents()).toEqual(rows.filter(isEven));
  });

  it('are all on the map, by two pages and a bounded number of marks', async () => {
    const { page, asked } = await visit('?view=map');
    await until('all are placed', async () => {
      const labels = await page
        .locator('.map-image .mark')
        .evaluateAll((marks) => marks.map((mark) => mark.getAttribute('aria-label') ?? ''));
      const placed = labels.map((label) => Number(/^([\d,]+) tanks/.exec(label)?.[1]?.replace(',', '') ?? 1));
      return placed.reduce((sum, n) => sum + n, 0) === TANKS;
    });

    await until('all is asked', () => addressesOf(asked).length >= 6);
    expect(addressesOf(asked)).toEqual([
      '/v1/events?size=10',
      '/v1/fleet',
      '/v1/fleet/tanks?page=1&size=10000',
      '/v1/fleet/tanks?page=2&size=10000',
      '/v1/me',
      '/v1/uplinks?size=1',
    ]);
    expect(await page.locator('*').count()).toBeLessThan(5_000);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    expect(await page.locator('*').count()).toBeLessThan(5_000);
  });
});
