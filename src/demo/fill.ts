// Fills an empty database with the demo fleet, through the same import the operator uses: all of it, or nothing.
import type { DataSource } from 'typeorm';
import { importLines } from '../import/import-lines.js';
import { demoHistory } from './demo-history.js';

const LINES_PER_CHUNK = 1_000;

export async function isEmpty(dataSource: DataSource): Promise<boolean> {
  const found: unknown[] = await dataSource.query('select 1 from customers limit 1');
  return found.length === 0;
}

/** With a history that ends at `end`. */
export async function fillWithDemoFleet(dataSource: DataSource, end: number): Promise<void> {
  const { refused } = await importLines(dataSource, asNdjson(end), { name: 'the demo fleet' });
  if (refused > 0) throw new Error(`${refused} lines of the demo fleet were refused.`);
  await dataSource.query('analyze');
}

async function* asNdjson(end: number): AsyncGenerator<Uint8Array> {
  let lines: string[] = [];
  for (const line of demoHistory(end)) {
    lines.push(JSON.stringify(line), '\n');
    if (lines.length < LINES_PER_CHUNK) continue;
    yield Buffer.from(lines.join(''));
    lines = [];
  }
  yield Buffer.from(lines.join(''));
}
