// Readings that come in while a file is imported: nobody waits for long, nothing is lost, and both tell exactly what they did.
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ImportReport } from '../../src/operator/import/report.js';
import { startService } from '../support/app.js';
import { aCustomer, aTank, clear, insertCustomers, insertTanks } from '../support/builders.js';
import { runCli, startCli } from '../support/cli.js';
import { reading, send, type Counts } from '../support/ingest.js';

const service = await startService();
const { sql, database } = service;
const sender = service.agent(await service.createKey({ scopes: ['telemetry:write'] }));

const TANKS = 20;
const INSTANTS = 2_000;
const PATIENCE_MS = 180_000;

const tankOf = (number: number) => `tank-${number % TANKS}`;
const instant = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString();

beforeEach(async () => {
  await clear(sql);
  await insertCustomers(sql, [aCustomer({ id: 'ours' })]);
  await insertTanks(
    sql,
    Array.from({ length: TANKS }, (_, i) =>
      aTank('ours', { id: tankOf(i), assigned_device_id: `device-${i}` }),
    ),
  );
});

/** A file of readings of all tanks, one a minute. */
function file(fill: number): string {
  const lines: string[] = [];
  for (let i = 0; i < INSTANTS; i++) {
    for (let tank = 0; tank < TANKS; tank++) {
      lines.push(JSON.stringify({ object: 'telemetry', ...reading(tankOf(tank), instant(i), fill) }));
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Sends what the file has as well, and what it has not, for as long as it is told to go on. */
async function sendUntil(
  done: () => boolean,
  seed: number,
): Promise<{ statuses: Set<number>; counts: Counts[] }> {
  const statuses = new Set<number>();
  const counts: Counts[] = [];
  for (let i = seed; !done(); i += 7) {
    const both = [
      reading(tankOf(i), instant(i % INSTANTS), 10),
      reading(tankOf(i), instant(INSTANTS + i), 10),
    ];
    const { status, body } = await send(sender, both);
    statuses.add(status);
    counts.push(body as Counts);
  }
  return { statuses, counts };
}

async function importBesideSenders(text: string) {
  const running = startCli(database.url, 'import', '--json', '-');
  let isDone = false;
  void running.result.then(() => (isDone = true));
  const senders = Promise.all([1, 2, 3, 4].map((seed) => sendUntil(() => isDone, seed)));
  running.child.stdin?.end(text);
  const { code, stdout } = await running.result;
  expect(code).toBe(0);
  const sent = await senders;
  const sum = (of: keyof Counts) =>
    sent.flatMap(({ counts }) => counts).reduce((all, one) => all + one[of], 0);
  const { telemetry } = JSON.parse(stdout) as ImportReport;
  return { telemetry, statuses: sent.flatMap(({ statuses }) => [...statuses]), sum };
}

async function rows(): Promise<number> {
  const found = await sql.query<{ n: number }>('select count(*)::int as n from telemetry');
  return found.rows[0]?.n ?? NaN;
}

describe('readings beside an import', () => {
  it(
    'are all accepted, and what both say they created is what is stored',
    async () => {
      const { telemetry, statuses, sum } = await importBesideSenders(file(50));

      expect(new Set(statuses)).toEqual(new Set([200]));
      expect(telemetry).toMatchObject({ superseded: 0, refused: 0 });
      expect(telemetry.inserted + telemetry.updated + telemetry.unchanged).toBe(TANKS * INSTANTS);
      expect(await rows()).toBe(telemetry.inserted + sum('created'));
      expect(await runCli(database.url, 'counts', 'verify')).toMatchObject({ code: 0 });
    },
    PATIENCE_MS,
  );

  it(
    'of the same times as the file are updated by one or the other, never lost',
    async () => {
      await runCliImport(file(20));

      const { telemetry, statuses } = await importBesideSenders(file(50));

      expect(new Set(statuses)).toEqual(new Set([200]));
      expect(telemetry).toMatchObject({ inserted: 0, superseded: 0 });
      expect(telemetry.updated + telemetry.unchanged).toBe(TANKS * INSTANTS);
      const { rows: fills } = await sql.query<{ fill: number }>(
        'select distinct fill_percentage as fill from telemetry order by 1',
      );
      expect([[10, 50], [50]]).toContainEqual(fills.map(({ fill }) => fill));
      expect(await runCli(database.url, 'counts', 'verify')).toMatchObject({ code: 0 });
    },
    PATIENCE_MS,
  );
});

async function runCliImport(text: string): Promise<void> {
  const running = startCli(database.url, 'import', '-');
  running.child.stdin?.end(text);
  expect(await running.result).toMatchObject({ code: 0 });
}
