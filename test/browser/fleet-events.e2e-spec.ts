// Events on the fleet page: the newest of the fleet, a tank's last ones and all of them, in words, fresh, and honest when they are not there.
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { insertCustomer, insertReadings } from '../support/builders.js';
import { addressesOf, listed, search, startFleet } from './support/fleet-page.js';
import { addTank, hourly } from './support/tanks.js';

const { sql, visit, open } = await startFleet();
await insertCustomer(sql, { id: 'harbor', name: 'Harbor Hotel' });

/** A reading at a time, as a sensor sends them: each is judged against the one before. */
async function report(tank: string, ...levels: readonly number[]): Promise<void> {
  const start = Date.now() - levels.length * 60_000;
  for (const [index, fill_percentage] of levels.entries()) {
    const created_at = new Date(start + index * 60_000).toISOString();
    await insertReadings(sql, tank, [{ created_at, fill_percentage }]);
  }
}

type Past = [type: string, hoursAgo: number];

/** Events of a time at which nobody judged the tank. */
async function recordPast(tank: string, owner: string, events: readonly Past[]): Promise<void> {
  await sql.query(
    `insert into events (id, type, created_at, tank_id, owner_id, data)
     select event_id(at), event ->> 0, at, $1, $2, json_build_object(
       'reading', json_build_object('created_at', to_json(at), 'fill_percentage', 19.5), 'before', null,
       'min_fill_alert_percentage', 20, 'tank', json_build_object('name', $1::text),
       'owner', json_build_object('name', (select name from customers where id = $2)), 'location', json_build_object())
     from json_array_elements($3) event, lateral (
       select date_trunc('milliseconds', now() - (event ->> 1)::float8 * interval '1 hour')) moment (at)`,
    [tank, owner, JSON.stringify(events)],
  );
}

async function eventsShown(page: Page): Promise<string[]> {
  await page.locator('.events li').first().waitFor();
  const texts = await page.locator('.events li').allInnerTexts();
  // On a busy machine it is some minutes until we look.
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').replace(/\d minutes? ago$/, 'just now'));
}

describe("a tank's last events", () => {
  it('are told in words, newest first, with the exact time when pointed at', async () => {
    await addTank(sql, 'harbor', { id: 'story', name: 'Story' }, hourly(30, 2, 60, 30));
    await report('story', 22, 19, 85);

    const page = await open('?tank=story');

    expect(await eventsShown(page)).toEqual([
      'Is no longer low 85 % just now',
      'Was refilled 1,782 L, from 19 % to 85 % just now',
      'Ran low 19 %, alert at 20 % just now',
    ]);
    const time = page.locator('.events time').first();
    expect(await time.getAttribute('title')).toMatch(/^\w{3}, \d+ \w+ \d{4}(,| at) \d\d:\d\d/);
  });
});

describe('the newest events of the fleet', () => {
  it('are one line, which opens to ten with links to their tanks', async () => {
    for (let number = 1; number <= 12; number += 1) {
      const id = `t${number}`;
      await addTank(sql, 'harbor', { id, name: `Tank ${number}` }, hourly(9, 1, 60, 30));
      await report(id, 15);
    }
    const page = await open('?q=tank');
    await listed(page);

    const line = page.locator('.newest summary');
    await line.getByText(/^Tank 12 ran low, /).waitFor();
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

  it('that cannot be had leave the tanks and their plots as they are, and are tried again with one button', async () => {
    await sql.query('alter table events rename to events_away');
    const page = await open('', { expected: [500] });
    const names = await listed(page);
    await page.getByRole('alert').waitFor();

    expect(await page.getByRole('alert').innerText()).toMatch(
      /^The service has a problem\. Something went wrong/,
    );
    expect(await page.locator('.request-id code').innerText()).toMatch(/^[\w-]{36}$/);
    expect(await page.locator('.newest summary').innerText()).toMatch(/Not known$/);
    const tank = await visit('?tank=story', { expected: [500] });
    await tank.page.locator('.u-over').waitFor();
    expect(await tank.page.locator('.tank-events').innerText()).toContain('Not known');
    await sql.query('alter table events_away rename to events');
    await page.getByRole('button', { name: 'Try now' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });

    await page.locator('.newest summary time').waitFor();
    expect(await listed(page)).toEqual(names);
  });
});

describe('in the plot of a tank, events', () => {
  const PAST: Past[] = [
    ['tank.low', 1_000], // before the time that is shown
    ['tank.silent', 21],
    ['tank.reporting', 10],
    ['tank.low', 5.5],
    ['tank.refilled', 2.1], // nearer to the reading after it than to the one before, whatever the quarter of the hour
    ['tank.recovered', 2.1],
  ];

  beforeAll(async () => {
    const readings = [...hourly(47, 24, 60, 30), ...hourly(10, 6, 25, 21), ...hourly(5, 3, 19, 18)];
    readings.push(...hourly(2, 0, 90, 89));
    await addTank(sql, 'harbor', { id: 'marked', name: 'Marked' }, readings);
    await sql.query(`delete from events where tank_id = 'marked'`);
    await recordPast('marked', 'harbor', PAST);
    await recordPast('other', 'harbor', [['tank.low', 3]]);
  });

  it('are told where they happened, by the arrow keys and in the table, a refill once', async () => {
    const page = await open('?tank=marked&span=7d');
    await page.locator('.u-over').waitFor();
    const slider = page.getByRole('slider', { name: 'Level over time' });
    await slider.focus();
    await page.keyboard.press('Home');
    const told = [];
    for (let step = 0; step < 60; step += 1) {
      told.push((await slider.getAttribute('aria-valuetext')) ?? '');
      await page.keyboard.press('ArrowRight');
    }

    expect(told.filter((words) => /silent|again|low|refilled/.test(words))).toEqual([
      expect.stringMatching(/^No readings from .*, for \d+ hours, fell silent$/),
      expect.stringMatching(/: 25 %, reports again$/),
      expect.stringMatching(/: (21|19) %, ran low$/),
      expect.stringMatching(/: 90 %, refilled from 18 % to 90 %, is no longer low$/),
    ]);
    await page.getByRole('button', { name: 'Show as table' }).click();
    const rows = await page.locator('.row-event, .row-refill, .row-gap').allInnerTexts();
    expect(rows.map((row) => row.replace(/^.*\d\d:\d\d \S+: /, ''))).toEqual([
      'Refilled from 18 % to 90 %',
      'Is no longer low, 19.5 %',
      'Ran low, 19.5 %, alert at 20 %',
      'Reports again, 19.5 %',
      expect.stringMatching(/^No readings from .*, for \d+ hours$/),
      expect.stringMatching(/^Fell silent, last reading .*, 19.5 %$/),
    ]);
  });

  it('are drawn at their time, on the lower edge', async () => {
    const page = await open('?tank=marked&span=24h');
    await page.locator('.u-over').waitFor();

    // The plot ends up to five minutes from now; the mark is wide enough.
    expect(await inkedHours(page)).toEqual([5, 6]);
  });

  it('lead to all of them, and back to their tank', async () => {
    const { page, asked } = await visit('?tank=marked&span=7d');
    expect(await eventsShown(page)).toHaveLength(PAST.length); // however long ago
    expect(addressesOf(asked).filter((path) => path.startsWith('/v1/events'))).toHaveLength(1);

    await page.getByRole('link', { name: 'All events of this tank' }).click();
    await page.getByText('Only of marked.').waitFor();

    expect(await search(page)).toBe('?view=events&events_of=marked&span=1y');
    await page.getByText(`${PAST.length} events, newest first`).waitFor();
    await page.locator('.event-table [data-tank]').first().click();
    await page.getByRole('heading', { level: 1, name: 'Marked' }).waitFor();
    await page.getByRole('link', { name: 'Back to the events' }).click();
    await page.getByRole('link', { name: 'Show those of all tanks' }).click();
    expect(await search(page)).toBe('?view=events&span=1y');
    await page.getByText('Only of marked.').waitFor({ state: 'detached' });
  });
});

/** How many hours before the end of a plot of 24 hours its lower edge has the colour of alerts. */
function inkedHours(page: Page): Promise<number[]> {
  return page.locator('.uplot canvas').evaluate((canvas: HTMLCanvasElement) => {
    const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = document.querySelector(
      '.u-over',
    ) as HTMLElement;
    const colour = getComputedStyle(canvas).getPropertyValue('--plot-alert').trim();
    const [r, g, b] = [1, 3, 5].map((from) => parseInt(colour.slice(from, from + 2), 16));
    const edge = canvas
      .getContext('2d')
      ?.getImageData(offsetLeft, offsetTop + offsetHeight - 8, offsetWidth, 1);
    const pixels = edge?.data ?? new Uint8ClampedArray();
    const inked = new Set<number>();
    for (let at = 0; at < pixels.length; at += 4) {
      const isInked = pixels[at] === r && pixels[at + 1] === g && pixels[at + 2] === b;
      if (isInked) inked.add(Math.round(24 * (1 - at / 4 / offsetWidth)));
    }
    return [...inked].toSorted((one, other) => one - other);
  });
}

/** So many of a type, six minutes apart. */
const each = (type: string, many: number): Past[] =>
  Array.from({ length: many }, (_, n) => [type, 1 + n / 10]);

describe('all events', () => {
  it('of one owner are counted and come in pages, among however many of others', async () => {
    await insertCustomer(sql, { id: 'few', name: 'Few Tanks' });
    await recordPast('busy', 'harbor', each('tank.low', 300));
    await recordPast('rare', 'few', [...each('tank.silent', 52), ...each('tank.low', 1)]);
    const { page, asked } = await visit('?view=events');
    await listed(page);
    await page.getByLabel('What happened').selectOption('A tank fell silent');

    await page.getByRole('link', { name: 'Few Tanks' }).first().click();
    await page.getByText('52 events, newest first').waitFor();

    expect(await page.locator('.owner-filter:visible').innerText()).toBe(
      'Only of Few Tanks. Show those of all owners',
    );
    expect(addressesOf(asked).filter((path) => path.includes('owner_id=few'))).toHaveLength(1);
    const pages = page.getByRole('navigation', { name: 'Pages', exact: true });
    await pages.getByText('Next').click();
    await pages.getByText('Page 2 of 2').waitFor();
    expect(await listed(page)).toEqual(['rare', 'rare']);
    await page.getByRole('link', { name: '24 h' }).click();
    await page.waitForURL('**?view=events&owner_id=few&type=tank.silent&span=24h');
    await page.getByRole('link', { name: 'Show those of all owners' }).click();
    await page.locator('.owner-filter:visible').waitFor({ state: 'detached' });
  });
});
