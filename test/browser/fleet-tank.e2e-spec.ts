// One tank on the fleet page: its plot tells of gaps and refills, by mouse, by keyboard, as a table and as CSV.
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { readFile } from 'node:fs/promises';
import { listed, startFleet, type Visit } from './support/fleet-page.js';
import { addSmallFleet, addTank } from './support/tanks.js';

const { sql, visit } = await startFleet();
await addSmallFleet(sql);

async function open(tank: string): Promise<Visit> {
  const visited = await visit(`?tank=${tank}`);
  await visited.page.locator('.u-over').waitFor();
  return visited;
}

async function tableOf(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'Show as table' }).click();
  return page.locator('.series tbody tr').allInnerTexts();
}

describe('a tank', () => {
  it('shows its level, when it will be empty, and how to reach its owner', async () => {
    const { page } = await open('low');

    const shown = await page.locator('article').innerText();
    expect(shown).toMatch(/Level now\s+12 % 324 L of 2,700 L\s+Alert at 20 %/);
    expect(shown).toMatch(/Empty in\s+2\.5 days/);
    expect(shown).toMatch(/Alert in\s+reached/);
    expect(await page.locator('[href="tel:+31105550142"]').innerText()).toBe('+31 10 555 0142');
    expect(await page.locator('[href^="mailto:"]').getAttribute('href')).toBe('mailto:office@harbor.example');
    expect(shown).toMatch(/Maaskade 12\s+3071 NB Rotterdam\s+Netherlands/);
    expect(await page.title()).toMatch(/^Boiler house, .+ – Fleet$/);
    expect(await page.locator('hgroup').innerText()).toContain('Harbor Hotel');
  });

  it('writes to its owner and to nobody else, whatever the address holds', async () => {
    const email = 'office@harbor.example?bcc=spy@evil.example&body=a,b#c%0A';
    await sql.query(`update customers set email = $1 where id = 'farm'`, [email]);

    const { page } = await open('silent');

    const link = page.getByRole('link', { name: email });
    const { pathname, search, hash } = new URL((await link.getAttribute('href')) ?? '');
    expect({ to: decodeURIComponent(pathname), search, hash }).toEqual({ to: email, search: '', hash: '' });
    expect(pathname).not.toMatch(/[?&,]/);
    await sql.query(`update customers set email = 'hill@farm.example' where id = 'farm'`);
  });

  it('never lets an old level look current', async () => {
    const { page } = await open('silent');

    const shown = await page.locator('article').innerText();
    expect(shown).toMatch(/Last known level\s+55 %/);
    expect(shown).toContain('2 days ago, overdue after 3 hours');
    expect(shown).toContain('cannot be told while the tank is silent');
    expect(await page.locator('.level-old').count()).toBe(1);
  });

  it('has nothing but the truth to say before its first reading', async () => {
    const { page } = await open('never');

    const shown = await page.locator('article').innerText();
    expect(shown).toContain('No reading yet');
    expect(shown).toContain('No readings in this time.');
    expect(shown).not.toMatch(/\b0 %/);
  });

  it('leads to the other tanks of its owner', async () => {
    const { page } = await open('fine');

    await page.getByRole('link', { name: 'All tanks of this owner' }).click();
    await page.getByText('Only tanks of Harbor Hotel').waitFor();

    expect(await listed(page)).toEqual(['Boiler house', 'Kitchen']);
    await page.locator('.count-all').getByText('2', { exact: true }).waitFor();
  });
});

describe('its history', () => {
  it('never draws a line across a gap', async () => {
    const { page } = await open('eventful');
    const box = await page.locator('.u-over').boundingBox();
    if (box === null) throw new Error('The plot has no place.');
    // The gap, of readings 200 to 150 hours ago, in a plot of 720 hours.
    const middle = Math.round(box.width * (1 - 175 / 720));

    const inked = await page.locator('.uplot canvas').evaluate((canvas: HTMLCanvasElement, x) => {
      const context = canvas.getContext('2d');
      const line = getComputedStyle(canvas).getPropertyValue('--plot-line').trim();
      const [r, g, b] = [1, 3, 5].map((from) => parseInt(line.slice(from, from + 2), 16));
      const plot = document.querySelector('.u-over') as HTMLElement;
      const pixels =
        context?.getImageData(plot.offsetLeft + x, 0, 1, canvas.height).data ?? new Uint8ClampedArray();
      let found = 0;
      for (let at = 0; at < pixels.length; at += 4) {
        if (pixels[at] === r && pixels[at + 1] === g && pixels[at + 2] === b) found += 1;
      }
      return found;
    }, middle);

    expect(inked).toBe(0);
  });

  it('is read by the mouse', async () => {
    const { page } = await open('low');

    await page.locator('.u-over').hover({ position: { x: 900, y: 50 } });

    expect(await page.locator('.readout').innerText()).toMatch(/^\d+ \w+, \d\d:\d\d to .*: [\d.]+ %$/);
  });

  it('hatches silence up to now, and says since when', async () => {
    const { page } = await open('both');
    const slider = page.getByRole('slider');
    await slider.focus();

    await page.keyboard.press('End');

    expect(await slider.getAttribute('aria-valuetext')).toMatch(/^Silent since .*, for 4 days$/);
    expect((await tableOf(page))[0]).toMatch(/^Silent since/);
  });

  it('is shown for the time one chooses', async () => {
    const { page, asked } = await open('low');

    await page.getByRole('link', { name: '24 h' }).click();
    await page.waitForURL('**span=24h');
    await page.getByText('readings, no refills, no gaps').waitFor();
    await page.getByLabel('From').fill('2026-01-01');
    await page.getByLabel('to', { exact: true }).fill('2026-01-31');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.waitForURL('**from=2026-01-01&to=2026-01-31');
    await page.getByText('No readings in this time.').waitFor();

    const ranges = asked
      .map((request) => new URL(request.url()).searchParams)
      .filter((given) => given.has('points'));
    const hours = ranges.map((given) =>
      Math.round(
        (Date.parse(given.get('created_at_lte') ?? '') - Date.parse(given.get('created_at_gte') ?? '')) /
          3_600_000,
      ),
    );
    expect([...new Set(hours)]).toEqual([720, 24, 744]); // each is asked again after a minute
  });

  it('is downloaded whole, in a file of the tank, however many readings there are, without formulas', async () => {
    await addTank(sql, 'farm', { id: '=1+2', name: 'Brooder barn' }, []);
    await sql.query(
      `insert into telemetry (tank_key, created_at, fill_percentage)
       select key, date_trunc('second', now()) - n * interval '1 minute', n % 100
       from tanks, generate_series(1, 21000) n where id = '=1+2'`,
    );
    const { page } = await open(encodeURIComponent('=1+2'));

    const { name, lines } = await downloaded(page, 'Download readings');

    expect(name).toMatch(/^brooder-barn-.*-readings\.csv$/);
    expect(lines[0]).toBe('tank_id,created_at,fill_percentage');
    expect(lines).toHaveLength(21_001);
    expect(lines.slice(1)).toEqual((await readingsOf('=1+2')).map((line) => `'${line}`));
  });
});

async function downloaded(page: Page, button: string): Promise<{ name: string; lines: string[] }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  const content = await readFile(await download.path(), 'utf8');
  return { name: download.suggestedFilename(), lines: content.trimEnd().split('\r\n') };
}

/** As lines of CSV, newest first. */
async function readingsOf(tank: string): Promise<string[]> {
  const { rows } = await sql.query<{ at: string; fill: number }>(
    `select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, fill_percentage as fill
     from telemetry where tank_key = (select key from tanks where id = $1) order by created_at desc`,
    [tank],
  );
  return rows.map(({ at, fill }) => `${tank},${at},${fill}`);
}
