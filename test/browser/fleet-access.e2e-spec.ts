// The fleet page is for everyone: by keyboard alone, to a screen reader, in dark, in forced colours, on a phone, enlarged, and
// without anything that jumps.
import { describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { chirpStack, device, EUI, send, setSensor } from '../support/uplinks.js';
import { DESK, expectFocus, listed, PHONE, search, startFleet, tabTo } from './support/fleet-page.js';
import { addSmallFleet } from './support/tanks.js';

const scopes = ['read', 'tanks:write', 'telemetry:write', 'runs:write', 'keys', 'users'] as const;
const { service, sql, key, api, open } = await startFleet(scopes);
await sql.query(
  "insert into users (issuer, subject, email, name) values ('https://login.example.com', 'ada', 'ada@example.com', 'Ada Byron')",
);
await addSmallFleet(sql);
await sql.query(`update tanks set assigned_device_id = $1 where id = 'low'`, [EUI]);
await setSensor(sql, 'low', 'em400-udl', null);
const object = { battery: 12, temperature: 25.7, distance: 1100 };
await send(api, chirpStack({ object })).expect(200);
await send(api, device('nobody')).expect(200);
const run = { date: '2026-12-24', capacity: 100, stops: [{ tank_id: 'low', planned: 900, note: 'ring' }] };
await api.put('/v1/runs/one').send(run).expect(201);

const EDITING = '?tank=fine&form=edit';

/** A view, opened at an address (undefined: without a key) and brought to where it shows what it has to show. */
function view(name: string, address: string | undefined, show: (page: Page) => Promise<unknown>): void {
  describe.each([name])('%s', () => {
    it('has nothing axe objects to, in light at a desk and in dark on a phone, fits, and does not jump while it loads', async () => {
      const signedIn = address === undefined ? undefined : key;
      const page = await open(address, { key: signedIn, expected: [400, 404, 412] });
      await show(page);
      await page.evaluate(axe.source);
      for (const [viewport, colorScheme] of [
        [DESK, 'light'],
        [PHONE, 'dark'],
      ] as const) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        const { violations } = await page.evaluate(() =>
          (window as unknown as { axe: typeof axe }).axe.run(),
        );

        expect(violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ html }) => html) }))).toEqual([]);
      }
      // 1280 pixels enlarged to twice their size are 640.
      for (const viewport of [PHONE, { width: 640, height: 430 }, { width: 320, height: 600 }]) {
        await page.setViewportSize(viewport);
        await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);

        expect(page.viewportSize()).toEqual(viewport);
      }

      await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
      expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);

      await page.setViewportSize(PHONE);
      await page.route('**/v1/**', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 250));
        await route.continue();
      });
      await page.reload();
      await page
        .locator(
          '.tanks [data-tank], [data-run], .stop, .u-over, .map-image .mark, .editor, [data-uplink], .uplink pre, [name="key"], .users select, .sources a',
        )
        .filter({ visible: true })
        .first()
        .waitFor();

      expect(await page.evaluate(() => window.layoutShift)).toBeLessThan(0.01);
    });
  });
}

view('the runs', '?view=runs', (page) => page.locator('.runs tbody tr').first().waitFor());
view('a run', '?view=runs&run=one', (page) => page.locator('.stop').first().waitFor());
view('the list', '', async (page) => {
  await listed(page);
  await page.getByRole('link', { name: 'Add a tank' }).waitFor();
});

view('the newest events', '', async (page) => {
  await page.locator('.newest summary').click();
  await page.locator('.events li').first().waitFor();
});

view('a tank and its table', '?tank=eventful', async (page) => {
  await page.locator('.u-over').waitFor();
  await page.getByRole('link', { name: 'Edit' }).waitFor();
  await page.getByRole('button', { name: 'Show as table' }).click();
});

view('the plan', '?view=plan', async (page) => {
  await listed(page);
  await page.getByRole('checkbox', { name: 'Boiler house, Harbor Hotel' }).check();
  await page.getByText('1 chosen').waitFor();
});

view('the map', '?view=map', async (page) => {
  await page.locator('.map-image .mark').first().waitFor();
  await page.locator('.nowhere summary').click();
});

view('a tank that is edited, with what is wrong', EDITING, async (page) => {
  await page.getByLabel('Capacity').fill('-1');
  await page.getByLabel('Owner').fill('hill');
  await page.getByRole('button', { name: 'Hill Farm' }).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.fault').first().waitFor();
});

view('a tank that was changed meanwhile', EDITING, async (page) => {
  await page.getByLabel('Own id').fill('mine');
  const custom_id = crypto.randomUUID();
  await api.patch('/v1/tanks/fine').send({ custom_id }).expect(200);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Changed meanwhile' }).waitFor();
});

view('a tank that is to be deleted', EDITING, async (page) => {
  await page.getByRole('button', { name: 'Delete this tank' }).click();
  await page.getByRole('dialog').waitFor();
});

view('a tank with a sensor', '?tank=low', async (page) => {
  await page.locator('.sensor').getByText('Low battery').waitFor();
  await page.getByRole('link', { name: 'Change the sensor' }).waitFor();
});

view('the form of a sensor', '?tank=low&form=sensor', async (page) => {
  await page.getByLabel('Calibration').selectOption('Table of points');
  await page.getByLabel('Points').fill('1600 0\n100 101');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.fault').waitFor();
});

view('the waiting uplinks', '?view=uplinks', (page) => page.locator('[data-uplink]').first().waitFor());

view('an uplink of an unknown device', '?view=uplinks&reason=unknown_device', async (page) => {
  await page.locator('[data-uplink]').click();
  await page.getByLabel('Assign the device').fill('Kitch');
  await page.getByRole('button', { name: 'Kitchen' }).click();
  await page.getByRole('button', { name: 'Assign to Kitchen' }).waitFor();
});

view('the key screen', undefined, (page) => page.getByLabel('API key').waitFor());

view('the sources', '?view=settings&setting=sources', (page) =>
  page.getByRole('link', { name: 'Tasmota' }).waitFor(),
);

view('a source that is made', '?view=settings&setting=sources&source=%2B', async (page) => {
  await page.getByLabel('Message', { exact: true }).fill('{"id": "gw", "tanks": [{"n": "A", "mm": 1}]}');
  await page.locator('.tree').getByRole('button', { name: 'id gw' }).click();
  await page.getByText('No tank has this device').waitFor();
});

view('the users', '?view=settings&setting=users', (page) => page.getByLabel('Role of Ada Byron').waitFor());

view('the keys', '?view=settings&setting=keys', (page) =>
  page.getByRole('button', { name: 'Revoke…' }).first().waitFor(),
);

describe('by keyboard alone', () => {
  it('filters, opens a tank, reads it, and is back where it was', async () => {
    const page = await open('', { key: service.key });
    await listed(page);

    await tabTo(page, 'Skip to the content');
    await page.keyboard.press('Enter');
    await tabTo(page, /^Low/);
    await page.keyboard.press('Enter');
    await page.waitForURL('**?low=true');
    expect(await listed(page)).toEqual(['Grain dryer', 'Boiler house']);
    await tabTo(page, 'Boiler house');
    await page.keyboard.press('Enter');
    await page.locator('.u-over').waitFor();
    await expectFocus(page, 'Boiler house'); // the heading
    await tabTo(page, 'Level over time');
    await page.keyboard.press('ArrowLeft');
    expect(await page.getByRole('slider').getAttribute('aria-valuetext')).toMatch(/%$/);
    await page.goBack();

    await page.locator('article').waitFor({ state: 'detached' });
    expect(await search(page)).toBe('?low=true');
    await expectFocus(page, 'Boiler house'); // the link in the list
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('A');
  });

  it('goes over the map from mark to mark, the worst first', async () => {
    const page = await open('?view=map', { key: service.key });
    await page.getByLabel('3 tanks, 2 low').waitFor();

    await tabTo(page, '3 tanks, 2 low'); // all of Europe
    await page.keyboard.press('Enter');
    await expectFocus(page, 'Grain dryer, Hill Farm, 8 %, low and silent');
    await page.keyboard.press('ArrowRight');
    await expectFocus(page, '2 tanks, 1 low'); // in one place
    await page.keyboard.press('Enter');
    await expectFocus(page, '2 tanks in this place');
    await page.getByRole('button', { name: 'Close' }).press('Enter');
    await expectFocus(page, '2 tanks, 1 low');
    await page.getByRole('button', { name: 'Show all' }).press('Enter');
    await page.getByLabel('3 tanks, 2 low').waitFor();
    await tabTo(page, '3 tanks, 2 low');
    await page.keyboard.press('End');
    await expectFocus(page, 'Farmhouse, Hill Farm, 80 %, ok');
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { level: 1, name: 'Farmhouse' }).waitFor();
    await page.getByRole('link', { name: 'Back to the map' }).press('Enter');
    await expectFocus(page, 'Farmhouse, Hill Farm, 80 %, ok');
    expect(await search(page)).toMatch(/^\?view=map(?:&at=[^&]+)?$/);
  });

  it('goes anywhere by Ctrl-K and a part of a name, and by / to the search', async () => {
    const page = await open();
    await listed(page);
    await page.keyboard.press('/');
    await page.keyboard.type('kitchen');
    await page.waitForURL('**q=kitchen');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('harbor');
    await page
      .getByRole('dialog')
      .getByRole('link', { name: /^Harbor/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/customer=harbor|tank=/);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

describe('to a screen reader', () => {
  it('is a table with a caption, headers and a live count of what is left', async () => {
    const page = await open('', { key: service.key, viewport: PHONE });
    await listed(page);

    expect(await page.getByRole('table', { name: 'Tanks' }).getByRole('row').count()).toBe(7);
    expect(await page.getByRole('columnheader').allTextContents()).toHaveLength(6);
    expect(await page.getByRole('rowheader', { name: 'Greenhouse' }).count()).toBe(1);
    const status = page.getByRole('status');
    await status.getByText('6 all tanks').waitFor();
    expect(await status.allTextContents()).toEqual([
      '', // what was done, when something was
      '2 low, 2 silent, 1 never reported, 6 all tanks',
      '6 tanks, emptiest first',
    ]);
    expect(await page.getByRole('row', { name: /Greenhouse/ }).innerText()).toContain('an old figure');
    const states = page.getByRole('row', { name: /Grain dryer/ }).locator('.state');
    expect(await states.allTextContents()).toEqual(['Low', 'Silent']);
  });
});
