// The settings of the fleet page: the key that is signed in, who is told, webhook endpoints from their first day to their last, and who changed what.
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { clear, insertCustomer } from '../support/builders.js';
import { Receiver } from '../support/receiver.js';
import { DESK, PHONE, said, startFleet, type VisitOptions } from './support/fleet-page.js';
import { addTank } from './support/tanks.js';

const { service, sql, visit } = await startFleet(['read'], {
  environment: { WEBHOOK_ALLOW_PRIVATE: 'true' },
});
const key = await service.createKey({
  name: 'Office',
  scopes: ['read', 'tanks:write', 'webhooks', 'recipients', 'activity'],
});
const receiver = await Receiver.start();
const { url } = receiver;
afterAll(() => receiver.stop());

beforeEach(async () => {
  await clear(sql);
  await sql.query('delete from activity');
  await insertCustomer(sql, { id: 'harbor', name: 'Harbor Hotel' });
  await addTank(sql, 'harbor', { id: 'kitchen', name: 'Kitchen' }, []);
});

const open = async (address: string, options: VisitOptions = {}) =>
  (await visit(address, { key, ...options })).page;

describe('the settings', () => {
  it('show the key that is signed in: its name, whom it sees, what it may do', async () => {
    const page = await open('');
    await page.getByRole('link', { name: 'Settings' }).click();
    const shown = page.locator('.settings .panel');
    await shown.getByRole('heading', { name: 'Office' }).waitFor();

    expect(await shown.innerText()).toMatch(/Sees\s+All customers\s+May\s+See customers, tanks and readings/);
    expect(await shown.innerText()).not.toContain(key);
  });

  it('say which scope is missing', async () => {
    const reader = await service.createKey({ scopes: ['read'] });
    const page = await open('?view=settings&setting=webhooks', { key: reader });
    const advice = page.locator('.settings .instead');
    await advice.waitFor();
    expect(await advice.innerText()).toContain('This needs the scope webhooks.');
  });

  it('add an endpoint, show its secret once, test it, disable it and delete it', async () => {
    const page = await open('?view=settings&setting=webhooks');
    await page.getByLabel('Address').fill(url);
    await page.getByLabel('Description').fill('Dispatch');
    await page.getByLabel('tank.silent').uncheck();
    await page.getByRole('button', { name: 'Add the endpoint' }).click();

    const secret = await page.locator('.secret code').innerText();
    expect(secret).toMatch(/^whsec_/);
    await page.locator('[data-endpoint]').click();
    await page.getByRole('button', { name: 'Send again' }).waitFor();
    await page.setViewportSize(PHONE); // it has the longest heading, and a time in a row with a button
    await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);
    await page.getByRole('heading', { name: url }).waitFor();
    expect(await page.locator('.settings').innerText()).not.toContain(secret);

    await page.getByRole('button', { name: 'Send a test' }).click();
    await said(page, /^It answered 204/);
    await page.getByRole('button', { name: 'Send again' }).click();
    await said(page, '0 events will be sent again.');
    await page.getByRole('button', { name: 'Disable' }).click();
    await said(page, 'The endpoint is disabled.');
    await page.getByRole('button', { name: 'Enable' }).waitFor();

    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await said(page, 'The endpoint was deleted.');
    await page.getByRole('heading', { name: 'None yet' }).waitFor();
  });

  it('tell somebody by mail, change when, what and in which language, and keep the rest', async () => {
    const page = await open('?view=settings&setting=recipients', { expected: [400] });
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByRole('button', { name: 'Add the recipient' }).click();
    await page.getByRole('link', { name: 'ada@example.com' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('checkbox', { name: 'Low' }).uncheck();
    await page.getByLabel('Daily mail at').fill('06:30');
    await page.getByLabel('Time zone').selectOption('Europe/Vienna');
    await page.getByLabel('Language').selectOption('German');
    await page.getByRole('button', { name: 'Save' }).click();

    await page.getByRole('button', { name: 'Edit' }).waitFor();
    await page.locator('.facts').getByText('Daily at 06:30 (Europe/Vienna)').waitFor();
    const { body } = await service.agent(key).get('/v1/recipients').expect(200);
    expect(body).toMatchObject({
      data: [{ email: 'ada@example.com', events: ['tank.silent'], daily_at: '06:30', language: 'de' }],
    });
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Email').fill('ada@@example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('#email-fault').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await said(page, 'No mails are sent for now.');
  });

  it.each([DESK, PHONE])('show who changed a tank, from its page, at %o', async (viewport) => {
    await service.agent(key).patch('/v1/tanks/kitchen').send({ name: 'Bar' }).expect(200);

    const page = await open('?tank=kitchen', { viewport });
    await page.getByRole('link', { name: 'Who changed this tank' }).click();
    await page.locator('.activity[aria-busy="false"]').waitFor();

    const shown = (await page.locator('.activity tbody').innerText()).replaceAll(/\s+/g, ' ');
    expect(shown).toMatch(
      /^Tank Bar changed Show the tank Name: Kitchen → to Bar Office \(tms_[\w-]+…\) (just now|\d minutes? ago)$/,
    );
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await page.getByRole('link', { name: 'Show the tank' }).click();
    await page.getByRole('heading', { level: 1, name: 'Bar' }).waitFor();
  });
});
