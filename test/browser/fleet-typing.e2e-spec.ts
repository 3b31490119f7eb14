// What somebody types stays as it was typed, in every form of the page, however often the page refreshes what it shows.
import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { SCOPES } from '../../src/common/auth/scope.js';
import { until } from '../faults/support/until.js';
import { insertCustomer } from '../support/builders.js';
import { device, send } from '../support/uplinks.js';
import { listed, startFleet, type Visit } from './support/fleet-page.js';
import { addTank, hourly } from './support/tanks.js';

const { sql, api, open, visit } = await startFleet(SCOPES, {
  environment: { WEBHOOK_ALLOW_PRIVATE: 'true' },
});
await insertCustomer(sql, { id: 'harbor', name: 'Harbor Hotel' });
for (const name of ['Boiler', 'Kitchen']) {
  const tank = { id: name.toLowerCase(), name, capacity: 1_000 };
  await addTank(sql, 'harbor', tank, hourly(4, 0, 12, 10));
}
await sql.query(
  "insert into users (issuer, subject, email, name) values ('https://login.example.com', 'ada', 'ada@example.com', 'Ada Byron')",
);
const stops = [{ tank_id: 'boiler', planned: 700 }];
await api.put('/v1/runs/one').send({ date: '2026-12-24', name: 'Truck 1', capacity: 900, stops }).expect(201);
await send(api, device('nobody')).expect(200);
const made = async (path: string, body: object) =>
  (await api.post(path).send(body).expect(201)).body.id as string;
const recipient = await made('/v1/recipients', { email: 'bo@example.com', events: ['tank.low'] });
const endpoint = await made('/v1/webhook_endpoints', { url: 'http://127.0.0.1:8123/hook' });

/** Of each type of field; a text, unless it is one of these. */
const TYPED: Readonly<Record<string, string>> = {
  date: '2027-03-04',
  time: '07:15',
  'datetime-local': '2027-03-04T05:06',
  number: '7',
  email: 'typed@example.com',
};

const valuesOf = (fields: Element[]): string[] => fields.map((one) => (one as HTMLInputElement).value);

/** Types into all fields, and returns a way to read them. */
async function typeInto(scope: Locator): Promise<() => Promise<string[]>> {
  for (const select of await scope.locator('select').all()) {
    await select.selectOption({ index: (await select.locator('option').count()) - 1 });
  }
  const fields = scope.locator('input:not([type=checkbox], [type=radio]), textarea');
  for (const field of await fields.all()) {
    await field.fill(TYPED[(await field.getAttribute('type')) ?? ''] ?? 'typed 7');
  }
  const all = scope.locator('input:not([type=checkbox], [type=radio]), textarea, select');
  return () => all.evaluateAll(valuesOf);
}

/** By a minute of the page's clock, after which it asks again for what it shows. */
async function refresh({ page, asked }: Visit): Promise<void> {
  const before = asked.length;
  await page.clock.runFor(61_000);
  await until('it is asked again', () => asked.length > before);
  const last = asked.at(-1);
  await until('it is answered', async () => (await last?.response()) !== undefined);
  await page.clock.runFor(1_000);
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const inDialog = (name: string | RegExp) => async (page: Page) => {
  await press(page, name);
  return page.getByRole('dialog');
};
const editor = (page: Page) => Promise.resolve(page.locator('form.editor'));
const settings = (part: string) => `?view=settings&setting=${part}`;
const changeRun = (planned: number) =>
  api
    .patch('/v1/runs/one')
    .send({ name: `Truck ${planned}`, capacity: planned, stops: [{ tank_id: 'boiler', planned }] })
    .expect(200);

type Case = [
  what: string,
  address: string,
  form: (page: Page) => Promise<Locator>,
  meanwhile?: (round: number) => Promise<unknown>,
];
const forms: Case[] = [
  ['what was delivered', '?view=runs&run=one', inDialog(/^Delivered/), (n) => changeRun(500 + n)],
  ['the day of a run', '?view=runs&run=one', inDialog('Edit run'), (n) => changeRun(600 + n)],
  [
    'an amount that is planned',
    '?view=runs&run=one',
    async (page) => {
      await press(page, 'Edit stops');
      return page.locator('.stop-edit');
    },
    (n) => changeRun(400 + n),
  ],
  ['a truck to fill', '?view=runs', inDialog('Fill a truck')],
  [
    'a run of chosen tanks',
    '?view=plan',
    async (page) => {
      await listed(page);
      await page.getByRole('checkbox', { name: 'Boiler' }).check();
      return inDialog('Make a run')(page);
    },
  ],
  ['the day of the plan', '?view=plan', async (page) => page.locator('.plan-controls label').nth(0)],
  ['how full a delivery makes it', '?view=plan', async (page) => page.locator('.plan-controls label').nth(1)],
  ['what a truck holds', '?view=plan', async (page) => page.locator('.plan-controls label').nth(2)],
  ['a search', '', async (page) => page.locator('.search').first()],
  [
    'what many tanks get',
    '',
    async (page) => {
      await listed(page);
      await page.getByRole('checkbox', { name: 'Boiler' }).check();
      return page.locator('form.many');
    },
  ],
  [
    'a place to go to',
    '',
    async (page) => {
      await listed(page);
      await page.keyboard.press('Control+k');
      return page.getByRole('dialog');
    },
  ],
  [
    'a tank',
    '?tank=boiler&form=edit',
    editor,
    (n) =>
      api
        .patch('/v1/tanks/boiler')
        .send({ custom_id: `${n}` })
        .expect(200),
  ],
  ['a customer of a new tank', '?form=add', inDialog('New customer…')],
  ['the sensor of a tank', '?tank=boiler&form=sensor', editor],
  ['a time of a tank', '?tank=boiler', async (page) => page.locator('.own-range')],
  [
    'a customer',
    '?view=customers&customer=harbor&form=customer',
    editor,
    (n) =>
      api
        .patch('/v1/customers/harbor')
        .send({ phone: `${n}` })
        .expect(200),
  ],
  ['who is told of a customer', '?view=customers&customer=harbor', editor],
  ['who is told', settings('recipients'), editor],
  [
    'what a recipient is told',
    `${settings('recipients')}&recipient=${recipient}`,
    async (page) => {
      await press(page, 'Edit');
      return editor(page);
    },
    (n) =>
      api
        .patch(`/v1/recipients/${recipient}`)
        .send({ name: `Bo ${n}` })
        .expect(200),
  ],
  ['an endpoint', settings('webhooks'), editor],
  [
    'since when it is sent again',
    `${settings('webhooks')}&endpoint=${endpoint}`,
    async (page) => page.locator('form.filters'),
  ],
  ['a key', settings('keys'), editor],
  [
    'the role of a user',
    settings('users'),
    async (page) => page.locator('.users form').first(),
    (n) => sql.query(`update users set name = 'Ada ${n}', updated_at = now()`),
  ],
  ['a source', `${settings('sources')}&source=%2B`, editor],
  ['a profile', `${settings('sources')}&profile=%2B`, editor],
  [
    'the tank of a device',
    '?view=uplinks',
    async (page) => {
      await page.locator('[data-uplink]').first().click();
      return page.locator('form.assign');
    },
  ],
];

describe('what is typed stays through two refreshes:', () => {
  it.each(forms.map(([what, ...how]) => ({ what, how })))(
    '$what',
    async ({ how: [address, form, meanwhile] }) => {
      const visited = await visit(address, { clock: true, expected: [400, 404] });
      const { page } = visited;
      const scope = await form(page);
      await scope.locator('input:visible, select:visible, textarea:visible').first().waitFor();
      const read = await typeInto(scope);
      const typed = await read();
      for (const round of [1, 2]) {
        await meanwhile?.(round);
        await refresh(visited);
      }
      expect(await read()).toEqual(typed);
    },
  );
});

it('a filter that is cleared stays so while somebody types, and shows what counts when it is left', async () => {
  const visited = await visit('?view=plan&fill_to=80', { clock: true });
  const { page } = visited;
  const filter = page.getByLabel(/fill/i).first();
  await filter.fill('');
  await refresh(visited);
  expect(await filter.inputValue()).toBe('');
  await filter.blur();
  expect(await filter.inputValue()).toBe('80');
});

it('what is refused keeps what was typed, and is sent again as it stands', async () => {
  const page = await open('?view=runs');
  const dialog = await inDialog('Fill a truck')(page);
  await dialog.getByLabel('Where').fill('nowhere at all');
  await dialog.getByLabel('Truck').fill('Truck 9');
  await dialog.getByLabel('It holds').fill('50');
  await dialog.getByRole('button', { name: 'Fill a truck' }).click();
  await dialog.getByText('No tank matches nowhere at all').waitFor();
  expect(await dialog.locator('input:not([type=date])').evaluateAll(valuesOf)).toEqual([
    'nowhere at all',
    'Truck 9',
    '50',
  ]);
});

it('an amount is selected when it gets the focus, by a click, too', async () => {
  const page = await open('?view=runs&run=one');
  const dialog = await inDialog(/^Delivered/)(page);
  const amount = dialog.getByLabel('Delivered, in Liters');
  await amount.waitFor();
  await page.keyboard.type('12');
  expect(await amount.inputValue()).toBe('12');
  await dialog.getByLabel('Note').click();
  await amount.click();
  await page.waitForFunction(() => getSelection()?.toString() === '12');
  await page.keyboard.type('345');
  expect(await amount.inputValue()).toBe('345');
  await amount.fill('much');
  await dialog.getByRole('button', { name: 'Delivered' }).click();
  await dialog.getByText('Enter a number.').waitFor();
});

const save = (name: string, fill: (page: Page) => Promise<unknown>) => async (page: Page) => {
  await fill(page);
  await press(page, name);
};

describe('a form that stays open after it was saved lets go of what it has saved:', () => {
  it.each<
    [what: string, address: string, save: (page: Page) => Promise<void>, done: (page: Page) => Locator]
  >([
    [
      'who is told of a customer',
      '?view=customers&customer=harbor',
      save('Add the recipient', (page) => page.getByLabel('Email').fill('cy@example.com')),
      (page) => page.getByRole('link', { name: 'cy@example.com' }),
    ],
    [
      'a key',
      settings('keys'),
      save('Make the key', (page) => page.getByLabel('Name').fill('route planner')),
      (page) => page.locator('.secret code'),
    ],
    [
      'an endpoint',
      settings('webhooks'),
      save('Add the endpoint', (page) => page.getByLabel('Address').fill('http://127.0.0.1:8124/')),
      (page) => page.locator('.secret code'),
    ],
    [
      'a source that is changed',
      `${settings('sources')}&source=kept`,
      save('Save', (page) => page.getByLabel('Name').fill('Kept for good')),
      (page) => page.getByText('Saved.'),
    ],
  ])('%s', async (_what, address, act, done) => {
    await api.put('/v1/sources/kept').send({ name: 'Kept', device: { path: 'id' } });
    const { page, questions } = await visit(address);
    await act(page);
    await done(page).first().waitFor();
    await page.getByRole('link', { name: 'Events' }).click();
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
    expect(questions).toEqual([]);
  });
});

describe('a dialog is called by its own heading:', () => {
  it.each<[address: string, names: readonly (string | RegExp)[]]>([
    ['?view=runs', ['Fill a truck with who is due']],
    ['?view=runs&run=one', [/^Truck 1, Thu,? 24 Dec$/, 'Delete this run?', 'Boiler']],
    ['?form=add', ['New customer']],
    ['?tank=boiler&form=edit', ['New customer', 'Delete Boiler?']],
    ['?tank=kitchen&form=sensor', ['Remove the sensor of Kitchen?']],
    ['?view=customers&customer=harbor&form=customer', ['Delete Harbor Hotel?']],
    [settings('keys'), [/^Replace the key “.+”\?$/, /^Revoke the key “.+”\?$/]],
    [settings('users'), [/^Remove Ada .+\?$/]],
    [`${settings('recipients')}&recipient=${recipient}`, ['Delete this recipient?']],
    [`${settings('webhooks')}&endpoint=${endpoint}`, ['Make a new secret?', 'Delete this endpoint?']],
    [`${settings('sources')}&source=kept`, ['Delete Kept?']],
  ])('%s', async (address, names) => {
    await changeRun(700);
    await api.patch('/v1/runs/one').send({ name: 'Truck 1' }).expect(200);
    await api.put('/v1/sources/kept').send({ name: 'Kept', device: { path: 'id' } });
    await api.put('/v1/tanks/kitchen/sensor').send({ profile_id: 'em400-udl', calibration: null });
    const page = await open(address, { expected: [400] });
    const buttons = page.locator('main button[aria-haspopup=dialog]:visible');
    await buttons.first().waitFor();
    const found: string[] = [];
    for (const button of await buttons.all()) {
      await button.click();
      const dialog = page.getByRole('dialog');
      const heading = await dialog.getByRole('heading').innerText();
      await page.getByRole('dialog', { name: heading, exact: true }).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(1);
      found.push(heading);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    for (const [place, name] of names.entries()) expect(found[place]).toMatch(name);
  });
});
