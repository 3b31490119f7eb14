// The plan: who gets a delivery this week, by day, on the map, on paper and as a file; and the forecast in the list and in a tank's plot.
import { describe, expect, it } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { Forecasting } from '../../src/forecasts/forecasting.js';
import { until } from '../faults/support/until.js';
import { insertCustomer, writeReadings } from '../support/builders.js';
import { listed, search, startFleet, type VisitOptions } from './support/fleet-page.js';
import { addTank, hourly } from './support/tanks.js';

const DAYS = 24;

/** So many points a day for twenty days, down to this level. */
const use = (perDay: number, level: number) => hourly(20 * DAYS, 0, level + 20 * perDay, level);

const { sql, open } = await startFleet(undefined, { environment: { FILL_TO_PERCENT: '80' } });
const phone = '+31 10 555 0142';
await insertCustomer(sql, { id: 'harbor', name: 'Harbor Hotel', email: 'a@harbor.example', phone });
await insertCustomer(sql, { id: 'farm', name: 'Hill Farm', email: 'b@farm.example', phone: null });
const place = { street: 'Maaskade', street_number: '12', postal_code: '3071 NB', city: 'Rotterdam' };
const spot = { ...place, country: 'Netherlands', latitude: 51.9, longitude: 4.5 };
await addTank(
  sql,
  'farm',
  { id: 'low', name: 'Boiler', custom_id: '=1+2', longitude: -1.5, latitude: 9 },
  use(1, 12),
);
await addTank(sql, 'harbor', { id: 'soon', name: 'Kitchen', capacity: 1_000, ...spot }, use(2, 25));
await addTank(sql, 'harbor', { id: 'week', name: 'Laundry', capacity_unit: 'gallons' }, use(2, 34));
await addTank(sql, 'farm', { id: 'later', name: 'Barn' }, use(0.5, 70));
await addTank(sql, 'farm', { id: 'dry', name: 'Stable', min_fill_alert_percentage: 0 }, use(0.1, 4));
await new Forecasting(sql, () => Date.now()).run();

async function openPlan(more = '', options: VisitOptions = {}): Promise<Page> {
  const page = await open(`?view=plan${more}`, options);
  await listed(page);
  return page;
}

const tick = (page: Page, name: string) => page.getByRole('checkbox', { name }).check();

describe('the plan', () => {
  it('lists who reaches the alert, by day, with how much fits and whom to call', async () => {
    const page = await openPlan();
    expect(await listed(page)).toEqual(['Boiler', 'Kitchen', 'Laundry']);
    expect(await page.locator('.plan-day').first().innerText()).toMatch(
      /^\s*May be empty \w{3},? \d+ \w{3} \d tanks?, /,
    );

    await page.getByLabel('Order').selectOption('alert_at');
    await page.waitForURL('**sort=alert_at');
    const [reached, inDays] = await page.locator('.plan-day').allInnerTexts();
    expect(reached).toMatch(/^\s*Reached its alert 1 tank, 1,836 L$/);
    expect(inDays).toMatch(/^\s*Alert \w{3},? \d+ \w{3} 1 tank, 550 L$/);
    const soon = page.locator('tr', { has: page.locator('[data-tank="soon"]') });
    expect((await soon.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
      /Kitchen .* Harbor Hotel Rotterdam, Netherlands · \+31 10 555 0142 .*25 % 250 L of 1,000 L , Alert at 20 % Empty .* Alert \w+ 550 L/,
    );

    await page.getByRole('link', { name: '3 days' }).click();
    await page.waitForURL('**until=3');
    expect(await listed(page)).toEqual(['Boiler', 'Kitchen']);
    await page.getByLabel('Fill to, in %').fill('50');
    await page.keyboard.press('Tab');
    expect(await search(page)).toBe('?view=plan&sort=alert_at&until=3&fill_to=50');
    await page.getByText('Reached its alert 1 tank, 1,026 L').waitFor();

    await page.getByRole('button', { name: 'Show on map' }).click();
    await page.locator('.map-image .mark').first().waitFor();
    await page.getByRole('link', { name: 'Plan', exact: true }).click();
    await page.getByText('Reached its alert 1 tank, 1,026 L').waitFor();
    expect(await search(page)).toBe('?view=plan&sort=alert_at&until=3&fill_to=50');
  });

  it('counts what is chosen, keeps it, and shows it on the map', async () => {
    const page = await openPlan('&sort=alert_at');
    await tick(page, 'Kitchen, Harbor Hotel');
    await tick(page, 'Laundry, Harbor Hotel');
    const bar = page.getByRole('group', { name: 'What is chosen' });
    expect((await bar.getByRole('status').innerText()).replaceAll(/\s+/g, ' ')).toBe(
      '2 chosen 550 L and 1,242 gal',
    );
    await page.reload();
    await bar.getByText('2 chosen').waitFor();
    // Whatever is searched for, beside what the truck holds.
    await page.getByLabel('Search').fill('boiler');
    await page.waitForURL('**q=boiler**');
    expect(await listed(page)).toEqual(['Boiler']);
    await page.getByLabel('Truck holds').fill('5000');
    await page.keyboard.press('Tab');
    await bar.getByText('5,251 L of 5,000 L, 251 L too much').waitFor();
    await page.getByLabel('Search').fill('');
    await page.getByLabel('Truck holds').fill('');
    await page.keyboard.press('Tab');

    await bar.getByRole('button', { name: 'Show on map' }).click();
    await page.locator('.map-image [data-tank="soon"]').waitFor();
    expect(await page.locator('.map-image .mark').count()).toBe(1);
    await page.getByText('1 tank without a position').waitFor();
    await page.goBack();

    await bar.getByText('2 chosen').waitFor();
    await tick(page, 'All of Reached its alert');
    await bar.getByText('3 chosen').waitFor();
  });

  it('says what a search does not match, in both languages, and how many are due without it', async () => {
    const page = await openPlan();
    const searchFor = (text: string) => page.getByRole('searchbox').fill(text);
    await searchFor('germany');
    await page.getByText('No tank matches germany; 3 are due without it').waitFor();
    await searchFor('barn');
    await page.getByText('None of 1 tank that matches barn is due; 3 are due without it').waitFor();
    await searchFor('niederlande');
    await page.getByText(/^1 tank may reach its alert by /).waitFor();
    expect(await listed(page)).toEqual(['Kitchen']);
    const german = await open('?view=plan&q=germany', { locale: 'de-DE' });
    await german.getByText('Kein Tank passt zu germany; ohne die Suche sind 3 fällig').waitFor();
    await german.goto(german.url().replace('q=germany', 'use_case=industrial'));
    await german.getByText('Kein fälliger Tank passt zu den Filtern; ohne sie sind 3 fällig').waitFor();
  });

  it('says no number before it is known', async () => {
    const page = await openPlan();
    const searches = /\/v1\/fleet.*q=kitchen/;
    const gate = new EventEmitter();
    const opened = once(gate, 'open');
    await page.route(searches, (route) => opened.then(() => route.continue()));
    await page.getByRole('searchbox').fill('kitchen');
    await page.locator('.results .summary').getByText('Loading…').waitFor();
    expect(await page.locator('.count-number').allTextContents()).not.toContainEqual(
      expect.stringMatching(/\d/),
    );
    expect(await page.getByRole('group', { name: 'What is chosen' }).innerText()).not.toMatch(/\d/);
    gate.emit('open');
    await page.getByText(/^1 tank may reach its alert by /).waitFor();
  });

  it('prints what a driver needs and nothing else', async () => {
    const page = await openPlan('', { colorScheme: 'dark' });
    await tick(page, 'Kitchen, Harbor Hotel');
    await page.getByText('+31 10 555 0142').first().waitFor();
    await page.evaluate(() =>
      Object.assign(window, {
        print: () => {
          dispatchEvent(new Event('beforeprint'));
          document.body.setAttribute('printed', '');
        },
      }),
    );

    await page.getByRole('button', { name: 'Print' }).click();
    await page.emulateMedia({ media: 'print' });

    expect(await page.locator('body[printed]').count()).toBe(1);
    expect((await page.locator('body').innerText()).replaceAll(/\s+/g, ' ').trim()).toMatch(
      /^Done Address Phone Tank Level Empty Amount ☐ Harbor Hotel Maaskade 12 3071 NB Rotterdam Netherlands \+31 10 555 0142 Kitchen 25 % \w.* 550 L$/,
    );
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await page.locator('.sheet').count()).toBe(0);
  });

  it('is a file for a spreadsheet', async () => {
    const page = await openPlan();
    await page.getByText('+31 10 555 0142').first().waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);

    const [head, ...rows] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
    // By the mark, spreadsheets know that it is UTF-8.
    expect(head).toMatch(/^\uFEFFtank_id,name,custom_id,owner_name,phone,city,.*,amount,capacity_unit$/);
    expect(rows.map((row) => row.split(',')[0])).toEqual(['low', 'soon', 'week']);
    // No text in it is a formula; numbers are as they are.
    expect(rows[0]).toMatch(/^low,Boiler,'=1\+2,Hill Farm,.*,-1\.5,/);
    expect(rows[1]).toMatch(
      /^soon,Kitchen,.*,'\+31 10 555 0142,Rotterdam,.*,3071 NB,,Maaskade,12,false,.*,25,550,liters$/,
    );
  });
});

describe('a state', () => {
  it('is never OK of a tank that is nearly empty or soon due, whatever its threshold', async () => {
    const page = await open();

    expect(await listed(page)).toEqual(['Stable', 'Boiler', 'Kitchen', 'Laundry', 'Barn']);
    const states = await page.locator('.tanks .cell-state').allInnerTexts();
    expect(states).toEqual(['Nearly empty', 'Low', 'Due soon', 'OK', 'OK']);
    expect(await page.locator('.tanks .cell-due .first').first().innerText()).toBe('No alert');
    expect(await page.locator('.tanks tbody tr').first().locator('.level-alert, .level-ok').count()).toBe(0);
  });
});

describe('a forecast', () => {
  it('is a column and an order of the list', async () => {
    const page = await open();
    await listed(page);
    await page.getByRole('columnheader', { name: 'Alert in' }).getByRole('link').click();
    await page.waitForURL('**sort=alert_at');

    expect(await listed(page)).toEqual(['Boiler', 'Kitchen', 'Laundry', 'Stable', 'Barn']);
    expect(await page.locator('th[aria-sort="ascending"]').innerText()).toContain('Alert in');
    const cells = await page.locator('.tanks .cell-due .first').allInnerTexts();
    expect([cells[0], cells[3]]).toEqual(['Reached', 'No alert']);
    expect([...cells.slice(1, 3), cells[4] ?? ''].every((text) => /^[\d.]+ (hours|days)$/.test(text))).toBe(
      true,
    );
  });

  it('goes on in the plot from now, and says how good it was', async () => {
    const page = await open('?tank=soon');
    const slider = page.getByRole('slider', { name: 'Level over time' });
    await page.getByText('can be told once 20 of them have come due').waitFor();
    await slider.focus();

    const expected = /^Expected .*: [\d.]+ % \([\d.]+ % to [\d.]+ %\)$/;
    await until('the end of the plot is what is expected', async () => {
      await page.keyboard.press('End');
      return expected.test((await slider.getAttribute('aria-valuetext')) ?? '');
    });
    expect(await page.locator('.forecast').innerText()).toMatch(/Alert in\s+[\d.]+ (hours|days)/);
  });

  it('of a tank that was just refilled is of its new level: it is not due any more, in the list and in the plan', async () => {
    await writeReadings(sql, 'soon', [{ created_at: new Date().toISOString(), fill_percentage: 80 }]);
    await new Forecasting(sql, () => Date.now()).run();
    expect(await listed(await openPlan())).toEqual(['Boiler', 'Laundry']);
    const page = await open();
    await listed(page);
    const row = page.locator('tr', { has: page.locator('[data-tank="soon"]') });
    expect((await row.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/80 % .* (29|30)(\.\d)? days .*OK/);
  });
});
