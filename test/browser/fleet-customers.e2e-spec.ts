// The clerk's day on the fleet page: customers are found, looked at, added, corrected and deleted, also in the middle of adding a tank.
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { clear, insertCustomer } from '../support/builders.js';
import { expectFocus, PHONE, said, startFleet } from './support/fleet-page.js';
import { addTank } from './support/tanks.js';

const { service, sql, api, open } = await startFleet(['read', 'tanks:write', 'customers:write', 'activity']);

beforeEach(async () => {
  await clear(sql);
  const reached = { email: 'desk@harbor.example', phone: '+44 20 7946 0001' };
  await insertCustomer(sql, { id: 'harbor', name: 'Harbor Hotel', ...reached });
  await insertCustomer(sql, { id: 'akesson', name: 'Åkesson Bygg', email: 'info@akesson.example' });
  await addTank(sql, 'harbor', { id: 'kitchen', name: 'Kitchen' }, []);
});

async function mill(): Promise<object> {
  const { body } = await api.get('/v1/customers?q=Mill').expect(200);
  return (body as { data: [object] }).data[0];
}

async function names(page: Page): Promise<string[]> {
  await page.locator('.customers[aria-busy="false"]').waitFor();
  return page.locator('[data-customer]').allTextContents();
}

describe('customers', () => {
  it.each([undefined, PHONE])('show whom to call and the tanks, viewport %o', async (viewport) => {
    const page = await open('?tank=kitchen', viewport === undefined ? {} : { viewport });
    await page.getByRole('link', { name: 'Harbor Hotel' }).click();
    await page.locator('.tanks [data-tank]').waitFor();

    expect(await page.locator('.facts').innerText()).toMatch(
      /Phone\s+\+44 20 7946 0001\s+Email\s+desk@harbor\.example/,
    );
    await page.locator('[data-tank="kitchen"]').click();
    await page.getByRole('link', { name: 'Back to the customer' }).click();
    await page.getByRole('heading', { name: 'Harbor Hotel' }).waitFor();
    await expectFocus(page, 'Harbor Hotel');
  });

  it('are added, corrected and deleted', async () => {
    const page = await open('?view=customers', { expected: [400] });
    await page.getByRole('link', { name: 'Add a customer' }).click();
    await page.getByLabel('Name').fill('Mill');
    await page.getByRole('button', { name: 'Add the customer' }).click();
    expect(await page.locator('#customer_email-fault').innerText()).toBe('Email is missing');

    await page.getByLabel('Email').fill('mill@example.com');
    await page.getByRole('button', { name: 'Add the customer' }).click();
    await said(page, 'Mill was added.');

    await page.getByRole('link', { name: 'Edit this customer' }).click();
    await page.getByLabel('Phone').fill('0711 555');
    await page.getByRole('button', { name: 'Save' }).click();
    await said(page, 'Saved.');
    expect(await page.locator('.facts').innerText()).toMatch(/Phone\s+0711 555/);

    await sql.query(`update customers set is_verified = true where name = 'Mill'`);
    const before = await mill();
    await page.getByRole('link', { name: 'Edit this customer' }).click();
    await page.getByRole('button', { name: 'Delete this customer…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await said(page, 'Mill was deleted.');
    expect(await names(page)).toEqual(['Åkesson Bygg', 'Harbor Hotel']);

    await page.getByRole('button', { name: 'Undo' }).click();
    await said(page, 'Mill is back.');
    expect(await mill()).toEqual({ ...before, updated_at: expect.any(String) });
    expect(await page.locator('.facts').innerText()).toMatch(/Phone\s+0711 555\s+Email\s+mill@example\.com/);

    // On its page, and where its name is searched for, also the next day.
    const { id } = before as { id: string };
    await api.delete(`/v1/customers/${id}`).expect(200);
    await page.goto(`${service.url}/fleet?view=customers&customer=${id}`);
    await page.getByRole('button', { name: 'Restore this customer' }).click();
    await said(page, 'Mill is back.');
    expect(await mill()).toEqual({ ...before, updated_at: expect.any(String) });
    await api.delete(`/v1/customers/${id}`).expect(200);
    await sql.query(`update activity set created_at = created_at - interval '30 hours'`);
    await page.goto(`${service.url}/fleet?view=customers&q=mil`);
    await page.getByRole('button', { name: 'Restore Mill' }).click();
    await said(page, 'Mill is back.');
    expect(await mill()).toEqual({ ...before, updated_at: expect.any(String) });
  });

  it('that own tanks say so instead of being deleted', async () => {
    const page = await open('?view=customers&customer=harbor&form=customer');
    await page.getByRole('button', { name: 'Delete this customer…' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.innerText()).toContain('It owns 1 tank');
    expect(await dialog.getByRole('button').allInnerTexts()).toEqual(['Cancel']);
  });

  it('somebody else changed meanwhile are not overwritten unseen', async () => {
    const page = await open('?view=customers&customer=harbor&form=customer', { expected: [412] });
    await page.getByLabel('Phone').fill('0711 555');
    await api.patch('/v1/customers/harbor').send({ name: 'Harbour Hotel' }).expect(200);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody else has changed this customer meanwhile.').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Harbour Hotel');

    await page.getByRole('button', { name: 'Save' }).click();
    await said(page, 'Saved.');
    const { body } = await api.get('/v1/customers/harbor').expect(200);
    expect(body).toMatchObject({ name: 'Harbour Hotel', phone: '0711 555' });
  });

  it('are added while a tank is, and what was entered of the tank stays', async () => {
    const page = await open('?form=add');
    await page.locator('#name').fill('Cellar');
    await page.getByRole('button', { name: 'New customer…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Mill');
    await dialog.getByLabel('Email').fill('mill@example.com');
    await dialog.getByRole('button', { name: 'Add the customer' }).click();

    await dialog.waitFor({ state: 'hidden' });
    expect(await page.locator('#owner_id').inputValue()).toBe('Mill');
    expect(await page.locator('#name').inputValue()).toBe('Cellar');
    await page.locator('#capacity').fill('2000');
    await page.getByRole('button', { name: 'Add the tank' }).click();
    await said(page, 'Cellar was added.');
  });
});
