// Tanks are added, edited and deleted on the fleet page by a key that may: with what is wrong at its field, and never over what
// somebody else saved meanwhile.
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import { startService, type TestService } from '../support/app.js';
import { insertCustomer } from '../support/builders.js';
import {
  DESK,
  expectFocus,
  listed,
  PHONE,
  said,
  search,
  tabTo,
  visit,
  watchedBrowser,
  type Visit,
} from './support/fleet-page.js';
import { addTank } from './support/tanks.js';

watchedBrowser();
let service: TestService;
let key: string;
let reading: TestService;
let readingKey: string;

beforeAll(async () => {
  service = await startService();
  reading = await startService({ environment: { INGEST: 'false' } });
  readingKey = await reading.createKey({ scopes: ['read', 'tanks:write'] });
  await insertCustomer(reading.sql, { id: 'harbor' });
  await addTank(reading.sql, 'harbor', { id: 'kitchen' }, []);
  key = await service.createKey({ scopes: ['read', 'tanks:write'] });
  await insertCustomer(service.sql, { id: 'harbor', name: 'Harbor Hotel', email: 'office@harbor.example' });
  await insertCustomer(service.sql, { id: 'farm', name: 'Hill Farm', email: 'hill@farm.example' });
  await addTank(service.sql, 'farm', { id: 'barn', name: 'Barn', assigned_device_id: 'taken' }, []);
});

beforeEach(async () => {
  await service.sql.query(`delete from tanks where id <> 'barn'`);
  const place = { city: 'Rotterdam', street: 'Maaskade', latitude: 51.9, longitude: 4.5 };
  await addTank(
    service.sql,
    'harbor',
    {
      id: 'kitchen',
      name: 'Kitchen',
      custom_id: 'K-1',
      assigned_device_id: 'first',
      capacity: 2_700,
      ...place,
    },
    [],
  );
});

const refusals = { expected: [400, 409, 412] };

async function edit(tank = 'kitchen', options: object = {}): Promise<Visit> {
  const visited = await visit(service.url, `?tank=${tank}&form=edit`, { key, ...refusals, ...options });
  await visited.page.getByLabel('Name').waitFor();
  return visited;
}

async function add(options: object = {}): Promise<Visit> {
  const visited = await visit(service.url, '?form=add', { key, ...refusals, ...options });
  await visited.page.getByLabel('Name').waitFor();
  return visited;
}

function save(page: Page): Promise<void> {
  return page.getByRole('button', { name: /^(Save|Add the tank)$/ }).click();
}

const saved = (page: Page, notice = 'Saved.'): Promise<void> => said(page, notice);

async function stored(id = 'kitchen'): Promise<Record<string, unknown>> {
  const { body } = await service.api.get(`/v1/tanks/${id}`).expect(200);
  return body as Record<string, unknown>;
}

/** As somebody else would, elsewhere. */
async function patch(body: object): Promise<void> {
  await service.agent(key).patch('/v1/tanks/kitchen').send(body).expect(200);
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

describe('adding a tank', () => {
  it('shows it, with all that was entered', async () => {
    const { page } = await visit(service.url, '', { key });
    await listed(page);

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
    const id = new URLSearchParams(await search(page)).get('tank') ?? '';
    expect(await stored(id)).toMatchObject({
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

  it('leaves what is not entered to the service', async () => {
    const { page } = await add();
    await page.getByLabel('Name').fill('Bare');
    await page.getByLabel('Owner').fill('harbor');
    await page.getByLabel('Capacity').fill('100');
    await save(page);
    await saved(page, 'Bare was added.');

    const id = new URLSearchParams(await search(page)).get('tank') ?? '';
    expect(await stored(id)).toMatchObject({
      assigned_device_id: '',
      custom_id: null,
      use_case: null,
      min_fill_alert_percentage: 20,
      location: { city: null, latitude: null },
    });
    await page.getByText('It has no device yet.').waitFor();
  });

  it('finds an owner without tanks by email, and starts with the owner whose tanks are shown', async () => {
    await insertCustomer(service.sql, { id: 'new', name: 'New Mill', email: 'new@mill.example' });
    const { page } = await visit(service.url, '?owner_id=harbor', { key });

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

  it('makes one tank, however often it is sent', async () => {
    const visited = await add();
    const { page, complaints } = visited;
    await page.getByLabel('Name').fill('Once');
    await page.getByLabel('Owner').fill('harbor');
    await page.getByLabel('Capacity').fill('100');
    // The service does it, its answer is lost.
    await page.route(
      '**/v1/tanks/*',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await save(page);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toMatch(/^No answer\..*nothing is done twice/);
    expect(complaints.splice(0).every((complaint) => complaint.includes('ERR_FAILED'))).toBe(true);

    await page.getByRole('button', { name: 'Add the tank' }).dblclick();
    await saved(page, 'Once was added.');

    const { rows } = await service.sql.query(`select from tanks where name = 'Once'`);
    expect(rows).toHaveLength(1);
    expect(sentBy(visited, 'PUT')).toHaveLength(2);
  });
});

describe('editing a tank', () => {
  it('changes what was changed, and nothing else', async () => {
    const visited = await visit(service.url, '?tank=kitchen', { key });
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
  });

  it('asks for nothing when nothing was changed', async () => {
    const visited = await edit();

    await save(visited.page);
    await saved(visited.page, 'Nothing was changed.');

    expect(sentBy(visited, 'PATCH')).toHaveLength(0);
  });

  it('swaps the device in its one field, which frees the old one', async () => {
    const { page } = await visit(service.url, '?tank=kitchen', { key });

    await page.getByRole('link', { name: 'Swap the device' }).click();
    await page.locator('#assigned_device_id:focus').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('third');
    await page.keyboard.press('Enter');
    await saved(page);

    expect(await stored()).toMatchObject({ assigned_device_id: 'third' });
    await service.agent(key).patch('/v1/tanks/barn').send({ assigned_device_id: 'first' }).expect(200);
    await service.agent(key).patch('/v1/tanks/barn').send({ assigned_device_id: 'taken' }).expect(200);
  });

  it('is left without a trace', async () => {
    const visited = await edit();
    const { page } = visited;

    await page.getByLabel('Name').fill('Grill');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('heading', { level: 1, name: 'Kitchen' }).waitFor();

    expect(visited.asked.every((request) => request.method() === 'GET')).toBe(true);
  });
});

describe('what is wrong', () => {
  it('stands at its field, all of it at once, the first has the focus', async () => {
    const { page } = await edit();

    await page.getByLabel('Name').fill('');
    await page.getByLabel('Capacity').fill('-5');
    await page.getByLabel('Alert level').fill('lots');
    await page.getByLabel('Longitude').fill('181');
    await save(page);
    await page.getByRole('alert').waitFor();

    expect(await page.getByRole('alert').innerText()).toBe('Not done. 4 fields to put right, marked above.');
    expect(await faultOf(page, 'Name')).toBe('Name is missing');
    expect(await faultOf(page, 'Capacity')).toBe('Capacity must be a number above 0');
    expect(await faultOf(page, 'Alert level')).toBe('Alert level must be a number');
    expect(await faultOf(page, 'Longitude')).toBe('Longitude must be from -180 to 180');
    expect(await page.locator('.fault').count()).toBe(4);
    await expectFocus(page, 'name');
    expect(await stored()).toMatchObject({ name: 'Kitchen', capacity: 2_700 });

    await page.getByLabel('Name').fill('Grill');
    expect(await faultOf(page, 'Name')).toBe('');
    await page.getByLabel('Capacity').fill('500');
    await page.getByLabel('Alert level').fill('10');
    await page.getByLabel('Longitude').fill('18.1');
    await save(page);
    await saved(page);
    expect(await stored()).toMatchObject({ name: 'Grill', capacity: 500, min_fill_alert_percentage: 10 });
  });

  it('of a new tank is what is missing', async () => {
    const { page } = await add();

    await save(page);
    await page.getByRole('alert').waitFor();

    for (const label of ['Name', 'Owner', 'Capacity'])
      expect(await faultOf(page, label)).toContain('missing');
    await expectFocus(page, 'name');
  });

  it('of the device leads to the tank that has it, and keeps what was entered', async () => {
    const { page } = await edit();

    await page.getByLabel('Name').fill('Grill');
    await page.getByLabel('Device').fill('taken');
    await save(page);
    await page.locator('.fault').waitFor();

    await expectFocus(page, 'assigned_device_id');
    const [other] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Show the tank that has it' }).click(),
    ]);
    await other.getByRole('heading', { level: 1, name: 'Barn' }).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Grill');
  });

  it('of the owner stands there, too', async () => {
    const { page } = await edit();

    await page.getByLabel('Owner').fill('nobody at all');
    await page.getByText('No owner found').waitFor();
    await save(page);
    await page.locator('.fault').waitFor();

    expect(await faultOf(page, 'Owner')).toContain('nobody at all');
    await expectFocus(page, 'owner_id');
  });

  it('with the service keeps what was entered', async () => {
    const { page } = await edit('kitchen', { expected: [503] });
    await page.route('**/v1/tanks/*', (route) => route.fulfill({ status: 503 }), { times: 1 });

    await page.getByLabel('Name').fill('Grill');
    await save(page);
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Grill');
    await save(page);

    await saved(page);
  });
});

describe('deleting a tank', () => {
  it('is asked about, and then it is gone from the fleet', async () => {
    const { page } = await edit();
    const button = page.getByRole('button', { name: 'Delete this tank' });

    await button.click();
    await page.getByRole('dialog', { name: 'Delete Kitchen?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await stored()).toMatchObject({ name: 'Kitchen' });
    await button.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await saved(page, 'Kitchen was deleted.');

    await page.locator('[data-tank="kitchen"]').waitFor({ state: 'detached' });
    expect(await listed(page)).toEqual(['Barn']);
    expect(await stored()).toMatchObject({ deleted: true });
    await expectFocus(page, 'Fleet');
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

  it('is shown again when it happens again', async () => {
    const { page } = await edit();
    await page.getByLabel('Name').fill('Grill');

    for (const name of ['Bakery', 'Bar']) {
      await patch({ name });
      await save(page);
      await page.getByRole('radio', { name: `Now stored: ${name}` }).waitFor();
    }
    await page.getByRole('radio', { name: 'Now stored: Bar' }).check();
    await save(page);

    await saved(page, 'Nothing was changed.');
    expect(await stored()).toMatchObject({ name: 'Bar' });
  });

  it('names the owner the tank has now', async () => {
    const { page } = await edit();
    await patch({ owner_id: 'farm' });

    await page.getByLabel('Name').fill('Grill');
    await save(page);

    await page.getByRole('radio', { name: 'Now stored: Hill Farm' }).waitFor();
    expect(await page.getByRole('radio', { name: 'Yours: Harbor Hotel' }).isChecked()).toBe(false);
    expect(await page.getByLabel('Owner').inputValue()).toBe('Hill Farm');
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
    await service.agent(key).delete('/v1/tanks/kitchen').expect(200);

    await page.getByLabel('Name').fill('Grill');
    await save(page);

    await saved(page, 'Kitchen was deleted meanwhile.');
    expect(await stored()).toMatchObject({ deleted: true });
  });

  it('keeps a tank from being deleted unseen', async () => {
    const { page } = await edit();
    await patch({ name: 'Still needed' });
    const remove = async () => {
      await page.getByRole('button', { name: 'Delete this tank' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    };

    await remove();
    await page.getByRole('radio', { name: 'Now stored: Still needed' }).waitFor();
    expect(await stored()).toMatchObject({ name: 'Still needed' });
    await remove();

    await saved(page, 'Still needed was deleted.');
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

    const id = new URLSearchParams(await search(page)).get('tank') ?? '';
    expect(await stored(id)).toMatchObject({ owner_id: 'harbor' });
    await page.goto(`${service.url}/fleet?tank=barn&form=edit`);
    await page.getByRole('heading', { name: 'No such tank' }).waitFor();
  });
});

describe.each([
  ['a desk', DESK],
  ['a phone', PHONE],
])('by keyboard alone, on %s', (_name, viewport) => {
  it('adds a tank, corrects it and deletes it', async () => {
    const { page } = await visit(service.url, '', { key, viewport, ...refusals });
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
  const { page } = await visit(service.url, '', { key });
  await listed(page);
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
