// `npm run bench -- --plan`: the fleet page's plan with many tanks that are due, in chromium: how long until it is there, and the longest
// time for which the page answers to nothing, while it loads and while it is used.
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, withClient } from './database.js';
import { makeForecasts } from './forecasts.js';
import { figuresOf, fillPlaces, openPage, startPage } from './map.js';
import { count, table } from './report.js';

const SIZES = {
  default: { tanks: 20_000, rounds: 5 },
  large: { tanks: 20_000, rounds: 15 },
  smoke: { tanks: 300, rounds: 1 },
};
/** What follows an answer or a click, such as whom to call, is there by then. */
const SETTLES_WITHIN_MS = 2_000;
const ASKED = { there: 3_000, block: 200 };

export async function measurePlan(server, options, tell) {
  const { tanks, rounds } = SIZES[options.size];
  const { url } = await openDatabase(server, 'tank_bench_plan', {
    content: { tanks },
    keep: options.keep,
    fill: (filled) => fill(filled, tanks),
  });
  const { service, browser } = await startPage(url);
  const runs = [];
  for (let round = 0; round < rounds; round++) {
    tell(`round ${round + 1} of ${rounds}`);
    const page = await openPage(browser, service, '?view=plan', watchTasks);
    runs.push({ load: loadavg()[0], ...(await measurePage(page)) });
    await page.context().close();
  }
  return { tanks, rounds, browser: browser.version(), runs };
}

/** Nine in twenty are due within a week. */
async function fill(url, tanks) {
  await withClient(url, async (client) => {
    await fillPlaces(client, tanks);
    await client.query(
      `insert into telemetry (tank_key, created_at, fill_percentage)
       select key, now() - interval '5 minutes' - n * interval '1 day',
         case when key % 20 < 9 then 14 + key % 17 + n * 2 else 60 + key % 30 + n * 0.5 end
       from tanks, generate_series(0, 9) n`,
    );
  });
  await makeForecasts(url);
  await withClient(url, (client) => client.query('vacuum (analyze)'));
}

async function measurePage(page) {
  const there = await page.evaluate(() => window.bench.there);
  await sleep(SETTLES_WITHIN_MS);
  const taken = { there, loading: await take(page) };
  const uses = {
    tickDay: () => page.locator('.plan-day input').first().click(),
    tickOne: () => page.locator('.plan .row-low input, .plan tr:not(.plan-day) input').first().click(),
    more: () => page.evaluate(() => scrollTo(0, document.body.scrollHeight)),
    search: () => page.getByLabel('Search').fill('tank 12'),
    printed: () => page.evaluate(() => dispatchEvent(new Event('beforeprint'))),
  };
  for (const [use, act] of Object.entries(uses)) {
    await act();
    await sleep(SETTLES_WITHIN_MS);
    taken[use] = await take(page);
  }
  return taken;
}

const take = (page) => page.evaluate(() => window.bench.take());

/** Runs in the page. The browser counts tasks of more than 50 ms. */
function watchTasks() {
  let tasks = [];
  const note = (list) => tasks.push(...list.map(({ duration }) => duration));
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: 'longtask', buffered: true });
  const there = new Promise((resolve) => {
    new MutationObserver((_, watching) => {
      if (document.querySelector('.plan [data-tank]') === null) return;
      watching.disconnect();
      const due = document.querySelector('.summary').textContent;
      // The frame after the one that paints them: then they are seen.
      requestAnimationFrame(() => requestAnimationFrame((ms) => resolve({ ms, due })));
    }).observe(document, { childList: true, subtree: true });
  });
  const takeTasks = () => {
    note(observer.takeRecords());
    const longest = Math.max(0, ...tasks);
    tasks = [];
    return longest;
  };
  window.bench = { there, take: takeTasks };
}

/** What is printed, and what is asked of it. A sheet of all tanks is made while one waits for the printer. */
const ROWS = [
  { what: 'address to plan', read: ({ there }) => there.ms, asked: ASKED.there },
  { what: 'longest task until all is there', read: ({ loading }) => loading, asked: ASKED.block },
  { what: 'a day is ticked', read: ({ tickDay }) => tickDay, asked: ASKED.block },
  { what: 'a tank is ticked', read: ({ tickOne }) => tickOne, asked: ASKED.block },
  { what: 'more are shown', read: ({ more }) => more, asked: ASKED.block },
  { what: 'a search', read: ({ search }) => search, asked: ASKED.block },
  { what: 'the sheet of what is chosen', read: ({ printed }) => printed },
];

export function reportPlan({ tanks, rounds, browser, runs }) {
  const rows = ROWS.map(({ what, read, asked }) => [what, ...figuresOf(runs.map(read), asked)]);
  const [least, most] = [Math.min, Math.max].map((of) => of(...runs.map(({ load }) => load)).toFixed(1));
  return [
    `The plan with ${count(tanks)} tanks (${runs[0].there.due.trim()}), chromium ${browser}, ${rounds} rounds, load ${least} to ${most};`,
    'milliseconds, 0: no task above 50',
    ...table([['', 'best', 'median', 'worst', 'asked', '']], rows),
    '',
  ].join('\n');
}
