// People sign in with a real identity provider, in a real browser: without a role, with one, and with all that an admin may.
import { afterAll, describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import { connect, createServer } from 'node:net';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { startService } from '../support/app.js';
import { freePort } from '../faults/support/ports.js';
import { until } from '../faults/support/until.js';
import { IdentityProvider } from '../support/identity.js';
import { listed, PHONE } from './support/fleet-page.js';
import { launchBrowser, PATIENCE_MS } from './support/launch-browser.js';
import { addSmallFleet } from './support/tanks.js';

const ADA = { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada Byron' };
const BOSS = { sub: 'boss', email: 'boss@example.com', email_verified: true, name: 'The Boss' };
const COMPANY = 'Müller & "Söhne" <Gas>';

const port = await freePort();
const publicUrl = `http://127.0.0.1:${port}`;
const provider = await IdentityProvider.for(publicUrl);
await provider.start();
const service = await startService({
  environment: { ...provider.settings, OIDC_ADMINS: BOSS.email, COMPANY_NAME: COMPANY },
});
await addSmallFleet(service.sql);
/** The public address is known before the service listens. */
const front = createServer((socket) => {
  const behind = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.pipe(behind).pipe(socket);
  for (const end of [socket, behind]) end.on('error', () => undefined);
});
front.listen(port, '127.0.0.1');
const browser = await launchBrowser();
afterAll(async () => {
  await browser.close();
  front.close();
});

async function open(address = '', options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.goto(`${publicUrl}/fleet${address}`);
  return page;
}

async function expectNothingWrong(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run());
  expect(violations.map(({ id }) => id)).toEqual([]);
}

describe('signing in', () => {
  it("has the company's name, one button, and the key folded away below it, where its faults are said", async () => {
    const page = await open('', { viewport: PHONE, colorScheme: 'dark' });
    const button = page.getByRole('link', { name: 'Sign in' });
    await page.getByRole('heading', { name: `${COMPANY} Tank Monitoring` }).waitFor();
    const look = await button.evaluate((link) => {
      const { backgroundColor, paddingLeft, textDecorationLine } = getComputedStyle(link);
      const isLarge = parseFloat(paddingLeft) > 8 && link.getBoundingClientRect().height > 40;
      return { backgroundColor, textDecorationLine, isLarge };
    });

    expect(await page.title()).toBe(`Tank Monitoring – ${COMPANY}`);
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.getByLabel('API key').isVisible()).toBe(false);
    expect(look).toEqual({
      backgroundColor: 'rgb(125, 185, 245)',
      textDecorationLine: 'none',
      isLarge: true,
    });
    await expectNothingWrong(page);
    await page.getByText('Sign in with an API key instead').click();
    await page.getByLabel('API key').fill('tms_unknown.key');
    await page.getByRole('button', { name: 'Sign in with the key' }).click();
    await page.locator('details').getByRole('alert').waitFor();
    await expectNothingWrong(page);
    await page.getByLabel('API key').fill(await service.createKey());
    await page.getByRole('button', { name: 'Sign in with the key' }).click();
    await listed(page);
    expect(await page.title()).toBe('Fleet');
    expect(await page.locator('.brand').innerText()).toBe(COMPANY);
  });

  it('leads somebody new to a page that says whom to ask, and on as soon as there is a role', async () => {
    await provider.is(ADA);
    const page = await open('?low=true');
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    await expectNothingWrong(page);

    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'You have no role yet' }).waitFor();

    expect(page.url()).toBe(`${publicUrl}/fleet?low=true`);
    expect(await page.locator('main').innerText()).toContain('ada@example.com');
    await expectNothingWrong(page);
    await service.sql.query("update users set role = 'viewer' where subject = 'ada'");
    await until('the fleet is shown', async () => {
      await page
        .getByRole('button', { name: 'Look again' })
        .click({ timeout: 1_000 })
        .catch(() => undefined);
      return (await page.locator('.tanks [data-tank]').count()) > 0;
    });
    expect(await page.locator('.who').innerText()).toBe('Ada Byron');
    expect(await page.getByRole('link', { name: 'Add a tank' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Settings' }).click();
    expect(await page.locator('.settings .tabs').innerText()).toBe('You');
    const told = async (address: string) => {
      await page.goto(`${publicUrl}/fleet${address}`);
      await page.getByRole('heading', { name: 'Your role does not allow this' }).waitFor();
      return page.locator('article:visible .instead p').innerText();
    };
    expect(await told('?form=add')).toBe('This needs the role Clerk. An admin can give it to you.');
    expect(await told('?view=settings&setting=keys')).toBe(
      'This needs the role Admin. An admin can give it to you.',
    );
    const answer = await page.evaluate(async () => (await fetch('/v1/keys')).json() as Promise<unknown>);
    expect(answer).toMatchObject({
      code: 'insufficient_scope',
      detail: 'Your role does not allow this. It needs the role admin, which an admin can give you.',
    });
  });

  it('lets an admin give roles, make a key that is shown once, and sign out', async () => {
    await provider.is(BOSS);
    const page = await open('?view=settings&setting=users');
    await page.getByRole('link', { name: 'Sign in' }).click();

    await page.getByLabel('Role of Ada Byron').selectOption('dispatcher');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
    const { rows } = await service.sql.query("select role from users where subject = 'ada'");
    expect(rows).toEqual([{ role: 'dispatcher' }]);

    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByLabel('Name').fill('route planner');
    await page.getByRole('button', { name: 'Make the key' }).click();
    const secret = await page.locator('.secret code').innerText();
    expect(await service.status('/v1/tanks', secret)).toBe(200);
    await page.reload();
    await page.getByRole('rowheader', { name: /route planner/ }).waitFor();
    expect(await page.content()).not.toContain(secret);

    await page.goto(`${publicUrl}/fleet?view=settings&setting=sources&source=sigfox`);
    await page.getByText('sign in with an API key to make one').waitFor(); // it would end with the key

    await page.goto(`${publicUrl}/docs`);
    const tried = await page.evaluate(async () => (await fetch('/v1/users')).status);
    expect(tried).toBe(200); // Swagger UI asks in the session, too
    await page.goto(`${publicUrl}/fleet`);
    await listed(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect((await page.context().cookies()).filter(({ name }) => name === 'session')).toEqual([]);
  });
});
