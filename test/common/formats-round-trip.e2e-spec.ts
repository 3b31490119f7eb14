// What was downloaded can be imported as it is: every list, in the formats an import reads, makes an identical database.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Response } from 'supertest';
import { startService, textOf } from '../support/app.js';
import {
  aCustomer,
  aTank,
  clear,
  insertCustomers,
  insertReadings,
  insertTanks,
} from '../support/builders.js';
import { runCli } from '../support/cli.js';
import { contentsOf } from '../support/contents.js';
import { createTestDatabase, openPool } from '../support/database.js';
import { post, result, stored } from '../support/ingest.js';
import { holds, PROPERTY_TIMEOUT_MS } from '../support/properties.js';

const WORLDS = 4;

const service = await startService();
const twin = await createTestDatabase();
const twinSql = openPool(twin.url, { max: 2 });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'round-trip-'));
});
afterAll(async () => {
  await twinSql.end();
  await twin.drop();
  await rm(folder, { recursive: true });
});

const ODD = [
  '',
  ' ',
  ',',
  '"',
  '""',
  "'",
  '=1+1',
  'tab\t',
  'line\r\nline',
  '\n',
  '\\N',
  'é',
  '日本',
  '🛢',
  'null',
  '0',
];
const text = fc.array(fc.constantFrom(...ODD, 'a', 'b'), { maxLength: 4 }).map((parts) => parts.join(''));
const id = text.map((odd) => `id ${odd}`);
const optional = fc.option(text);
const moment = fc
  .integer({ min: Date.UTC(1, 0), max: Date.UTC(9999, 0) })
  .map((milliseconds) => new Date(milliseconds).toISOString());

const customer = fc.record({
  id,
  name: text,
  phone: optional,
  last_seen_at: fc.option(moment),
  created_at: moment,
});
const tank = fc.record({
  id,
  name: text,
  custom_id: optional,
  city: optional,
  street_number: optional,
  capacity: fc.constantFrom(0.1 + 0.2, 1e21, 2700, 1e-7),
  latitude: fc.option(fc.constantFrom(-89.999999999999, 0, 1e-7)),
  created_at: moment,
});
const world = fc.record({
  customers: fc.uniqueArray(customer, { selector: (one) => one.id, minLength: 1, maxLength: 12 }),
  tanks: fc.uniqueArray(tank, { selector: (one) => one.id, minLength: 1, maxLength: 6 }),
  readings: fc.uniqueArray(
    fc.record({ created_at: moment, fill_percentage: fc.constantFrom(0, 1e-7, 100 / 3, 63.4, 100) }),
    {
      selector: (one) => one.created_at,
      maxLength: 30,
    },
  ),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

async function build({ customers, tanks, readings }: World): Promise<void> {
  await clear(service.sql);
  await insertCustomers(
    service.sql,
    customers.map((fields) => aCustomer(fields)),
  );
  await insertTanks(
    service.sql,
    tanks.map((fields) => aTank(customers[0]?.id ?? '', fields)),
  );
  for (const { id: tankId } of tanks) await insertReadings(service.sql, tankId, readings);
}

/** All pages of a list, following its links, as one file. */
async function download(path: string, format: string): Promise<string> {
  let file = '';
  let next: string | undefined = `${path}?size=7`;
  while (next !== undefined) {
    const response: Response = await service.api.get(next).set('Accept', format).expect(200);
    const page = textOf(response);
    file += format === 'text/csv' && file !== '' ? page.slice(page.indexOf('\r\n') + 2) : page;
    next = /<([^>]+)>; rel="next"/.exec(response.headers['link'] ?? '')?.[1];
  }
  return file;
}

/** One command for all files: each is a transaction of its own. */
async function importAll(files: readonly (readonly [name: string, content: string])[]): Promise<unknown> {
  const paths = files.map(([name]) => join(folder, name));
  await Promise.all(files.map(([, content], i) => writeFile(paths[i] ?? '', content)));
  const { code, stdout } = await runCli(twin.url, 'import', '--json', ...paths);
  return { code, refused: code === 0 ? 0 : stdout };
}

describe('what was downloaded', () => {
  it.each([
    ['text/csv', 'csv'],
    ['application/x-ndjson', 'ndjson'],
  ])(
    'can be imported as it is, readings as %s',
    async (format, extension) => {
      const property = fc.asyncProperty(world, async (theWorld) => {
        await build(theWorld);
        await clear(twinSql);

        const files: [name: string, content: string][] = [
          ['customers.ndjson', await download('/v1/customers', 'application/x-ndjson')],
          ['tanks.ndjson', await download('/v1/tanks', 'application/jsonl')],
        ];
        for (const [i, { id: tankId }] of theWorld.tanks.entries()) {
          const readings = await download(`/v1/tanks/${encodeURIComponent(tankId)}/telemetry`, format);
          files.push([`readings-${i}.${extension}`, readings]);
        }
        expect(await importAll(files)).toEqual({ code: 0, refused: 0 });

        expect(await contentsOf(twinSql)).toEqual(await contentsOf(service.sql));
      });
      expect(await holds(property, WORLDS)).toBe(true);
    },
    PROPERTY_TIMEOUT_MS,
  );

  it.each(['text/csv', 'application/x-ndjson'])('can be sent as it is: %s', async (format) => {
    const tankId = 'a "tank",\r\nof two lines\n';
    await clear(service.sql);
    await insertCustomers(service.sql, [aCustomer({ id: 'owner' })]);
    await insertTanks(service.sql, [aTank('owner', { id: tankId })]);
    const readings = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z'];
    await insertReadings(
      service.sql,
      tankId,
      readings.map((created_at) => ({ created_at, fill_percentage: 63.4 })),
    );
    const file = await download(`/v1/tanks/${encodeURIComponent(tankId)}/telemetry`, format);
    const sender = service.agent(await service.createKey({ scopes: ['telemetry:write'] }));

    const { body: again } = await post(sender, file, { type: format }).expect(200);
    expect(again).toStrictEqual(result({ unchanged: readings.length }));

    await service.sql.query('delete from telemetry');
    const { body } = await post(sender, file, { type: format }).expect(200);
    expect(body).toStrictEqual(result({ created: readings.length }));
    expect(Object.keys(await stored(service.sql))).toEqual(readings.map((at) => `${tankId} ${at}`));
  });
});
