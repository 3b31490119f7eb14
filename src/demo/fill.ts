// Fills an empty database with the demo fleet, through the same import the operator uses: all of it, or nothing.
import type { DataSource } from 'typeorm';
import { importLines } from '../import/import-lines.js';
import { demoFleet } from './demo-fleet.js';

const LINES_PER_CHUNK = 1_000;

export async function fillWithDemoFleet(dataSource: DataSource): Promise<void> {
  const [found]: unknown[] = await dataSource.query('select 1 from customers limit 1');
  if (found !== undefined) return;
  const { refused } = await importLines(dataSource, demoFleetAsNdjson(), { name: 'the demo fleet' });
  if (refused > 0) throw new Error(`${refused} lines of the demo fleet were refused.`);
  await dataSource.query('analyze');
}

async function* demoFleetAsNdjson(): AsyncGenerator<Uint8Array> {
  let lines: string[] = [];
  for (const line of demoFleet()) {
    lines.push(JSON.stringify(line), '\n');
    if (lines.length < LINES_PER_CHUNK) continue;
    yield Buffer.from(lines.join(''));
    lines = [];
  }
  yield Buffer.from(lines.join(''));
}
