// The settings of the fleet page: the key that is signed in, who is told, webhook endpoints from their first day to their last, and who changed what.
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startService, type TestService } from '../support/app.js';
import { clear, insertCustomer } from '../support/builders.js';
import { DESK, PHONE, said, visit, watchedBrowser, type VisitOptions } from './support/fleet-page.js';
import { addTank } from './support/tanks.js';

watchedBrowser();
let service: TestService;
let key: string;
let receiver: Server;
let url: string;

beforeAll(async () => {
  service = await startService({
    environment: { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_SECRET_KEY: randomBytes(32).toString('base64') },
  });
  key = await service.createKey({
    name: 'Office',
    scopes: ['read', 'tanks:write', 'webhooks', 'recipients', 'activity'],
  });
  receiver = createServer((_request, response) => response.writeHead(204).end());
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});

afterAll(() => {
  receiver.close();
});

beforeEach(async () => {
  await clear(service.sql);
  await service.sql.query('delete from activity');
  await insertCustomer(service.sql, { id: 'harbor', name: 'Harbor Hotel' });
  await addTank(service.sql, 'harbor', { id: 'kitchen', name: 'Kitchen' }, []);
});

async function open(address: string, options: VisitOptions = {}): Promise<Page> {
  return (await visit(service.url, address, { key, ...options })).page;
}

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

  it('say what is wrong with an address beside it', async () => {
    const page = await open('?view=settings&setting=webhooks', { expected: [400] });
    await page.getByLabel('Address').fill('ftp://example.com');
    await page.getByRole('button', { name: 'Add the endpoint' }).click();

    await page.locator('#url-fault').getByText('Webhooks go to https addresses only.').waitFor();
    expect(await page.getByLabel('Address').inputValue()).toBe('ftp://example.com');
  });

  it('keep what was entered of an endpoint over a reload, its events too', async () => {
    const page = await open('?view=settings&setting=webhooks');
    await page.getByLabel('Description').fill('Dispatch');
    await page.getByLabel('tank.silent').uncheck();
    await page.reload();

    await page.getByLabel('Description').waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('Dispatch');
    expect(await page.getByLabel('tank.silent').isChecked()).toBe(false);
    expect(await page.getByLabel('tank.low').isChecked()).toBe(true);
  });

  it.each([DESK, PHONE])('show who changed a tank, from its page, at %o', async (viewport) => {
    await service.agent(key).patch('/v1/tanks/kitchen').send({ name: 'Bar' }).expect(200);

    const page = await open('?tank=kitchen', { viewport });
    await page.getByRole('link', { name: 'Who changed this tank' }).click();
    await page.locator('.activity[aria-busy="false"]').waitFor();

    const shown = (await page.locator('.activity tbody').innerText()).replaceAll(/\s+/g, ' ');
    expect(shown).toMatch(
      /^Tank Bar changed Show the tank Name: Kitchen → to Bar Office \(tms_[\w-]+…\) just now$/,
    );
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await page.getByRole('link', { name: 'Show the tank' }).click();
    await page.getByRole('heading', { level: 1, name: 'Bar' }).waitFor();
  });
});
