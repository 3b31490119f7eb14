// Nothing is lost by a slip: deleting is undone, unsaved edits are asked about and kept, and a number means what the visitor writes.
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startService, type TestService } from '../support/app.js';
import { insertCustomer, insertTank } from '../support/builders.js';
import { search, visit, watchedBrowser, type Visit, type VisitOptions } from './support/fleet-page.js';

watchedBrowser();
let service: TestService;
let key: string;
const KITCHEN = { id: 'kitchen', name: 'Kitchen', custom_id: 'K-1', capacity: 2_700, city: 'Rotterdam' };

beforeAll(async () => {
  service = await startService();
  key = await service.createKey({ scopes: ['read', 'tanks:write', 'activity'] });
  await insertCustomer(service.sql, { id: 'harbor', name: 'Harbor Hotel', email: 'a@harbor.example' });
  await insertTank(service.sql, 'harbor', { id: 'barn', name: 'Barn', assigned_device_id: 'taken' });
});

beforeEach(async () => {
  await service.sql.query(`delete from tanks where id = 'kitchen'`);
  await insertTank(service.sql, 'harbor', KITCHEN);
});

async function edit(options: VisitOptions = {}): Promise<Visit> {
  const visited = await visit(service.url, '?tank=kitchen&form=edit', {
    key,
    expected: [400, 404],
    ...options,
  });
  await visited.page.getByLabel('Name').waitFor();
  return visited;
}

async function stored(): Promise<Record<string, unknown>> {
  const { body } = await service.api.get('/v1/tanks/kitchen').expect(200);
  return body as Record<string, unknown>;
}

async function remove(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Delete this tank…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Kitchen was deleted.').waitFor();
}

describe('a tank that was deleted', () => {
  it('is back, as it was, by Undo in the message', async () => {
    const { page } = await edit();
    const before = await stored();
    await remove(page);
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Kitchen is back.').waitFor();

    expect(await search(page)).toBe('?tank=kitchen');
    expect(await stored()).toEqual({ ...before, updated_at: expect.any(String) });
  });

  it('is restored as it was, on its page or where its name is searched for', async () => {
    const { page } = await edit({ expected: [404] });
    const before = await stored();
    await remove(page);
    await page.goto(`${service.url}/fleet?tank=kitchen`);
    await page.getByRole('button', { name: 'Restore this tank' }).click();
    await page.getByText('Kitchen is back.').waitFor();
    expect(await stored()).toEqual({ ...before, updated_at: expect.any(String) });

    await service.agent(key).delete('/v1/tanks/kitchen').expect(200);
    await page.goto(`${service.url}/fleet?q=kitch`);
    await page.getByRole('button', { name: 'Restore Kitchen' }).click();
    await page.getByText('Kitchen is back.').waitFor();
    expect(await stored()).toEqual({ ...before, updated_at: expect.any(String) });
  });
});

describe('tanks that are ticked', () => {
  it('get a new alert level all at once, and the one they had by Undo', async () => {
    const { page } = await visit(service.url, '', { key });
    await page.getByRole('checkbox', { name: 'Choose Kitchen' }).check();
    await page.getByLabel('New value').fill('33');
    await page.getByRole('button', { name: 'Change all' }).click();
    await page.getByText('1 tank changed: Alert level 33 %.').waitFor();
    expect(await stored()).toMatchObject({ min_fill_alert_percentage: 33 });

    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 tank as before.').waitFor();
    expect(await stored()).toMatchObject({ min_fill_alert_percentage: 20 });
  });
});

describe('a way to anywhere', () => {
  it('is Ctrl-K and a part of a name; / goes to the search', async () => {
    const { page } = await visit(service.url, '', { key });
    await page.locator('.tanks [data-tank]').first().waitFor();
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

describe('what is entered and not saved', () => {
  it('is asked about on the way back and by a link, and stays', async () => {
    const visited = await visit(service.url, '?tank=kitchen', { key });
    const { page } = visited;
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Name').fill('Grill');
    visited.stays = true;
    await page.getByRole('link', { name: 'Cancel' }).click();
    await Promise.all([page.waitForEvent('dialog'), page.evaluate(() => history.back())]);
    await page.waitForURL('**form=edit');

    expect(visited.questions).toEqual(Array(2).fill('Leave without saving? What you entered is lost.'));
    expect(await page.getByLabel('Name').inputValue()).toBe('Grill');
    visited.stays = false;
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('heading', { level: 1, name: 'Kitchen' }).waitFor();
  });

  it('outlives a reload, and a key that has ended', async () => {
    const visited = await edit({ expected: [401] });
    const { page } = visited;
    await page.getByLabel('Name').fill('Grill');
    await page.reload();
    expect(visited.questions).toEqual(['beforeunload']);
    expect(await page.getByLabel('Name').inputValue()).toBe('Grill');

    await page.route('**/v1/tanks/kitchen', (route) =>
      route.fulfill({ status: 401, json: { detail: 'It ended.' } }),
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It ended.').waitFor();
    await page.unroute('**/v1/tanks/kitchen');
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in with the key' }).click();
    await page.getByLabel('Name').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Grill');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await stored()).toMatchObject({ name: 'Grill' });
  });
});

describe('what is wrong', () => {
  it('is told of all kinds at once, in the words of the form', async () => {
    const { page } = await edit();
    await page.getByLabel('Alert level').fill('200');
    await page.getByLabel('Owner').fill('nobody');
    await page.getByLabel('Device').fill('taken');
    await page.getByLabel('Capacity').fill('27');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.fault').first().waitFor();

    const faults = (await page.locator('.fault').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    expect(faults).toEqual([
      'There is no customer “nobody”. Choose one of those that are found as you type.',
      'Another tank has this device. Show the tank that has it',
      'Only 27: is that meant? Yes, 27',
      'Alert level must be from 0 to 100',
    ]);
  });
});

async function saveCapacity(page: Page, text: string): Promise<void> {
  await page.getByLabel('Capacity').fill(text);
  await page.getByRole('button', { name: 'Save' }).click();
}

describe('a number', () => {
  it('is asked about where it may be two', async () => {
    const { page } = await edit();
    await saveCapacity(page, '3.700');
    await page.getByText('3.7 or 3,700?').waitFor();
    expect(await stored()).toMatchObject({ capacity: 2_700 });
    await page.getByRole('button', { name: '3,700' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await stored()).toMatchObject({ capacity: 3_700 });

    await page.getByRole('link', { name: 'Edit' }).click();
    await saveCapacity(page, '20');
    await page.getByRole('button', { name: 'Yes, 20' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await stored()).toMatchObject({ capacity: 20 });
  });
});
