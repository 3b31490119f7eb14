// Runs on the page: a truck is filled, ordered, printed and saved at a desk; on a phone its driver enters what was delivered, through a
// dead spot, too.
import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { SCOPES } from '../../src/common/auth/scope.js';
import { until } from '../faults/support/until.js';
import { insertCustomer } from '../support/builders.js';
import { listed, PHONE, startFleet } from './support/fleet-page.js';
import { addTank, hourly } from './support/tanks.js';

const { service, sql, api, open, visit } = await startFleet(SCOPES);
const DATE = '2026-12-24';
await insertCustomer(sql, { id: 'harbor', name: 'Harbor Hotel', phone: '+31 10 555 0142' });
for (const [i, name] of ['Boiler', 'Kitchen', 'Laundry'].entries()) {
  const place = { city: 'Rotterdam', latitude: 51.9 + i / 20, longitude: 4.5 };
  const tank = { id: name.toLowerCase(), name, capacity: 1_000, ...place };
  await addTank(sql, 'harbor', tank, hourly(4, 0, 12, 10 + i));
}

const stopsOn = (page: Page) => page.locator('.stop h2 a').allInnerTexts();
const stop = (page: Page, name: string) => page.locator('.stop', { hasText: name });
const plan = (id: string, date: string) => {
  const stops = ['laundry', 'boiler', 'kitchen'].map((tank_id) => ({ tank_id, planned: 700 }));
  return api.put(`/v1/runs/${id}`).send({ date, name: 'Truck 2', capacity: 1500, stops }).expect(201);
};
type Stop = { status: string; delivered: number | null; delivered_at: string };
const runNow = async (id: string) => (await api.get(`/v1/runs/${id}`).expect(200)).body as { stops: Stop[] };

async function deliver(page: Page, name: string, amount: string): Promise<void> {
  await stop(page, name).getByRole('button', { name: 'Delivered' }).click();
  const dialog = page.getByRole('dialog', { name });
  await dialog.getByLabel('Delivered, in Liters').fill(amount);
  await dialog.getByRole('button', { name: 'Delivered' }).click();
}

describe('a run at a desk', () => {
  it('is made of what is chosen in the plan, with an address of its own', async () => {
    const page = await open('?view=plan&truck=1400');
    await listed(page);
    await page.getByRole('checkbox', { name: 'Boiler' }).check();
    await page.getByRole('checkbox', { name: 'Kitchen' }).check();
    await page.getByRole('button', { name: 'Make a run' }).click();
    const dialog = page.getByRole('dialog', { name: 'A run of 2 tanks' });
    await dialog.getByLabel('Date').fill(DATE);
    await dialog.getByLabel('Truck').fill('Truck 1');
    expect(await dialog.getByLabel('It holds').inputValue()).toBe('1400');
    await dialog.getByRole('button', { name: 'Make a run' }).click();
    await page.getByRole('heading', { level: 1, name: /^Truck 1, .*24/ }).waitFor();
    expect((await stopsOn(page)).toSorted()).toEqual(['Boiler', 'Kitchen']);
    expect(new URL(page.url()).search).toMatch(/^\?view=runs&run=/);
    expect(await page.getByRole('region', { name: 'What is loaded' }).innerText()).toMatch(
      /1,4\d\d L of 1,400 L .*too much/s,
    );
  });

  it('is suggested, ordered, edited, saved and printed', async () => {
    const page = await open('?view=runs');
    await page.getByRole('button', { name: 'Fill a truck' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Where').fill('germany');
    await dialog.getByRole('button', { name: 'Fill a truck' }).click();
    await dialog.getByText(/^No tank matches germany; \d are due without it\.$/).waitFor();
    await dialog.getByLabel('Where').fill('');
    await dialog.getByLabel('Date').fill('2026-12-26');
    await dialog.getByLabel('It holds').fill('1000');
    await dialog.getByRole('button', { name: 'Fill a truck' }).click();
    await page.getByRole('heading', { level: 1 }).filter({ hasText: '26' }).waitFor();
    expect(await stopsOn(page)).toEqual(['Laundry']); // the others wait for Truck 1
    await plan('truck-2', '2026-12-28');
    await page.goto(`${service.url}/fleet?view=runs&run=truck-2`);
    await page.getByText('600 L too much').waitFor();
    await page.getByRole('button', { name: 'Shortest way' }).click();
    await page.getByRole('button', { name: 'Edit stops' }).click();
    await page.getByLabel('Amount for Boiler').fill('100');
    await page.getByLabel('Amount for Boiler').press('Tab');
    await page.getByText('1,500 L of 1,500 L').waitFor();
    await page.getByRole('button', { name: 'Take Kitchen out' }).click();
    await page.getByText('800 L of 1,500 L').waitFor();
    await page.getByRole('button', { name: 'Edit stops' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('run-2026-12-28-truck-2.csv');
    const csv = await readFile(await download.path(), 'utf8');
    expect(csv.split('\r\n')[1]).toContain('truck-2,2026-12-28,Truck 2,1,');
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    const sheet = (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ').trim();
    expect(sheet).toMatch(
      /^Truck 2, .* 2026 2 stops · 800 L of 1,500 L · .* km.*Rotterdam.*\+31 10 555 0142.*Sum 800 L$/,
    );
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('button', { name: 'Show on map' }).click();
    await page.locator('.run-mark').nth(1).waitFor();
    expect(await page.locator('.run-mark').allInnerTexts()).toEqual(['1', '2']);
  });
});

const sizeOf = (element: Element) => getComputedStyle(element).fontSize;

it('the sheet of a run under way says in small type, and in lines, what was delivered', async () => {
  await plan('brought', '2027-01-13');
  await api.patch('/v1/runs/brought/stops/boiler').send({ status: 'delivered', delivered: 700 }).expect(200);
  const page = await open('?view=runs&run=brought');
  await stop(page, 'Boiler').getByText('700 L delivered').waitFor();
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  const [cell, amount] = [
    page.locator('.sheet .outcome'),
    page.locator('.sheet tbody td:nth-child(6)').first(),
  ];
  expect(await cell.evaluate(sizeOf)).toBe(await amount.evaluate(sizeOf));
  expect(await cell.evaluate((element) => getComputedStyle(element).whiteSpace)).toBe('normal');
});

describe('the sheet of a run with 60 stops', () => {
  it('has title, date, truck and totals once, and the number of each page', async () => {
    await insertCustomer(sql, { id: 'many', name: 'Many Farms' });
    const stops = [];
    for (let i = 1; i <= 60; i += 1) {
      await addTank(sql, 'many', { id: `many-${i}`, name: `Barn ${i}.` }, []);
      stops.push({ tank_id: `many-${i}`, planned: 150 });
    }
    const run = { date: '2027-01-12', name: 'Truck 7', capacity: 10_000, stops };
    await api.put('/v1/runs/long').send(run).expect(201);
    const page = await open('?view=runs&run=long');
    await stop(page, 'Barn 60.').waitFor();
    const pages = textOfPages(await page.pdf({ preferCSSPageSize: true }));
    expect(pages.length).toBeGreaterThan(2);
    const whole = pages.join('\n');
    expect(whole.match(/Truck 7, Tue, 12 Jan 2027/g)).toHaveLength(1);
    expect(whole.match(/60 stops · 9,000 L of 10,000 L/g)).toHaveLength(1);
    expect(whole.match(/Sum 9,000 L/g)).toHaveLength(1);
    expect(whole.match(/Barn \d+\./g)).toHaveLength(60);
    for (const [i, text] of pages.entries()) expect(text).toContain(`${i + 1} / ${pages.length}`);
  });
});

describe('a run on a phone', () => {
  it('is the list of its driver, who goes there, calls, and enters what was delivered, once', async () => {
    await plan('phone', '2027-01-04');
    const page = await open('?view=runs&run=phone', { viewport: PHONE });
    const boiler = stop(page, 'Boiler');
    await boiler.waitFor();
    expect(await boiler.getByRole('link', { name: 'Directions' }).getAttribute('href')).toContain('51.9');
    expect(await boiler.locator('[href^="tel:"]').getAttribute('href')).toBe('tel:+31105550142');
    await deliver(page, 'Boiler', '690');
    await stop(page, 'Boiler').getByText('690 L delivered').waitFor();
    await until('it is stored', async () => (await runNow('phone')).stops[1]?.status === 'delivered');
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(PHONE.width);
  });

  it('is there in a dead spot after a reload, with what was entered, which is sent from any view, with its time', async () => {
    await plan('lost', '2027-01-08');
    const { page, complaints } = await visit('?view=runs&run=lost', { viewport: PHONE });
    await stop(page, 'Kitchen').waitFor();
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await page.context().setOffline(true);
    await page.reload();
    const before = Date.now();
    await deliver(page, 'Kitchen', '70');
    await page.evaluate(() => {
      const [entry] = JSON.parse(localStorage.getItem('entries of drivers /fleet') ?? '[]') as {
        at: number;
      }[];
      const earlier = entry && { ...entry, at: entry.at - 600_000 }; // a time that is not that of sending it
      localStorage.setItem('entries of drivers /fleet', JSON.stringify([earlier]));
    });
    await page.reload();
    await stop(page, 'Kitchen').getByText('70 L delivered · not sent yet').waitFor();
    await page.locator('.run-load').getByText('1 of 3 stops done · 70 L delivered').waitFor();
    // Chromium does not always say of a page from its cache that it is offline.
    await page
      .getByText(/^(You are offline|No answer)\./)
      .first()
      .waitFor();
    await page.context().setOffline(false);
    await page.goto(`${service.url}/fleet?view=customers`);
    await until('it is sent', async () => (await runNow('lost')).stops[2]?.delivered === 70);
    const at = Date.parse((await runNow('lost')).stops[2]?.delivered_at ?? '');
    expect(Math.abs(at - before + 600_000)).toBeLessThan(60_000);
    expect(complaints.splice(0).filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await page.evaluate(() => localStorage.getItem('fleet /fleet'))).toBeNull();
  });

  it('shows a conflict, and sends no time that is ahead of the service', async () => {
    await plan('ahead', '2027-01-07');
    const skipped = { status: 'skipped' };
    await api.patch('/v1/runs/ahead/stops/boiler').send(skipped).expect(200);
    const other = { date: '2027-01-07', stops: [{ tank_id: 'boiler', planned: 5 }] };
    await api.put('/v1/runs/other').send(other).expect(201);
    const page = await open('?view=runs&run=ahead', { viewport: PHONE, expected: [409] });
    await stop(page, 'Boiler').getByRole('button', { name: 'Change' }).click();
    await page.getByRole('dialog', { name: 'Boiler' }).getByRole('button', { name: 'Open again' }).click();
    await page.getByRole('alert').filter({ hasText: 'Boiler was refused' }).waitFor();

    // As by a phone whose clock was two hours ahead.
    await page.evaluate((at) => {
      const fields = { status: 'delivered', delivered: 7 };
      const entry = { id: 'one', run: 'ahead', tank: 'kitchen', name: 'Kitchen', fields, at };
      localStorage.setItem('entries of drivers /fleet', JSON.stringify([entry]));
    }, Date.now() + 7_200_000);
    await page.reload();
    await until('it is stored', async () => (await runNow('ahead')).stops[2]?.status === 'delivered');
    const { delivered_at: at } = (await runNow('ahead')).stops[2] ?? { delivered_at: '' };
    expect(Date.parse(at)).toBeLessThanOrEqual(Date.now());
  });

  it('shows what is refused, until somebody has seen it', async () => {
    await plan('gone', '2027-01-06');
    const page = await open('?view=runs&run=gone', { viewport: PHONE, expected: [404] });
    await stop(page, 'Kitchen').waitFor();
    await api
      .patch('/v1/runs/gone')
      .send({ stops: [{ tank_id: 'boiler', planned: 1 }] })
      .expect(200);
    await deliver(page, 'Kitchen', '5');
    const refusal = page.getByRole('alert').filter({ hasText: 'was refused' });
    await refusal.getByText('There is no stop with this id.').waitFor();
    await page.reload();
    await refusal.getByRole('button', { name: 'Discard it' }).click();
    await refusal.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => localStorage.getItem('entries of drivers /fleet'))).toBe('[]');
  });
});

describe('the page of runs', () => {
  it('is in the activity in words, with the names of tanks', async () => {
    await plan('told', '2027-01-10');
    const enter = (tank: string, fields: object) =>
      api.patch(`/v1/runs/told/stops/${tank}`).send(fields).expect(200);
    await enter('boiler', { status: 'delivered', delivered: 800 });
    await enter('boiler', { delivered: 750 });
    await enter('kitchen', { status: 'skipped', note: 'Dog' });
    const left = ['kitchen', 'boiler'].map((tank_id) => ({ tank_id, planned: 700 }));
    await api.patch('/v1/runs/told').send({ stops: left }).expect(200);
    const page = await open('?view=settings&setting=activity&object_id=told');
    await page.getByText('750 L instead').waitFor();
    const told = await page.locator('.activity .plain li').allInnerTexts();
    expect(told.slice(0, 4)).toEqual([
      'Taken out: Laundry',
      'Kitchen skipped; Kitchen, Note: nothing → Dog',
      '750 L instead of 800 L delivered to Boiler',
      '800 L delivered to Boiler',
    ]);
  });

  it('is called by its day in the activity, without a name', async () => {
    const stops = [{ tank_id: 'laundry', planned: 700 }];
    await api.put('/v1/runs/nameless').send({ date: '2027-01-11', stops }).expect(201);
    const page = await open('?view=settings&setting=activity&object_id=nameless');
    const named = page.locator('.activity tbody a').first();
    await named.getByText('11 Jan 2027').waitFor();
    expect(await named.innerText()).toBe('Run Mon, 11 Jan 2027');
  });

  it('is hidden from a key of one customer, and changes nothing without the scope', async () => {
    const bound = await open('', { key: await service.createKey({ customerId: 'harbor', scopes: SCOPES }) });
    await listed(bound);
    expect(await bound.getByRole('link', { name: 'Runs' }).count()).toBe(0);
    const reader = await open('?view=runs&run=phone', { key: service.key });
    await stop(reader, 'Boiler').waitFor();
    expect(await reader.getByRole('button', { name: /Delivered|Shortest way|Delete/ }).count()).toBe(0);
  });
});

/**
 * Each page's text as it was drawn, runs of it apart by a space. A PDF of Chromium's has a glyph's number where one expects a letter.
 */
function textOfPages(pdf: Buffer): string[] {
  const text = pdf.toString('latin1');
  const streamOf = (object: number) => {
    const start = new RegExp(`(?:^|\\n)${object} 0 obj\\s*<<([^>]*)>>\\s*stream\\r?\\n`).exec(text);
    const length = Number(/\/Length (\d+)/.exec(start?.[1] ?? '')?.[1]);
    const at = (start?.index ?? 0) + (start?.[0].length ?? 0);
    return inflateSync(pdf.subarray(at, at + length)).toString('latin1');
  };
  const letters = new Map<string, Map<string, string>>();
  for (const [, font = ''] of text.matchAll(/\/F(\d+) \1 0 R/g)) {
    const [, map] = new RegExp(`\\n${font} 0 obj[^]*?/ToUnicode (\\d+) 0 R`).exec(text) ?? [];
    if (!letters.has(font)) letters.set(font, lettersOf(streamOf(Number(map))));
  }
  return [...text.matchAll(/\/Contents (\d+) 0 R/g)].map(([, page]) => {
    let font: Map<string, string> | undefined;
    return [...streamOf(Number(page)).matchAll(/\/F(\d+) \S+ Tf|<([0-9A-F]+)> Tj|\bET\b/g)]
      .map(([, name, glyphs]) => {
        if (name !== undefined) font = letters.get(name);
        if (glyphs === undefined) return name === undefined ? ' ' : '';
        return glyphs.replaceAll(/.{4}/g, (glyph) => font?.get(glyph) ?? '?');
      })
      .join('')
      .replaceAll(/\s+/g, ' ')
      .trim();
  });
}

/** By glyph: single ones, and ranges of glyphs that follow each other as their letters do. */
function lettersOf(map: string): Map<string, string> {
  const ranges = /^<([0-9A-F]{4})> (?:<([0-9A-F]{4})> )?<([0-9A-F]{4})>$/gm;
  const letters = new Map<string, string>();
  for (const [, from = '', to = from, code = ''] of map.matchAll(ranges)) {
    for (let i = 0; i <= Number.parseInt(to, 16) - Number.parseInt(from, 16); i += 1) {
      const glyph = (Number.parseInt(from, 16) + i).toString(16).toUpperCase().padStart(4, '0');
      letters.set(glyph, String.fromCodePoint(Number.parseInt(code, 16) + i));
    }
  }
  return letters;
}
