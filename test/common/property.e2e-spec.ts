// Every list against a plain model in memory, over random data, ranges, pages, sizes, ties and keys. When it fails,
// fast-check prints the seed and the smallest counterexample it found.
import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { startService } from '../support/app.js';
import {
  aCustomer,
  aTank,
  clear,
  type CustomerFields,
  insertCustomers,
  insertReadings,
  insertTanks,
  type TankFields,
} from '../support/builders.js';
import { holds, PROPERTY_TIMEOUT_MS } from '../support/properties.js';

const service = await startService();
const { sql } = service;

const WORLDS = 15;
const QUESTIONS_PER_WORLD = 40;

const MINUTE = 60_000;
const DAY = 86_400_000;
const FIRST_DAY = Date.UTC(2026, 0, 30); // a month ends within the days below

/** Few enough to make ties, and many that lie on an edge between two days or months. */
const moment = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.constantFrom(0, 1, MINUTE, DAY / 2, DAY - 1))
  .map(([day, offset]) => FIRST_DAY + day * DAY + offset);
const email = fc.constantFrom('a@example.com', 'A@example.com', 'b@example.com');
const id = fc.string({
  unit: fc.constantFrom('a', 'b', 'A', '0', '9', '-', 'é', '漢'),
  minLength: 1,
  maxLength: 6,
});
const isDeleted = fc.boolean().chain((maybe) => (maybe ? fc.boolean() : fc.constant(false)));

const world = fc.record({
  customers: fc.uniqueArray(fc.record({ id, moment, email, deleted: isDeleted }), {
    selector: (customer) => customer.id,
    minLength: 1,
    maxLength: 40,
  }),
  tanks: fc.uniqueArray(fc.record({ id, moment, owner: fc.nat(), deleted: isDeleted }), {
    selector: (tank) => tank.id,
    maxLength: 40,
  }),
  // Long lists find a page's place in another way than short ones.
  crowd: fc.constantFrom(0, 0, 700),
  readings: fc.record({
    count: fc.constantFrom(0, 3, 40, 900),
    start: moment,
    step: fc.constantFrom(1, MINUTE, DAY / 24, DAY),
  }),
});

const bound = fc.option(fc.tuple(moment, fc.constantFrom(-1, 0, 0, 1)), { nil: undefined });
const question = fc.record({
  list: fc.constantFrom('customers', 'tanks', 'telemetry'),
  since: bound,
  until: bound,
  bareDates: fc.boolean(),
  size: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 5 })),
  /** Where in the list, in per cent of its pages; the last are past its end. (fc.double would nearly always be near 0.) */
  percent: fc.integer({ min: 0, max: 110 }),
  email: fc.option(email, { nil: undefined }),
  isBound: fc.boolean(),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;

interface Item {
  readonly id: string;
  readonly created_at: string;
}

interface Model {
  readonly customers: readonly CustomerFields[];
  readonly tanks: readonly TankFields[];
  readonly readings: readonly { readonly created_at: string; readonly fill_percentage: number }[];
}

const TANK_WITH_READINGS = 'the tank with readings';
const BOUND_CUSTOMER = 'the bound customer';

function isoOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function build({ customers, tanks, crowd, readings }: World): Model {
  const known = customers.map((one) =>
    aCustomer({ id: one.id, created_at: isoOf(one.moment), email: one.email, deleted: one.deleted }),
  );
  known.push(aCustomer({ id: BOUND_CUSTOMER, email: 'a@example.com', created_at: isoOf(FIRST_DAY) }));
  for (let i = 0; i < crowd; i++) {
    const created_at = isoOf(FIRST_DAY + (i % 7) * (DAY / 2));
    known.push(aCustomer({ id: `crowd-${i}`, created_at, email: 'b@example.com' }));
  }
  const owned = tanks.map((one) =>
    aTank(known[one.owner % known.length] ?? BOUND_CUSTOMER, {
      id: one.id,
      created_at: isoOf(one.moment),
      deleted: one.deleted,
    }),
  );
  for (let i = 0; i < crowd + 1; i++) {
    const created_at = isoOf(FIRST_DAY + (i % 5) * (DAY / 2));
    const tank = { id: i === 0 ? TANK_WITH_READINGS : `crowd-${i}`, created_at };
    owned.push(aTank(i % 2 === 0 ? BOUND_CUSTOMER : (known[0] ?? BOUND_CUSTOMER), tank));
  }
  const series = Array.from({ length: readings.count }, (_, i) => ({
    created_at: isoOf(readings.start - i * readings.step),
    fill_percentage: i % 101,
  }));
  return { customers: known, tanks: owned, readings: series };
}

/** What the list should show, in order, before it is cut into pages. */
function expectedItems(
  model: Model,
  asked: Question,
  range: (created_at: string) => boolean,
): readonly object[] {
  if (asked.list === 'telemetry') {
    return model.readings
      .filter(({ created_at }) => range(created_at))
      .toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1))
      .map((reading) => ({ object: 'telemetry', ...reading }));
  }
  if (asked.list === 'tanks') {
    return newestFirst(model.tanks.filter((tank) => !tank.deleted && range(tank.created_at)))
      .filter((tank) => !asked.isBound || tank.owner_id === BOUND_CUSTOMER)
      .map(({ id: tankId, owner_id, created_at, name }) => ({ id: tankId, owner_id, created_at, name }));
  }
  return newestFirst(model.customers.filter((customer) => !customer.deleted && range(customer.created_at)))
    .filter((customer) => asked.email === undefined || customer.email === asked.email)
    .filter((customer) => !asked.isBound || customer.id === BOUND_CUSTOMER)
    .map(({ id: customerId, created_at, email: address }) => ({
      id: customerId,
      created_at,
      email: address,
      tank_count: model.tanks.filter((tank) => tank.owner_id === customerId && !tank.deleted).length,
    }));
}

function newestFirst<T extends Item>(items: readonly T[]): T[] {
  return items.toSorted(
    (a, b) =>
      b.created_at.localeCompare(a.created_at, 'en') || Buffer.compare(Buffer.from(b.id), Buffer.from(a.id)),
  );
}

interface Bounds {
  readonly parameters: Record<string, string>;
  readonly includes: (created_at: string) => boolean;
}

/** The range as the caller writes it, and as the model understands it. */
function boundsOf({ since, until, bareDates }: Question): Bounds {
  const parameters: Record<string, string> = {};
  let [from, to] = [-Infinity, Infinity];
  if (since !== undefined) {
    from = since[0] + since[1];
    if (bareDates) from = Math.floor(from / DAY) * DAY;
    parameters['created_at_gte'] = written(from, bareDates);
  }
  if (until !== undefined) {
    to = until[0] + until[1];
    if (bareDates) to = Math.floor(to / DAY) * DAY + DAY - 1;
    parameters['created_at_lte'] = written(to, bareDates);
  }
  return {
    parameters,
    includes: (created_at) => Date.parse(created_at) >= from && Date.parse(created_at) <= to,
  };
}

function written(milliseconds: number, asDate: boolean): string {
  return isoOf(milliseconds).slice(0, asDate ? 10 : undefined);
}

async function askAndCompare(model: Model, asked: Question, boundKey: string): Promise<void> {
  const { parameters, includes } = boundsOf(asked);
  const items = expectedItems(model, asked, includes);
  const { size } = asked;
  const total_pages = Math.ceil(items.length / size);
  const page = Math.floor((asked.percent * total_pages) / 100) + 1;
  const path =
    asked.list === 'telemetry'
      ? `/v1/tanks/${encodeURIComponent(TANK_WITH_READINGS)}/telemetry`
      : `/v1/${asked.list}`;
  const filters = asked.list === 'customers' && asked.email !== undefined ? { email: asked.email } : {};
  const agent = asked.isBound ? service.agent(boundKey) : service.api;

  const { body } = await agent
    .get(path)
    .query({ ...parameters, ...filters, page, size })
    .expect(200);

  expect(body).toMatchObject({ object: 'list', page, size, total_items: items.length, total_pages });
  expect((body as { data: object[] }).data).toMatchObject(items.slice((page - 1) * size, page * size));
}

it(
  'every list shows what a plain model of it shows',
  async () => {
    const property = fc.asyncProperty(
      world,
      fc.array(question, { minLength: QUESTIONS_PER_WORLD, maxLength: QUESTIONS_PER_WORLD }),
      async (theWorld, questions) => {
        const model = build(theWorld);
        await clear(sql);
        await insertCustomers(sql, model.customers);
        await insertTanks(sql, model.tanks);
        await insertReadings(sql, TANK_WITH_READINGS, model.readings);
        const boundKey = await service.createKey({ customerId: BOUND_CUSTOMER });
        for (const asked of questions) await askAndCompare(model, asked, boundKey);
      },
    );
    expect(await holds(property, WORLDS)).toBe(true);
  },
  PROPERTY_TIMEOUT_MS,
);
