// Tanks are added, edited, deleted and brought back on the fleet page by a key that may: with what is wrong at its field, never over what
// somebody else saved meanwhile, and nothing is lost by a slip.
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Page, Request, Route } from 'playwright-core';
import { startService } from '../support/app.js';
import { insertCustomer, insertTank } from '../support/builders.js';
import {
  DESK,
  expectFocus,
  listed,
  PHONE,
  said,
  search,
  startFleet,
  tabTo,
  visit,
  type Visit,
  type VisitOptions,
} from './support/fleet-page.js';

const fleet = await startFleet(['read', 'tanks:write', 'activity']);
const { service, sql, key, api } = fleet;
await insertCustomer(sql, { id: 'harbor', name: 'Harbor Hotel', email: 'office@harbor.example' });
await insertCustomer(sql, { id: 'farm', name: 'Hill Farm', email: 'hill@farm.example' });
await insertTank(sql, 'farm', { id: 'barn', name: 'Barn', assigned_device_id: 'taken' });
const reading = await startService({ environment: { INGEST: 'false' } });
const readingKey = await reading.createKey({ scopes: ['read', 'tanks:write'] });
await insertCustomer(reading.sql, { id: 'harbor' });
await insertTank(reading.sql, 'harbor', { id: 'kitchen' });

beforeEach(async () => {
  await sql.query(`delete from tanks where id <> 'barn'`);
  const place = { city: 'Rotterdam', street: 'Maaskade', latitude: 51.9, longitude: 4.5 };
  const named = { id: 'kitchen', name: 'Kitchen', custom_id: 'K-1', assigned_device_id: 'first' };
  await insertTank(sql, 'harbor', { ...named, capacity: 2_700, ...place });
});

const refusals = { expected: [400, 404, 409, 412] };

async function form(address: string, options: VisitOptions = {}): Promise<Visit> {
  const visited = await fleet.visit(address, { ...refusals, ...options });
  await visited.page.getByLabel('Name').waitFor();
  return visited;
}
const edit = (options: VisitOptions = {}) => form('?tank=kitchen&form=edit', options);
const add = (options: VisitOptions = {}) => form('?form=add', options);

function save(page: Page): Promise<void> {
  return page.getByRole('button', { name: /^(Save|Add the tank)$/ }).click();
}

const saved = (page: Page, notice = 'Saved.'): Promise<void> => said(page, notice);

async function remove(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Delete this tank' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
}

async function stored(id = 'kitchen'): Promise<Record<string, unknown>> {
  const { body } = await api.get(`/v1/tanks/${id}`).expect(200);
  return body as Record<string, unknown>;
}

/** The tank whose page is open. */
const storedOpen = async (page: Page) => stored(new URLSearchParams(await search(page)).get('tank') ?? '');

/** As somebody else would, elsewhere. */
async function patch(body: object): Promise<void> {
  await api.patch('/v1/tanks/kitchen').send(body).expect(200);
}

function sentBy({ asked }: Visit, method: string): Request[] {
  return asked.filter((request) => request.method() === method);
}

/** What stands at a field, as it is read out with it. */
function faultOf(page: Page, label: string): Promise<string> {
  return page.getByLabel(label, { exact: false }).evaluate((field) => {
    const ids = field.getAttribute('aria-describedby')?.split(' ') ?? [];
    const isWrong = field.getAttribute('aria-invalid') === 'true';
    return isWrong ? (document.getElementById(ids.at(-1) ?? '')?.innerText.trim() ?? '') : '';
  });
}

/** The service does what is asked, and its answer is lost. */
async function loseAnswer(route: Route): Promise<void> {
  await route.fetch();
  await route.abort();
}

describe('adding a tank', () => {
  it('shows it, with all that was entered', async () => {
    const page = await fleet.open();
    await page.getByRole('link', { name: 'Add a tank' }).click();
    await page.getByLabel('Name').fill(' Boiler house ');
    await page.getByLabel('Owner').fill('hill');
    await page.getByRole('button', { name: 'Hill Farm' }).click();
    await page.getByLabel('Own id').fill('B-7');
    await page.locator('.editor').getByLabel('Use case').selectOption('Industrial');
    await page.getByLabel('Device').fill('second');
    await page.getByLabel('Capacity').fill('1200.5');
    await page.getByLabel('Unit').selectOption('Gallons');
    await page.getByLabel('Alert level').fill('35');
    for (const label of ['Street', 'Street number', 'Postal code', 'City', 'District', 'Region', 'Country']) {
      await page.getByLabel(label, { exact: true }).fill(`the ${label}`);
    }
    await page.getByLabel('Latitude').fill('-33.9');
    await page.getByLabel('Longitude').fill('151.2');
    await save(page);
    await page.getByRole('heading', { level: 1, name: 'Boiler house' }).waitFor();

    await saved(page, 'Boiler house was added.');
    expect(await storedOpen(page)).toMatchObject({
      name: 'Boiler house',
      owner_id: 'farm',
      custom_id: 'B-7',
      use_case: 'industrial',
      assigned_device_id: 'second',
      capacity: 1200.5,
      capacity_unit: 'gallons',
      min_fill_alert_percentage: 35,
      location: {
        street: 'the Street',
        street_number: 'the Street number',
        postal_code: 'the Postal code',
        city: 'the City',
        district: 'the District',
        region: 'the Region',
        country: 'the Country',
        latitude: -33.9,
        longitude: 151.2,
      },
    });
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await page.locator('.tanks').getByRole('link', { name: 'Boiler house' }).waitFor();
  });

  it('finds an owner without tanks by email, and starts with the owner whose tanks are shown', async () => {
    await insertCustomer(sql, { id: 'new', name: 'New Mill', email: 'new@mill.example' });
    const page = await fleet.open('?owner_id=harbor');
    await page.getByRole('link', { name: 'Add a tank' }).click();
    const owner = page.getByLabel('Owner');
    await owner.waitFor();
    expect(await owner.inputValue()).toBe('Harbor Hotel');
    await owner.fill('new@mill.example');
    await page.getByRole('button', { name: /^New Mill/ }).click();
    expect(await owner.inputValue()).toBe('New Mill');
    await page.getByLabel('Name').fill('Mill');
    await page.getByLabel('Capacity').fill('100');
    await save(page);

    await saved(page, 'Mill was added.');
    await page.getByRole('link', { name: 'new@mill.example' }).waitFor();
  });

  it('needs a name, an owner and a capacity, leaves the rest to the service, and makes one tank, however often it is sent', async () => {
    const visited = await add();
    const { page, complaints } = visited;
    await save(page);
    await page.getByRole('alert').waitFor();
    for (const label of ['Name', 'Owner', 'Capacity'])
      expect(await faultOf(page, label)).toContain('missing');
    await page.getByLabel('Name').fill('Once');
    await page.getByLabel('Owner').fill('harbor');
    await page.getByLabel('Capacity').fill('100');
    await page.route('**/v1/tanks/*', loseAnswer, { times: 1 });
    await save(page);
    await page.getByRole('alert').getByText('No answer.').waitFor();
    expect(await page.getByRole('alert').innerText()).toMatch(/^No answer\..*nothing is done twice/);
    expect(complaints.splice(0).every((complaint) => complaint.includes('ERR_FAILED'))).toBe(true);

    await page.getByRole('button', { name: 'Add the tank' }).dblclick();
    await saved(page, 'Once was added.');

    expect((await sql.query(`select from tanks where name = 'Once'`)).rows).toHaveLength(1);
    expect(sentBy(visited, 'PUT')).toHaveLength(3); // the first with nothing in it
    expect(await storedOpen(page)).toMatchObject({
      assigned_device_id: '',
      custom_id: null,
      use_case: null,
      min_fill_alert_percentage: 20,
      location: { city: null, latitude: null },
    });
    await page.getByText('It has no device yet.').waitFor();
  });
});

describe('editing a tank', () => {
  it('changes what was changed, and nothing else', async () => {
    const visited = await fleet.visit('?tank=kitchen');
    const { page } = visited;
    const before = await stored();

    await page.getByRole('link', { name: 'Edit this tank' }).click();
    const name = page.getByLabel('Name');
    await name.waitFor();
    expect(await name.inputValue()).toBe('Kitchen');
    expect(await page.getByLabel('Owner').inputValue()).toBe('Harbor Hotel');
    await name.fill('Grill');
    await page.getByLabel('Own id').fill('');
    await page.getByLabel('City', { exact: true }).fill('Delft');
    await page.getByLabel('Latitude').fill('');
    await save(page);
    await saved(page);

    await page.getByRole('heading', { level: 1, name: 'Grill' }).waitFor();
    const [sent] = sentBy(visited, 'PATCH');
    expect(sent?.postDataJSON()).toEqual({
      name: 'Grill',
      custom_id: null,
      location: { city: 'Delft', latitude: null },
    });
    expect(sent?.headers()['if-match']).toBeDefined();
    expect(await stored()).toEqual({
      ...before,
      name: 'Grill',
      custom_id: null,
      location: { ...(before['location'] as object), city: 'Delft', latitude: null },
      updated_at: expect.any(String),
    });

    await page.getByRole('link', { name: 'Edit this tank' }).click();
    await save(page);
    await saved(page, 'Nothing was changed.');
    expect(sentBy(visited, 'PATCH')).toHaveLength(1);
  });
});

describe('what is wrong', () => {
  it('stands at its field, all kinds at once, in the words of the form, and leads to the tank that has the device', async () => {
    const { page } = await edit();
    await page.getByLabel('Alert level').fill('200');
    await page.getByLabel('Owner').fill('nobody');
    await page.getByLabel('Device').fill('taken');
    await page.getByLabel('Capacity').fill('27');
    await page.getByLabel('Longitude').fill('181');
    await save(page);
    await page.locator('.fault').first().waitFor();

    const faults = (await page.locator('.fault').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    expect(faults).toEqual([
      'There is no customer “nobody”. Choose one of those that are found as you type.',
      'Another tank has this device. Show the tank that has it',
      'Only 27: is that meant? Yes, 27',
      'Alert level must be from 0 to 100',
      'Longitude must be from -180 to 180',
    ]);
    expect(await faultOf(page, 'Longitude')).toBe('Longitude must be from -180 to 180');
    await expectFocus(page, 'owner_id');
    const [other] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Show the tank that has it' }).click(),
    ]);
    await other.getByRole('heading', { level: 1, name: 'Barn' }).waitFor();

    await page.getByLabel('Alert level').fill('20');
    await page.getByLabel('Owner').fill('farm');
    await page.getByLabel('Device').fill('first');
    await page.getByRole('button', { name: 'Yes, 27' }).click();
    await page.getByLabel('Longitude').fill('18.1');
    expect(await page.locator('.fault').count()).toBe(0);
    await save(page);
    await saved(page);
    expect(await stored()).toMatchObject({ capacity: 27, owner_id: 'farm' });
  });
});

describe('deleting a tank', () => {
  it('is asked about; then it is gone from the fleet, and back as it was by Undo', async () => {
    const { page } = await edit();
    const before = await stored();
    const button = page.getByRole('button', { name: 'Delete this tank' });

    await button.click();
    await page.getByRole('dialog', { name: 'Delete Kitchen?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await stored()).toEqual(before);
    await remove(page);
    await saved(page, 'Kitchen was deleted.');

    await page.locator('[data-tank="kitchen"]').waitFor({ state: 'detached' });
    expect(await listed(page)).toEqual(['Barn']);
    expect(await stored()).toMatchObject({ deleted: true });
    await expectFocus(page, 'Fleet');
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await saved(page, 'Kitchen is back.');
    expect(await search(page)).toBe('?tank=kitchen');
    expect(await stored()).toEqual({ ...before, updated_at: expect.any(String) });
  });

  it.each([
    ['on its page', '?tank=kitchen', 'Restore this tank'],
    ['where its name is searched for', '?q=kitch', 'Restore Kitchen'],
  ])('is taken back %s, too', async (_, address, button) => {
    const before = await stored();
    await api.delete('/v1/tanks/kitchen').expect(200);
    const page = await fleet.open(address, refusals);
    await page.getByRole('button', { name: button }).click();
    await saved(page, 'Kitchen is back.');
    expect(await stored()).toEqual({ ...before, updated_at: expect.any(String) });
  });
});

describe('changed meanwhile', () => {
  it('shows both values in the second of two tabs, and stores the one that is kept', async () => {
    const { page } = await edit();
    const second = await page.context().newPage();
    await second.goto(page.url());
    await second.getByLabel('Name').waitFor();

    await page.getByLabel('Name').fill('Grill');
    await page.getByLabel('City', { exact: true }).fill('Delft');
    await save(page);
    await saved(page);
    await second.getByLabel('Name').fill('Bakery');
    await second.getByLabel('Capacity').fill('900');
    await save(second);
    await second.getByRole('heading', { name: 'Changed meanwhile' }).waitFor();

    await expectFocus(second, 'Changed meanwhile');
    const name = second.getByRole('group', { name: 'Name' });
    const city = second.getByRole('group', { name: 'City' });
    expect(await second.locator('.changed fieldset').count()).toBe(2); // nobody else changed the capacity
    expect(await name.getByRole('radio', { name: 'Yours: Bakery' }).isChecked()).toBe(true);
    expect(await name.getByRole('radio', { name: 'Now stored: Grill' }).isChecked()).toBe(false);
    expect(await city.getByRole('radio', { name: 'Yours: Rotterdam' }).isChecked()).toBe(false);
    expect(await city.getByRole('radio', { name: 'Now stored: Delft' }).isChecked()).toBe(true);
    expect(await stored()).toMatchObject({ name: 'Grill', capacity: 2_700 });

    await name.getByRole('radio', { name: 'Now stored: Grill' }).check();
    expect(await second.getByLabel('Name').inputValue()).toBe('Grill');
    await name.getByRole('radio', { name: 'Yours: Bakery' }).check();
    await save(second);
    await saved(second);
    expect(await stored()).toMatchObject({ name: 'Bakery', capacity: 900, location: { city: 'Delft' } });
  });

  it('is no matter when somebody made the same change', async () => {
    const { page } = await edit();
    await patch({ name: 'Grill', custom_id: 'K-2' });

    await page.getByLabel('Name').fill('Grill');
    await save(page);

    await saved(page);
    expect(await stored()).toMatchObject({ name: 'Grill', custom_id: 'K-2' });
  });

  it('is said of a tank that was deleted', async () => {
    const { page } = await edit();
    await api.delete('/v1/tanks/kitchen').expect(200);

    await page.getByLabel('Name').fill('Grill');
    await save(page);

    await saved(page, 'Kitchen was deleted meanwhile.');
    expect(await stored()).toMatchObject({ deleted: true });
  });

  it('keeps a tank from being deleted unseen', async () => {
    const { page } = await edit();
    await patch({ name: 'Still needed' });
    await remove(page);
    await page.getByRole('radio', { name: 'Now stored: Still needed' }).waitFor();
    expect(await stored()).toMatchObject({ name: 'Still needed' });
    await remove(page);

    await saved(page, 'Still needed was deleted.');
  });
});

describe('what is entered and not saved', () => {
  it('is asked about on the way back and by a link, and stays', async () => {
    const visited = await fleet.visit('?tank=kitchen');
    const { page } = visited;
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Name').fill('Grill');
    const question = page.getByRole('dialog', { name: 'Leave without saving?', exact: true });
    for (const leave of [
      () => page.getByRole('link', { name: 'Cancel' }).click(),
      () => page.getByRole('button', { name: 'Sign out' }).click(),
      () => page.evaluate(() => history.back()),
    ]) {
      await leave();
      await question.getByRole('button', { name: 'Stay here' }).click();
      await question.waitFor({ state: 'detached' });
      await page.waitForURL('**form=edit');
      expect(await page.getByLabel('Name').inputValue()).toBe('Grill');
    }
    await page.evaluate(() => history.back());
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { level: 1, name: 'Kitchen' }).waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Kitchen');
    await page.getByLabel('Name').fill('Grill');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { level: 1, name: 'Kitchen' }).waitFor();
    expect(visited.questions).toEqual([]);
    expect(visited.asked.every((request) => request.method() === 'GET')).toBe(true);
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

describe('tanks that are ticked', () => {
  it('get a new alert level all at once, and the one they had by Undo', async () => {
    const page = await fleet.open();
    await page.getByRole('checkbox', { name: 'Choose Kitchen' }).check();
    await page.getByLabel('New value').fill('33');
    await page.getByRole('button', { name: 'Change all' }).click();
    await page.getByText('1 tank changed: Alert level 33 %.').waitFor();
    expect(await stored()).toMatchObject({ min_fill_alert_percentage: 33 });

    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 tank as before.').waitFor();
    expect(await stored()).toMatchObject({ min_fill_alert_percentage: 20 });
  });

  it('are all from the one before, with Shift', async () => {
    for (const id of ['shed', 'stable', 'store']) await insertTank(sql, 'harbor', { id, name: id });
    const page = await fleet.open();
    expect(await listed(page)).toHaveLength(5);
    const ticks = page.locator('.tanks tbody .pick');
    await ticks.nth(4).click();
    await ticks.nth(1).click({ modifiers: ['Shift'] });
    await page.getByText('4 chosen').waitFor();
    await ticks.nth(2).click();
    await page.getByText('3 chosen').waitFor();
  });
});

describe('the key', () => {
  it.each([
    ['without the scope', () => [service, service.key] as const],
    ['at a service that takes no changes', () => [reading, readingKey] as const],
  ])('%s sees no way to change anything', async (_name, at) => {
    const [{ url }, own] = at();
    const { page } = await visit(url, '?tank=kitchen&form=edit', { key: own });
    await page.getByRole('heading', { name: 'Not with this key' }).waitFor(); // what it may do is known
    expect(await page.locator('form').count()).toBe(0);

    await page.getByRole('link', { name: 'Back to the tank' }).click();
    await page.getByText('Reports are expected').waitFor();
    expect(await page.getByRole('link', { name: /Edit|Swap/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await listed(page);
    expect(await page.getByRole('link', { name: 'Add a tank' }).count()).toBe(0);
  });

  it('of one customer adds and edits that customer’s tanks only', async () => {
    const bound = await service.createKey({ customerId: 'harbor', scopes: ['read', 'tanks:write'] });
    const { page } = await add({ key: bound, expected: [404, 409] });

    expect(await page.getByLabel('Owner').inputValue()).toBe('Harbor Hotel');
    expect(await page.getByLabel('Owner').getAttribute('readonly')).not.toBeNull();
    await page.getByLabel('Name').fill('Sauna');
    await page.getByLabel('Capacity').fill('300');
    await page.getByLabel('Device').fill('taken'); // by a tank that this key does not see
    await save(page);
    await page.locator('.fault').waitFor();
    expect(await page.locator('.fault a').count()).toBe(0);
    await page.getByLabel('Device').fill('');
    await save(page);
    await saved(page, 'Sauna was added.');

    expect(await storedOpen(page)).toMatchObject({ owner_id: 'harbor' });
    await page.goto(`${service.url}/fleet?tank=barn&form=edit`);
    await page.getByRole('heading', { name: 'No such tank' }).waitFor();
  });
});

describe.each([
  ['a desk', DESK],
  ['a phone', PHONE],
])('by keyboard alone, on %s', (_name, viewport) => {
  it('adds a tank, corrects it and deletes it', async () => {
    const page = await fleet.open('', { viewport, ...refusals });
    await listed(page);

    await tabTo(page, 'Add a tank');
    await page.keyboard.press('Enter');
    await page.getByLabel('Name').waitFor();
    await expectFocus(page, 'Add a tank'); // the heading
    await fill(page, 'name', 'Sauna');
    await fill(page, 'owner_id', 'Harb');
    await page.getByRole('button', { name: 'Harbor Hotel' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expectFocus(page, 'owner_id');
    await fill(page, 'capacity', '0');
    await page.keyboard.press('Enter');
    await page.locator('#capacity:focus[aria-invalid="true"]').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('300');
    await page.keyboard.press('Enter');
    await saved(page, 'Sauna was added.');
    await page.getByRole('heading', { level: 1, name: 'Sauna' }).waitFor();
    await expectFocus(page, 'Sauna');

    await page.keyboard.press('Shift+Tab');
    await page.getByRole('link', { name: 'Edit this tank' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel('Name').waitFor();
    await tabTo(page, 'Delete this tank…');
    await page.keyboard.press('Enter');
    await expectFocus(page, 'Cancel');
    await tabTo(page, 'Delete');
    await page.keyboard.press('Enter');

    await saved(page, 'Sauna was deleted.');
    await expectFocus(page, 'Fleet');
    await page.locator('.tanks').getByText('Sauna').waitFor({ state: 'detached' });
    expect(await listed(page)).toContain('Kitchen');
  });
});

it('leaves the focus on the way that led to a form when it is left', async () => {
  const page = await fleet.open();
  await page.getByRole('link', { name: 'Add a tank' }).click();
  await page.getByLabel('Name').waitFor();

  await page.getByRole('link', { name: 'Cancel' }).click();

  await page.locator('form').waitFor({ state: 'detached' });
  await expectFocus(page, 'Add a tank');
  expect(await search(page)).toBe('');
});

async function fill(page: Page, id: string, text: string): Promise<void> {
  await tabTo(page, id);
  await page.keyboard.type(text);
}
