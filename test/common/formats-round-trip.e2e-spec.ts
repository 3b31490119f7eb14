// What was downloaded can be imported and sent as it is: every list, in the formats an import reads, makes an identical database.
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Response } from 'supertest';
import { startService, textOf } from '../support/app.js';
import { aTank, clear, insertCustomers, insertReadings, insertTanks } from '../support/builders.js';
import { runCli } from '../support/cli.js';
import { contentsOf } from '../support/contents.js';
import { post, result } from '../support/ingest.js';
import { openDatabase } from '../support/operator.js';

const service = await startService();
const { sql, api } = service;
const { url: twin, sql: twinSql } = await openDatabase({ max: 2 });
const folder = await mkdtemp(join(tmpdir(), 'round-trip-'));
afterAll(() => rm(folder, { recursive: true }));

const ODD = ' ,"\'=1+1\ttab\r\nline\n\\N 日本 🛢';
await insertCustomers(sql, [
  { id: ODD, name: '', phone: null, created_at: '0001-01-01T00:00:00.001Z' },
  { name: ODD, phone: '', last_seen_at: '9999-12-31T23:59:59.999Z' },
  { name: 'null', phone: '0' },
]);
await insertTanks(sql, [
  aTank(ODD, { id: ODD, custom_id: '', city: ODD, capacity: 0.1 + 0.2, latitude: -89.999999999999 }),
  aTank(ODD, { id: '"', name: ODD, custom_id: null, city: '', capacity: 1e21, longitude: 1e-7 }),
  aTank(ODD, { id: 'plain', street_number: '007', use_case: 'industrial' }),
]);
const FILLS = [0, 1e-7, 100 / 3, 63.4, 100];
const readings = FILLS.map((fill_percentage, i) => ({ created_at: `2026-01-0${i + 1}Z`, fill_percentage }));
for (const tank of [ODD, '"']) await insertReadings(sql, tank, readings);

/** All pages of a list, following its links, as one file. */
async function download(path: string, format: string): Promise<string> {
  let file = '';
  let next: string | undefined = `${path}?size=2`;
  while (next !== undefined) {
    const response: Response = await api.get(next).set('Accept', format).expect(200);
    const page = textOf(response);
    file += format === 'text/csv' && file !== '' ? page.slice(page.indexOf('\r\n') + 2) : page;
    next = /<([^>]+)>; rel="next"/.exec(response.headers['link'] ?? '')?.[1];
  }
  return file;
}

describe.each([
  ['text/csv', 'csv'],
  ['application/x-ndjson', 'ndjson'],
])('what was downloaded as %s', (format, extension) => {
  let files: string[];
  beforeEach(async () => {
    const tanks = [ODD, '"', 'plain'].map((id) => `/v1/tanks/${encodeURIComponent(id)}/telemetry`);
    const lists = ['/v1/customers', '/v1/tanks', ...tanks];
    files = await Promise.all(lists.map((list) => download(list, format)));
  });

  it('can be imported as it is', async () => {
    await clear(twinSql);
    const paths = files.map((_, i) => join(folder, `${i}.${extension}`));
    await Promise.all(paths.map((path, i) => writeFile(path, files[i] ?? '')));

    expect(await runCli(twin, 'import', ...paths)).toMatchObject({ code: 0 });

    expect(await contentsOf(twinSql)).toEqual(await contentsOf(sql));
  });

  it('can be sent as it is', async () => {
    const sender = service.agent(await service.createKey({ scopes: ['telemetry:write'] }));
    const before = await contentsOf(sql);
    const send = async () =>
      (await post(sender, files[2] ?? '', { type: format }).expect(200)).body as object;

    expect(await send()).toStrictEqual(result({ unchanged: FILLS.length }));

    await sql.query('delete from telemetry using tanks where key = tank_key and id = $1', [ODD]);
    expect(await send()).toStrictEqual(result({ created: FILLS.length }));
    expect(await contentsOf(sql)).toEqual(before);
  });
});
