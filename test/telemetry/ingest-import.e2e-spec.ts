// Readings that come in while a file is imported: nobody is refused, nothing is lost, and the file tells exactly what it did.
import { expect, it } from '@jest/globals';
import type { ImportReport } from '../../src/operator/import/report.js';
import { startService } from '../support/app.js';
import { aCustomer, aTank, insertCustomers, insertTanks } from '../support/builders.js';
import { runCli, runCliOn } from '../support/cli.js';
import { reading, send } from '../support/ingest.js';

const service = await startService();
const { sql, database } = service;
const sender = service.agent(await service.createKey({ scopes: ['telemetry:write'] }));

const TANKS = Array.from({ length: 20 }, (_, i) => `tank-${i}`);
const INSTANTS = 500;
const tankOf = (number: number) => `tank-${number % TANKS.length}`;
const instant = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString();
const readingAt = (number: number, minute: number) => reading(tankOf(number), instant(minute), 10);

/** Readings of all tanks, one a minute. */
async function load(fill: number): Promise<ImportReport['telemetry']> {
  const lines = Array.from({ length: INSTANTS }, (_, i) =>
    TANKS.map((tank) => JSON.stringify({ object: 'telemetry', ...reading(tank, instant(i), fill) })),
  );
  const { code, stdout } = await runCliOn(
    `${lines.flat().join('\n')}\n`,
    database.url,
    'import',
    '--json',
    '-',
  );
  expect(code).toBe(0);
  return (JSON.parse(stdout) as ImportReport).telemetry;
}

it('readings beside an import of the same times are updated by one or the other, never lost', async () => {
  await insertCustomers(sql, [aCustomer({ id: 'ours' })]);
  await insertTanks(
    sql,
    TANKS.map((id) => aTank('ours', { id })),
  );
  await load(20);
  const done = new AbortController();
  const statuses = new Set<number>();
  const sendUntilDone = async (seed: number): Promise<void> => {
    for (let i = seed; !done.signal.aborted; i += 7) {
      const both = [readingAt(i, i % INSTANTS), readingAt(i, INSTANTS + i)];
      statuses.add((await send(sender, both)).status);
    }
  };
  const senders = Promise.all([1, 2, 3, 4].map(sendUntilDone));
  const telemetry = await load(50).finally(() => done.abort());
  await senders;

  expect(statuses).toEqual(new Set([200]));
  expect(telemetry).toMatchObject({ inserted: 0, superseded: 0 });
  expect(telemetry.updated + telemetry.unchanged).toBe(TANKS.length * INSTANTS);
  const { rows } = await sql.query<{ fill: number }>(
    'select distinct fill_percentage as fill from telemetry order by 1',
  );
  expect([[10, 50], [50]]).toContainEqual(rows.map(({ fill }) => fill));
  expect(await runCli(database.url, 'counts', 'verify')).toMatchObject({ code: 0 });
});
