// The fleet page on the demo fleet: who runs dry, who has gone silent, and the ways through it.
import { describe, expect, it } from '@jest/globals';
import { fillWithDemoFleet } from '../../src/demo/fill.js';
import type { Fleet, List, TankStatus } from 'tank-monitoring-client';
import { keysOf, openDatabase } from '../support/operator.js';
import { listed, PHONE, rowOf, search, startFleet, type VisitOptions } from './support/fleet-page.js';

const { database, operator } = await openDatabase();
await fillWithDemoFleet(operator, Date.now());
const demoKey = await keysOf(operator).create({ name: 'demo', customerId: null, expiresAt: null });
const demo = await startFleet(['read'], { database, demoKey });

/** Nobody has to sign in to the demo. */
const open = (address = '', options: VisitOptions = {}) => demo.open(address, { ...options, key: undefined });

async function ask<T>(path: string): Promise<T> {
  const { body } = await demo.api.get(`/v1/${path}`).expect(200);
  return body as T;
}

async function tanks(query: string): Promise<readonly TankStatus[]> {
  return (await ask<List<TankStatus>>(`fleet/tanks?size=50&${query}`)).data;
}

describe('at a glance', () => {
  it('shows how many tanks are low, silent, have never reported, and are there at all', async () => {
    const fleet = await ask<Fleet>('fleet');

    const page = await open();
    await listed(page);
    await page.locator('.count-all').getByText(String(fleet.tanks), { exact: true }).waitFor();

    const numbers = await page.locator('.count-number').allTextContents();
    expect(numbers).toEqual([fleet.low, fleet.silent, fleet.never_reported, fleet.tanks].map(String));
    expect(await page.locator('.as-of').innerText()).toMatch(/^As of \d\d:\d\d:\d\d$/);
  });

  it('answers who runs dry: the low ones, the emptiest first', async () => {
    const low = await tanks('low=true&sort=fill_percentage');
    const page = await open();

    await page.getByRole('link', { name: /^Low/ }).click();
    await page.waitForURL('**/fleet?low=true');

    expect(low.length).toBeGreaterThan(0);
    expect(await listed(page)).toEqual(low.map(({ name }) => name));
    for (const { tank_id: id, owner_name: owner } of low.slice(0, 5)) {
      const row = await rowOf(page, id);
      expect(row).toContain(owner ?? 'Owner deleted');
      expect(row).toMatch(/\d %.* of [\d,.]+ (L|gal).* ago.*Low/);
    }
  });

  it('answers who has gone silent: the longest silent first, their old levels in grey', async () => {
    const silent = await tanks('silent=true&sort=reported_at');
    const page = await open('?silent=true');

    expect(silent.length).toBeGreaterThan(0);
    expect(await listed(page)).toEqual(silent.map(({ name }) => name));
    const [first] = silent;
    expect(await rowOf(page, first?.tank_id ?? '')).toContain('Silent');
    const colourOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).color);
    const ofText = await colourOf('h1');
    for (const grey of ['.row-old .figure', '.second']) expect(await colourOf(grey)).not.toBe(ofText);
    expect(await page.locator('.row-old .level-ok, .row-old .level-low').count()).toBe(0);
  });
});

describe('the words', () => {
  it('are those of the browser’s language, as are dates and numbers', async () => {
    const page = await open('', { locale: 'de-DE' });
    await page.getByRole('heading', { level: 1, name: 'Flotte' }).waitFor();
    await listed(page);

    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    expect(await page.locator('.summary').innerText()).toMatch(/^\d+ Tanks, leerste zuerst/);
    const [lowest] = await tanks('low=true&sort=fill_percentage');
    expect(await rowOf(page, lowest?.tank_id ?? '')).toMatch(
      /\d(,\d)? %.* von [\d.]+(,\d)? (L|gal).* vor \d+ .*(Niedrig|Fast leer)/,
    );
  });
});

describe('a screen', () => {
  it('holds nine tanks at 1280 × 800 and three on a phone; at 1920 it has more columns', async () => {
    const page = await open('', { viewport: { width: 1280, height: 800 } });
    await listed(page);
    const whole = () =>
      page
        .locator('.tanks tbody tr')
        .evaluateAll(
          (rows) => rows.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length,
        );
    const columns = () => page.locator('.tanks thead th:visible').count();
    expect(await whole()).toBeGreaterThanOrEqual(9);
    expect(await columns()).toBe(6);
    expect(await page.locator('.page-head').innerText()).toMatch(
      /Demo\s+Fleet\s+Runs\s+Events\s+Customers\s+Settings\s+demo\s+Sign out/,
    );

    await page.setViewportSize(PHONE);
    expect(await whole()).toBeGreaterThanOrEqual(3);
    await page.setViewportSize({ width: 1920, height: 1080 });
    expect(await columns()).toBe(8);
  });
});

describe('filters and pages', () => {
  it('searches as one types, and by use case, and says how many are left', async () => {
    const page = await open();
    await listed(page);

    await page.getByLabel('Search').fill('hotel');
    await page.waitForURL('**/fleet?q=hotel');
    await page.getByLabel('Use case').selectOption('commercial');
    await page.waitForURL('**/fleet?use_case=commercial&q=hotel');

    const expected = await tanks('q=hotel&use_case=commercial');
    expect(expected.length).toBeGreaterThan(0);
    expect(await listed(page)).toEqual(expected.map(({ name }) => name));
    expect(await page.locator('.summary').innerText()).toMatch(
      new RegExp(`^${expected.length} tanks?, emptiest first`),
    );
  });
});

describe('the address', () => {
  it('holds the whole view, and opens it elsewhere', async () => {
    const first = await open('?silent=true');
    const names = await listed(first);
    await first.locator('[data-tank]').first().click();
    await first.getByRole('link', { name: '7 d' }).click();
    await first.waitForURL('**span=7d');
    const address = await search(first);

    const second = await open(address);
    await second.getByRole('heading', { level: 1, name: names[0] ?? '' }).waitFor();
    await second.getByRole('link', { name: '7 d' }).and(second.locator('[aria-current]')).waitFor();
    await second.getByRole('link', { name: 'Back to the list' }).click();

    expect(address).toMatch(/^\?silent=true&tank=[^&]+&span=7d$/);
    expect(await listed(second)).toEqual(names);
  });
});

describe('the map', () => {
  it('has land, borders and the names of places, without asking another host', async () => {
    const page = await open('?view=map&at=50.5,10.2,4');
    await page.locator('.map-name span').first().waitFor();
    // In the middle is Germany, which is painted; the sea is not.
    await page.waitForFunction(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('.leaflet-overlay-pane canvas');
      const copy = new OffscreenCanvas(1, 1).getContext('2d');
      if (canvas) copy?.drawImage(canvas, -canvas.width / 2, -canvas.height / 2);
      return copy?.getImageData(0, 0, 1, 1).data[3] === 255;
    });
    expect(await page.locator('.map-name').count()).toBeGreaterThan(3);
  });

  it('comes nearer until the tanks of a place are told apart or listed', async () => {
    const page = await open('?view=map&low=true');
    await page.locator('.map-image .mark').first().waitFor();

    for (let step = 0; step < 12; step += 1) {
      const cluster = page.locator('.map-image g.mark[role="button"]').first();
      if ((await page.locator('.tank-links h2').count()) > 0 || (await cluster.count()) === 0) break;
      await cluster.click();
    }
    const reachable = page.locator('.tank-links [data-tank], .map-image [data-tank]').first();
    await reachable.click();

    await page.locator('article h1').waitFor();
    expect(await search(page)).toMatch(/^\?view=map&low=true(?:&at=[^&]+)?&tank=/);
  });
});
