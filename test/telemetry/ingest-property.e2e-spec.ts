// Random requests leave exactly what a plain model in memory says, and are answered as it says; and random senders at once
// leave what one of them said last, with exact counts and states.
import { beforeEach, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { verifyCounts } from '../../src/operator/counts/counts.js';
import { openDataSource, operatorOptions } from '../../src/platform/database/data-source.js';
import { startService } from '../support/app.js';
import { keepStates } from '../support/builders.js';
import { counts, insertFleet, send, stored, type Counts } from '../support/ingest.js';
import { holds, PROPERTY_TIMEOUT_MS } from '../support/properties.js';

const service = await startService({ environment: { DATABASE_POOL_SIZE: '10' } });
const { sql } = service;
const sender = service.agent(await service.createKey({ scopes: ['telemetry:write'] }));

beforeEach(() => insertFleet(sql));

/** What a sender may say, and what it means: a tank, or a reason to refuse it. */
const TANKS = [
  [{ tank_id: 'a' }, 'a'],
  [{ device_id: 'device-a' }, 'a'],
  [{ tank_id: 'b' }, 'b'],
  [{ device_id: 'device-b', tank_id: null }, 'b'],
  [{ tank_id: 'c' }, 'c'],
  [{ tank_id: 'gone' }, undefined],
  [{ device_id: 'twins' }, undefined],
  [{ tank_id: 'nothing' }, undefined],
] as const;
const INSTANTS = [
  ['2026-01-31T23:59:59.999Z', '2026-01-31T23:59:59.999Z'],
  ['2026-02-01T00:59:59.9999+01:00', '2026-01-31T23:59:59.999Z'],
  ['2026-02-01T00:00:00Z', '2026-02-01T00:00:00.000Z'],
  ['2026-02-01T00:00', '2026-02-01T00:00:00.000Z'],
  ['2026-02-01T12:00:00.5Z', '2026-02-01T12:00:00.500Z'],
  ['2026-02-01', undefined],
] as const;
const FILLS = [
  [0, 0],
  [50, 50],
  [99.5, 99.5],
  ['50', undefined],
] as const;

interface Meant {
  readonly sent: object;
  /** Undefined: it is refused. */
  readonly key: string | undefined;
  readonly fill: number;
}

const aReading: fc.Arbitrary<Meant> = fc
  .tuple(fc.constantFrom(...TANKS), fc.constantFrom(...INSTANTS), fc.constantFrom(...FILLS))
  .map(([[ids, tank], [created_at, instant], [fill_percentage, fill]]) => ({
    sent: { ...ids, created_at, fill_percentage },
    key: tank === undefined || instant === undefined || fill === undefined ? undefined : `${tank} ${instant}`,
    fill: fill ?? NaN,
  }));
const aRequest = fc.record({
  readings: fc.array(aReading, { minLength: 1, maxLength: 12 }),
  isAtomic: fc.boolean(),
});

/** What a request leaves, in plain words. */
function apply(model: Map<string, number>, readings: readonly Meant[], isAtomic: boolean): Counts {
  const refused = readings.filter(({ key }) => key === undefined).length;
  if (isAtomic && refused > 0) return counts({ refused });
  const last = new Map<string, number>();
  for (const { key, fill } of readings) if (key !== undefined) last.set(key, fill);
  const outcome = { created: 0, updated: 0, unchanged: 0 };
  for (const [key, fill] of last) {
    const before = model.get(key);
    outcome[before === undefined ? 'created' : before === fill ? 'unchanged' : 'updated'] += 1;
    model.set(key, fill);
  }
  return counts({ ...outcome, refused, superseded: readings.length - refused - last.size });
}

async function post(readings: readonly Meant[], isAtomic: boolean): Promise<Counts> {
  const query = `?atomic=${String(isAtomic)}`;
  const { body } = await send(
    sender,
    readings.map(({ sent }) => sent),
    { query },
  );
  const { created, updated, unchanged, superseded, refused } = body as Counts;
  return { created, updated, unchanged, superseded, refused };
}

async function wrongCounts(): Promise<number> {
  const dataSource = await openDataSource(operatorOptions(service.database.url));
  try {
    return (await verifyCounts(dataSource)).total;
  } finally {
    await dataSource.destroy();
  }
}

it(
  'any sequence of requests is answered, and leaves what is stored and counted, as the model says',
  async () => {
    await holds(
      fc.asyncProperty(fc.array(aRequest, { minLength: 1, maxLength: 6 }), async (requests) => {
        await sql.query('delete from telemetry');
        await keepStates(sql);
        const model = new Map<string, number>();
        for (const { readings, isAtomic } of requests) {
          expect(await post(readings, isAtomic)).toEqual(apply(model, readings, isAtomic));
        }
        expect(await stored(sql)).toEqual(Object.fromEntries(model));
      }),
      60,
    );
    expect(await wrongCounts()).toBe(0);
  },
  PROPERTY_TIMEOUT_MS,
);

it(
  'any senders at once leave for every reading what one of them said last, and are told of each creation once',
  async () => {
    await holds(
      fc.asyncProperty(fc.array(aRequest, { minLength: 2, maxLength: 16 }), async (requests) => {
        await sql.query('delete from telemetry');
        await keepStates(sql);

        const answers = await Promise.all(requests.map(({ readings, isAtomic }) => post(readings, isAtomic)));

        const said = new Map<string, Set<number>>();
        requests.forEach(({ readings, isAtomic }, i) => {
          const alone = new Map<string, number>();
          const expected = apply(alone, readings, isAtomic);
          const { created = 0, updated = 0, unchanged = 0, superseded, refused } = answers[i] ?? {};
          expect({ superseded, refused, stored: created + updated + unchanged }).toEqual({
            superseded: expected.superseded,
            refused: expected.refused,
            stored: expected.created,
          });
          for (const [key, fill] of alone) said.set(key, (said.get(key) ?? new Set()).add(fill));
        });
        const left = await stored(sql);
        expect(Object.keys(left).toSorted()).toEqual([...said.keys()].toSorted());
        for (const [key, fill] of Object.entries(left)) expect(said.get(key)).toContain(fill);
        expect(answers.reduce((sum, { created }) => sum + created, 0)).toBe(said.size);
      }),
      40,
    );
    expect(await wrongCounts()).toBe(0);
  },
  PROPERTY_TIMEOUT_MS,
);
