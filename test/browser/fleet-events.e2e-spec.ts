// Events on the fleet page: the newest of the fleet and a tank's last ones, in words, fresh, and honest when they are not there.
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startService, type TestService } from '../support/app.js';
import { insertCustomer, insertReadings } from '../support/builders.js';
import { listed, search, visit, watchedBrowser } from './support/fleet-page.js';
import { addTank, hourly } from './support/tanks.js';

const MINUTE = 61_000;

watchedBrowser();
let service: TestService;

beforeAll(async () => {
  service = await startService();
  await insertCustomer(service.sql, { id: 'harbor', name: 'Harbor Hotel' });
});

/** A reading at a time, as a sensor sends them: each is judged against the one before. */
async function report(tank: string, ...levels: readonly number[]): Promise<void> {
  const start = Date.now() - levels.length * 60_000;
  for (const [index, fill_percentage] of levels.entries()) {
    const created_at = new Date(start + index * 60_000).toISOString();
    await insertReadings(service.sql, tank, [{ created_at, fill_percentage }]);
  }
}

async function eventsShown(page: Page): Promise<string[]> {
  await page.locator('.events li').first().waitFor();
  return (await page.locator('.events li').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
}

describe("a tank's last events", () => {
  it('are told in words, newest first, with the exact time when pointed at', async () => {
    await addTank(service.sql, 'harbor', { id: 'story', name: 'Story' }, hourly(30, 2, 60, 30));
    await report('story', 22, 19, 85);

    const { page } = await visit(service.url, '?tank=story', { key: service.key });

    expect(await eventsShown(page)).toEqual([
      'Is no longer low 85 % just now',
      'Was refilled 1,782 L, from 19 % to 85 % just now',
      'Ran low 19 %, alert at 20 % just now',
    ]);
    const time = page.locator('.events time').first();
    expect(await time.getAttribute('title')).toMatch(/^\w{3}, \d+ \w+ \d{4}(,| at) \d\d:\d\d/);
  });

  it('tell of silence and of its end', async () => {
    await addTank(service.sql, 'harbor', { id: 'quiet', name: 'Quiet' }, hourly(30, 4, 60, 55));
    await service.sql.query('select mark_silent_tanks(1000)');
    await report('quiet', 54);

    const { page } = await visit(service.url, '?tank=quiet', { key: service.key });

    expect(await eventsShown(page)).toEqual([
      'Reports again 54 % just now',
      expect.stringMatching(/^Fell silent last reading \d+ \w+, \d\d:\d\d, 55 % just now$/),
    ]);
  });

  it('are said to be none, and stay readable of a deleted tank', async () => {
    await addTank(service.sql, 'harbor', { id: 'calm', name: 'Calm' }, hourly(30, 0, 60, 55));
    const calm = await visit(service.url, '?tank=calm', { key: service.key });
    await calm.page.getByText('Nothing has happened to it yet.').waitFor();
    await addTank(service.sql, 'harbor', { id: 'gone', name: 'Gone' }, hourly(30, 2, 60, 30));
    await report('gone', 19);
    await service.sql.query(`update tanks set deleted = true where id = 'gone'`);

    const { page } = await visit(service.url, '?tank=gone', { key: service.key, expected: [404] });

    expect(await eventsShown(page)).toEqual(['Ran low 19 %, alert at 20 % just now']);
  });
});

describe('the newest events of the fleet', () => {
  it('are one line, which opens to ten with links to their tanks', async () => {
    for (let number = 1; number <= 12; number += 1) {
      await addTank(
        service.sql,
        'harbor',
        { id: `t${number}`, name: `Tank ${number}` },
        hourly(9, 1, 60, 30),
      );
      await report(`t${number}`, 15);
    }
    const { page } = await visit(service.url, '?q=tank', { key: service.key });
    await listed(page);

    const line = page.locator('.newest summary');
    await line.getByText('Tank 12 ran low, just now').waitFor();
    expect(await page.locator('.events li').first().isVisible()).toBe(false);
    await line.click();

    const shown = await eventsShown(page);
    expect(shown).toHaveLength(10);
    expect(shown[0]).toBe('Tank 12 ran low 15 %, alert at 20 % just now');
    expect(await page.locator('.newest > p.second').innerText()).toMatch(/^The newest 10 of \d+\.$/);
    await page.locator('.events a').nth(1).click();
    await page.getByRole('heading', { level: 1, name: 'Tank 11' }).waitFor();
    expect(await search(page)).toBe('?q=tank&tank=t11');
  });

  it('are refreshed with the rest, opened or not', async () => {
    await addTank(service.sql, 'harbor', { id: 'later', name: 'Later' }, hourly(9, 1, 60, 30));
    const { page } = await visit(service.url, '', { key: service.key, clock: true });
    await listed(page);
    await page.locator('.newest summary').click();
    await page.locator('.events li').first().waitFor();

    await report('later', 12);
    await page.clock.runFor(MINUTE);

    await page.locator('.newest summary').getByText('Later ran low').waitFor();
    expect((await eventsShown(page))[0]).toMatch(/^Later ran low 12 %/);
  });

  it('are said to be none for a key that sees none', async () => {
    const { id } = await insertCustomer(service.sql);
    const { page } = await visit(service.url, '', { key: await service.createKey({ customerId: id }) });

    const line = page.locator('.newest summary');
    await line.getByText('None yet').waitFor();
    await line.click();

    await page.getByText('They appear here when a tank runs low').waitFor();
    expect(await page.locator('.events li').count()).toBe(0);
  });

  it('that cannot be had leave the tanks as they are, and are tried again with one button', async () => {
    await service.sql.query('alter table events rename to events_away');
    const { page } = await visit(service.url, '', { key: service.key, expected: [500] });
    const names = await listed(page);
    await page.getByRole('alert').waitFor();

    expect(await page.locator('.newest summary').innerText()).toMatch(/Not known$/);
    await service.sql.query('alter table events_away rename to events');
    await page.getByRole('button', { name: 'Try now' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });

    await page.locator('.newest summary time').waitFor();
    expect(await listed(page)).toEqual(names);
  });
});
