// Whatever happens to the service or the network, the fleet page says what, keeps what it knows with its age, and goes on by
// itself as soon as it can.
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '../faults/support/until.js';
import { insertCustomer } from '../support/builders.js';
import { addressesOf, listed, repeatedIn, setHidden, startFleet } from './support/fleet-page.js';
import { addSmallFleet } from './support/tanks.js';

const { service, sql, visit, open } = await startFleet();
await addSmallFleet(sql);

const MINUTE = 61_000;

async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in with the key' }).click();
}

/** Where a script could find something. */
function kept(page: Page): Promise<object> {
  return page.evaluate(() => ({
    tab: JSON.stringify(sessionStorage),
    forever: JSON.stringify(localStorage),
    cookie: document.cookie,
    address: location.href,
  }));
}

const screenOf = (page: Page) => page.getByLabel('API key').waitFor();

describe('a key', () => {
  it('becomes a session: it is kept nowhere, and one stays signed in, for 30 days when one asks for it', async () => {
    const { page } = await visit('?low=true', { key: undefined });
    expect(await page.getByLabel('API key').getAttribute('type')).toBe('password');

    await signIn(page, service.key);
    await listed(page);

    const nowhere = { tab: '{}', forever: '{}', cookie: '', address: `${service.url}/fleet?low=true` };
    expect(await kept(page)).toEqual(nowhere);
    await page.reload();
    await listed(page);
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: 'session', httpOnly: true, sameSite: 'Lax', expires: -1 });
    expect(service.key).not.toContain(cookie?.value);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await screenOf(page);
    expect(await page.context().cookies()).toEqual([]);

    await page.getByLabel('Stay signed in on this device for 30 days').check();
    await signIn(page, service.key);
    await listed(page);
    const [staying] = await page.context().cookies();
    expect(Math.round(((staying?.expires ?? 0) - Date.now() / 1000) / 86_400)).toBe(30);
  });

  it('that is not valid is refused, with the reason', async () => {
    const { page } = await visit('', { key: undefined, expected: [401] });

    await signIn(page, 'tms_unknown.key');
    await page.getByRole('alert').waitFor();

    expect(await page.getByRole('alert').innerText()).toContain('unknown, expired or revoked');
    expect(await page.locator('.request-id code').innerText()).toMatch(/^[\w-]{36}$/);
    expect(await page.getByLabel('API key').count()).toBe(1);
  });

  it('that is revoked while one looks ends the session', async () => {
    const key = await service.createKey();
    const { page } = await visit('', { key, clock: true, expected: [401] });
    await listed(page);

    await service.keys.revoke(key.split('.')[0] ?? '');
    const screen = page.getByLabel('API key');
    await until('one has to sign in', async () => {
      await page.clock.runFor(MINUTE);
      return screen.isVisible();
    });

    expect(await page.getByRole('alert').innerText()).toContain('Your session has ended');
  });

  it('that may not read is told so, and another one can be given at once', async () => {
    const key = await service.createKey({ scopes: ['telemetry:write'] });
    const { page } = await visit('', { key: undefined });
    await signIn(page, key);
    await page.getByRole('heading', { name: 'This key may not see the fleet' }).waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await signIn(page, service.key);

    expect(await listed(page)).toHaveLength(6);
  });
});

async function openTab(page: Page): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(`${service.url}/fleet`);
  return tab;
}

describe('several tabs', () => {
  it('are signed in together, also those that asked before, and out together', async () => {
    const { page } = await visit('', { key: undefined });
    const before = await openTab(page);
    await screenOf(before);
    await signIn(page, service.key);
    await listed(page);
    const after = await openTab(page);
    for (const tab of [before, after]) expect(await listed(tab)).toHaveLength(6);

    await page.getByRole('button', { name: 'Sign out' }).click();

    for (const tab of [page, before, after]) {
      await screenOf(tab);
      await tab.reload();
      await screenOf(tab);
    }
  });
});

describe('nothing to show', () => {
  it('is said of a key that sees no tanks', async () => {
    const { id } = await insertCustomer(sql);
    const page = await open('', { key: await service.createKey({ customerId: id }) });

    await page.getByRole('heading', { name: 'No tanks yet' }).waitFor();

    expect(await page.locator('.count-number').allTextContents()).toEqual(['0', '0', '0', '0']);
  });

  it.each([
    ['of a search without a match', '?q=nowhere-at-all', 'No tank matches', 'Show all tanks'],
    ['of a page past the last one', '?page=99', 'There is no such page', 'Show the first page'],
  ])('is said %s, with a way back', async (_, address, heading, wayBack) => {
    const page = await open(address);
    await page.getByRole('heading', { name: heading }).waitFor();

    await page.getByRole('link', { name: wayBack }).click();

    expect(await listed(page)).toHaveLength(6);
  });

  it('is said of a tank that does not exist, and of one that was deleted', async () => {
    const unknown = await visit('?tank=nobody', { expected: [404] });
    await unknown.page.getByRole('heading', { name: 'No such tank' }).waitFor();
    await sql.query(`update tanks set deleted = true where id = 'eventful'`);

    const deleted = await visit('?tank=eventful', { expected: [404] });
    await deleted.page.getByRole('heading', { name: 'This tank was deleted' }).waitFor();
    await deleted.page.getByText('352 readings').waitFor();
    await sql.query(`update tanks set deleted = false where id = 'eventful'`);

    expect(await unknown.page.locator('.plot-area').count()).toBe(0);
  });
});

describe('staying fresh', () => {
  it('asks again while the feed is silent, only for what has changed, and not while nobody looks', async () => {
    const { page, asked } = await visit('', { clock: true });
    await listed(page);
    // What the key may do is asked once, when one signs in.
    const again = () => repeatedIn(asked).filter((one) => !one.url().endsWith('/me'));

    await page.clock.runFor(MINUTE);
    await until('it asks again', () => addressesOf(again()).length >= addressesOf(asked).length - 1);
    for (const request of again()) {
      expect(request.headers()['if-none-match']).toBeDefined();
      expect((await request.response())?.status()).toBe(304);
    }

    await setHidden(page, true);
    const { length } = asked;
    await page.clock.runFor(10 * MINUTE);
    expect(asked).toHaveLength(length);
    await setHidden(page, false);
    await until(
      'it asks again',
      () => addressesOf(asked.slice(length)).length >= addressesOf(asked).length - 1,
    );
  });

  it('keeps what it knows while it is offline, says how old that is, and goes on by itself', async () => {
    const { page, complaints } = await visit('', { clock: true });
    const names = await listed(page);

    await page.context().setOffline(true);
    await page.clock.runFor(3 * MINUTE);
    const message = page.getByRole('alert');
    await message.waitFor();

    expect(await message.innerText()).toMatch(/^You are offline\./);
    expect(await page.getByText('What you see is from').innerText()).toMatch(/ \d minutes ago\.$/);
    expect(await page.locator('.as-of-old').count()).toBe(1);
    expect(await page.locator('.tanks [data-tank]').allTextContents()).toEqual(names);
    await page.context().setOffline(false);
    await page.clock.runFor(15_000);
    await message.waitFor({ state: 'detached' });
    // The browser tells of each request that found no network.
    expect(complaints.splice(0).every((complaint) => complaint.includes('ERR_INTERNET_DISCONNECTED'))).toBe(
      true,
    );
  });

  it.each([
    [503, 'The service is busy.'],
    [429, 'Too many requests.'],
  ])('waits as long as a %i asks for, counting down, and goes on by itself', async (status, told) => {
    const { page } = await visit('', { expected: [status] });
    await listed(page);
    const answer = { status, headers: { 'Retry-After': '3' }, json: { detail: 'Later.' } };
    await page.route('**/v1/fleet/tanks?**', (route) => route.fulfill(answer));

    await page.getByRole('link', { name: /^Silent/ }).click();
    await page.getByRole('alert').getByText(told).waitFor();
    await page
      .locator('.countdown')
      .getByText(/^Trying again in \d+ s\.$/)
      .waitFor();

    await page.unroute('**/v1/fleet/tanks?**');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(await listed(page)).toEqual(['Grain dryer', 'Greenhouse']);
  });

  it('does not ask a service every second whose database is away', async () => {
    const { page, asked } = await visit('', { clock: true, expected: [503] });
    await listed(page);
    await page.route('**/v1/**', (route) =>
      route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: { detail: 'Away.' } }),
    );
    await page.getByRole('link', { name: /^Low/ }).click();
    await page.getByText('Away.').waitFor();
    asked.length = 0;
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000)); // however slow the machine
    for (let second = 0; second < 60; second += 1) await page.clock.runFor(1_000);

    const lists = asked
      .map((request) => request.url())
      .filter((url) => url.includes('/v1/fleet/tanks') && !/battery|signal/.test(url));
    expect(lists.length).toBeGreaterThan(1);
    expect(lists.length).toBeLessThan(6);
  });
});
