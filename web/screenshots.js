// `npm run screenshots`: the fleet page on the demo fleet, as docs/images/ shows it. Needs chromium (CHROMIUM_PATH).
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';

const OUT = 'docs/images';
const LOOKS = {
  light: { viewport: { width: 1280, height: 840 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 840 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', deviceScaleFactor: 2 },
  'phone-dark': { viewport: { width: 390, height: 844 }, colorScheme: 'dark', deviceScaleFactor: 2 },
};

const service = spawn('node', ['dist/main.js'], {
  env: { ...process.env, DATABASE_URL: '', PORT: '0', LOG_LEVEL: 'error' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
});
try {
  const url = await addressOf(service);
  const ask = await asking(url);
  await forecastsOf(ask);
  mkdirSync(OUT, { recursive: true });
  const views = {
    list: ['', '.tanks [data-tank]'],
    plan: ['?view=plan', '.plan [data-tank]'],
    tank: [`?tank=${await tankWorthSeeing(ask)}`, '.u-over'],
    map: ['?view=map', '.map-image .mark'],
    runs: ['?view=runs', '.runs tbody tr'],
    run: [`?view=runs&run=${await runWorthSeeing(ask)}`, '.stop'],
    events: ['?view=events', '.event-table tbody tr'],
    customers: ['?view=customers', '.customers tbody tr'],
    customer: [`?view=customers&customer=${await customerWorthSeeing(ask)}`, '.tanks [data-tank]'],
    add: ['?form=add', '#capacity'],
    uplinks: ['?view=uplinks', '.uplinks tbody tr'],
    settings: ['?view=settings&setting=activity', '.activity tbody tr'],
  };
  for (const [view, [address, shown]] of Object.entries(views)) {
    for (const [look, options] of Object.entries(LOOKS)) {
      const context = await browser.newContext({ locale: 'en-GB', ...options });
      const page = await context.newPage();
      await page.goto(`${url}/fleet${address}`);
      await page.locator(shown).first().waitFor();
      await page.waitForFunction(() => !document.body.innerText.includes('Loading…'));
      await page.waitForTimeout(500); // the map is drawn anew when it rests
      await page.screenshot({ path: `${OUT}/${view}-${look}.png`, fullPage: view === 'tank' });
      await context.close();
    }
  }
} finally {
  await browser.close();
  service.kill('SIGTERM');
}

/** Once it listens, the demo prints where. */
function addressOf({ stdout }) {
  return new Promise((resolve, reject) => {
    let text = '';
    stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      const [, url] = /(http:\/\/[^\s/]+)\/v1/.exec(text) ?? [];
      if (url !== undefined) resolve(url);
    });
    stdout.on('end', () => reject(new Error('The service did not start.')));
  });
}

/** Asks the demo with the key that its page is signed in with. */
async function asking(url) {
  const { key } = await (await fetch(`${url}/fleet/demo-key`)).json();
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  return async (path, change = {}) => (await fetch(`${url}/v1/${path}`, { headers, ...change })).json();
}

/** They are made in the first minutes, some tanks at a time: until no more come. */
async function forecastsOf(ask) {
  for (let before = 0; ;) {
    const { data } = await ask('fleet/tanks?size=100');
    const made = data.filter(({ forecast }) => forecast !== null).length;
    if (made > 0 && made === before) return;
    before = made;
    await new Promise((resolve) => setTimeout(resolve, 5_000));
  }
}

/** A truck in Hamburg the day after tomorrow, which has been at its first stop. */
async function runWorthSeeing(ask) {
  const date = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const suggested = await ask('runs/suggest', {
    method: 'POST',
    body: JSON.stringify({ date, capacity: 30_000, q: 'Hamburg' }),
  });
  await ask('runs/pictured', { method: 'DELETE' }); // of the pictures before these
  const { id, stops } = await ask('runs/pictured', {
    method: 'PUT',
    body: JSON.stringify({ ...suggested, name: 'Truck 2' }),
  });
  const [{ tank_id: first, planned }] = stops;
  await ask(`runs/${id}/stops/${first}`, {
    method: 'PATCH',
    body: JSON.stringify({ status: 'delivered', delivered: Math.floor(planned) }),
  });
  return id;
}

async function customerWorthSeeing(ask) {
  const { data } = await ask('customers?size=100');
  return data.toSorted((a, b) => b.tank_count - a.tank_count)[0].id;
}

/** One with a forecast and, if there is such a one, a refill and a gap in its last thirty days. */
async function tankWorthSeeing(ask) {
  const { data } = await ask('fleet/tanks?silent=false&reported=true&size=100');
  const merits = [];
  for (const { tank_id: id, low } of data) {
    const { consumption } = await ask(`fleet/tanks/${id}`);
    const { gaps_total: gaps, refills_total: refills } = await ask(`tanks/${id}/telemetry/series`);
    merits.push({ id, merit: [consumption !== null, refills > 0, gaps > 0, low].filter(Boolean).length });
  }
  return merits.toSorted((a, b) => b.merit - a.merit)[0].id;
}
