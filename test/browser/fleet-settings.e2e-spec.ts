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
let status = 204;
const receiver = await Receiver.start(() => ({ status }));
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
    expect(await advice.innerText()).toContain('This needs a key with the scope webhooks');
  });

  it('add an endpoint, show its secret once, test it, disable it and delete it, in German to the last reason', async () => {
    const german = { locale: 'de-DE', expected: [400] };
    const page = await open('?view=settings&setting=webhooks', german);
    await page.getByLabel('Adresse').fill('https://hooks.example:25');
    await page.getByLabel('Kunde').fill('Harb');
    await page.getByRole('button', { name: /^Harbor Hotel/ }).click();
    await page.getByLabel('tank.silent').uncheck();
    await page.getByRole('button', { name: 'Endpunkt anlegen' }).click();
    await page.locator('.fault').getByText('Port 25 gehört zu einem anderen Protokoll.').waitFor();
    await page.getByLabel('Adresse').fill(url);
    await page.getByRole('button', { name: 'Endpunkt anlegen' }).click();

    const secret = await page.locator('.secret code').innerText();
    expect(secret).toMatch(/^whsec_/);
    const data = { reading: { fill_percentage: 9 }, tank: { name: 'Kitchen' }, owner: {}, location: {} };
    await sql.query(`
      insert into events (id, type, created_at, tank_id, owner_id, data)
      values ('e', 'tank.low', now(), 'kitchen', 'harbor', '${JSON.stringify(data)}');
      update webhook_deliveries set tries = 1, last_reason = 'the connection was refused'`);
    await page.locator('[data-endpoint]').click();
    const delivered = page.locator('.deliveries tbody');
    await delivered.getByRole('link', { name: 'Kitchen' }).waitFor();
    expect(await delivered.innerText()).toContain('Ausstehend\ndie Verbindung wurde abgelehnt');
    await page.getByRole('button', { name: 'Noch einmal senden' }).waitFor();
    await page.locator('.facts').getByText('Harbor Hotel').waitFor();
    await page.setViewportSize(PHONE); // it has the longest heading, and a time in a row with a button
    await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);
    await page.getByRole('heading', { name: url }).waitFor();
    expect(await page.locator('.settings').innerText()).not.toContain(secret);

    await page.getByRole('button', { name: 'Test senden' }).click();
    await said(page, /^Er antwortete 204/);
    status = 500;
    await page.getByRole('button', { name: 'Test senden' }).click();
    await said(page, /^Antwort 500/);
    await page.getByRole('button', { name: 'Noch einmal senden' }).click();
    await said(page, /^[01] Ereignisse? (wird|werden) noch einmal gesendet\.$/);
    await page.getByRole('button', { name: 'Ausschalten' }).click();
    await said(page, 'Der Endpunkt ist ausgeschaltet.');
    await page.getByText('Ausgeschaltet: hier oder über die API').waitFor();

    await page.getByRole('button', { name: 'Löschen …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Löschen' }).click();
    await said(page, 'Der Endpunkt wurde gelöscht.');
    await page.getByRole('heading', { name: 'Noch keine' }).waitFor();
  });

  it('tell somebody by mail, change when, what and in which language, and keep the rest', async () => {
    const page = await open('?view=settings&setting=recipients', { expected: [400] });
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByRole('button', { name: 'Add the recipient' }).click();
    await page.getByRole('link', { name: 'ada@example.com' }).click();
    await page.getByRole('heading', { level: 1, name: 'ada@example.com' }).waitFor();
    expect(await page.locator('.back').allInnerTexts()).toEqual(['Back to the recipients']);
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

  it('calls a sensor by its tank in the activity', async () => {
    const sensor = { profile_id: 'em400-udl', calibration: null };
    await service.agent(key).put('/v1/tanks/kitchen/sensor').send(sensor).expect(201);
    const page = await open('?view=settings&setting=activity');
    await page.getByRole('link', { name: 'Sensor of Kitchen' }).click();
    await page.locator('.owner-filter').getByText('Kitchen').waitFor();
    expect(await page.locator('.owner-filter').innerText()).toMatch(/^Only of Kitchen\./);
  });
});
