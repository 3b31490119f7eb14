// What is asked. Every server is asked the same paths, drawn once with a seed, in the same order.
import { BIG_TANK_KEY, DAYS, FIRST_DAY, SMALL_TANK_KEY, YEAR_TANK_ID } from './data.js';
import { withClient } from './database.js';
import { seededRandom } from './random.js';

const SAMPLE = 200;
const DAY_MS = 86_400_000;

const LABELS = {
  'tank-by-id': 'tank by id',
  'customers-first': 'customers ×10, page 1',
  'customers-random': 'customers ×10, random page',
  'customers-last': 'customers ×10, last page',
  'tanks-100': 'tanks ×100, page 1',
  'telemetry-10': 'telemetry ×10 of any tank',
  'small-first': 'small tank, page 1',
  'big-first': 'big tank, page 1',
  'big-random': 'big tank, random (deep) page',
  'big-last': 'big tank, last page',
  'big-range': 'big tank, a date range',
  'fleet-first': 'fleet, page 1 by fill',
  'fleet-low': 'fleet, page 1 of the low',
  'fleet-alert': 'fleet, page 1 by alert',
  'fleet-summary': 'fleet, summary',
  'series-year': 'series of a year at 15 min',
  'csv-10000': 'CSV of 10,000 readings',
};

/** What servers have to agree about where they need not say the same: the typical one tells less, and the time goes on. */
const SAME = {
  'fleet-first': { typical: idsOf },
  'fleet-low': { typical: idsOf },
  'fleet-alert': { typical: idsOf },
  'fleet-summary': {
    bare: (summary) => ({ ...summary, as_of: undefined }),
    typical: ({ tanks, reported, low }) => ({ tanks, reported, low }),
  },
  'series-year': {
    typical: ({ data }) => data.map(({ start, count, min, max }) => ({ start, count, min, max })),
  },
};

function idsOf({ total_items: total, data }) {
  return { total, ids: data.map(({ tank_id: id }) => id) };
}

/** Cases whose answer changes with the time, or as forecasts are made: under load only its status is looked at. */
const CHANGING = new Set(['fleet-summary', 'fleet-first', 'fleet-low', 'fleet-alert']);
const ACCEPT = { 'csv-10000': 'text/csv' };

export const CASE_NAMES = Object.keys(LABELS);

const customers = (page) => `/v1/customers?page=${page}&size=10`;
const telemetry = (tank, page, range = '') => `/v1/tanks/${tank}/telemetry?page=${page}&size=10${range}`;
const bound = (time) => new Date(Math.floor(time)).toISOString();
const many = (make) => Array.from({ length: SAMPLE }, make);

/** @returns {Promise<{ name: string, label: string, paths: string[], accept: string, same: object, isChanging: boolean }[]>} */
export async function drawCases(url, only = CASE_NAMES) {
  const known = await withClient(url, readFacts);
  const random = seededRandom(20_260_101);
  const whole = (limit) => Math.floor(random() * limit);
  const lastCustomers = Math.ceil(known.customers / 10);
  const lastReadings = Math.ceil(known.bigReadings / 10);

  /** A week to a year of the big tank's three, at any time of the day; one of its first pages. */
  const rangePath = () => {
    const days = 7 + random() * 358;
    const from = FIRST_DAY + random() * (DAYS - days) * DAY_MS;
    const pages = Math.max(1, Math.min(50, Math.floor((lastReadings * days) / DAYS / 2)));
    return telemetry(
      known.big,
      1 + whole(pages),
      `&created_at_gte=${bound(from)}&created_at_lte=${bound(from + days * DAY_MS)}`,
    );
  };

  const paths = {
    'tank-by-id': known.tanks.map((id) => `/v1/tanks/${id}`),
    'customers-first': [customers(1)],
    'customers-random': many(() => customers(1 + whole(lastCustomers))),
    'customers-last': [customers(lastCustomers)],
    'tanks-100': ['/v1/tanks?page=1&size=100'],
    'telemetry-10': known.tanks.map((id) => telemetry(id, 1)),
    'small-first': [telemetry(known.small, 1)],
    'big-first': [telemetry(known.big, 1)],
    'big-random': many(() => telemetry(known.big, 1 + whole(lastReadings))),
    'big-last': [telemetry(known.big, lastReadings)],
    'big-range': many(rangePath),
    'fleet-first': ['/v1/fleet/tanks'],
    'fleet-low': ['/v1/fleet/tanks?low=true'],
    'fleet-alert': ['/v1/fleet/tanks?sort=alert_at'],
    'fleet-summary': ['/v1/fleet'],
    'series-year': [
      `/v1/tanks/${YEAR_TANK_ID}/telemetry/series?created_at_gte=${bound(FIRST_DAY)}` +
        `&created_at_lte=${bound(FIRST_DAY + 365 * DAY_MS - 1)}&interval=1d`,
    ],
    'csv-10000': [`/v1/tanks/${known.big}/telemetry?size=10000`],
  };
  return CASE_NAMES.filter((name) => only.includes(name)).map((name) => ({
    name,
    label: LABELS[name],
    paths: paths[name],
    accept: ACCEPT[name] ?? 'application/json',
    same: SAME[name] ?? {},
    isChanging: CHANGING.has(name),
  }));
}

/** Counted the plain way: the benchmark does not ask the lists it measures. */
async function readFacts(client) {
  const one = async (text, values) => Object.values((await client.query(text, values)).rows[0])[0];
  const tanks = await client.query(
    `select id from tanks where not deleted and key > $1 order by md5(id) limit ${SAMPLE}`,
    [SMALL_TANK_KEY],
  );
  return {
    customers: Number(await one('select count(*) from customers where not deleted')),
    bigReadings: Number(await one('select count(*) from telemetry where tank_key = $1', [BIG_TANK_KEY])),
    big: await one('select id from tanks where key = $1', [BIG_TANK_KEY]),
    small: await one('select id from tanks where key = $1', [SMALL_TANK_KEY]),
    tanks: tanks.rows.map(({ id }) => id),
  };
}
