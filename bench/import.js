// The import command against a plain COPY of the same readings into the same tables, triggers included.
import { createReadStream, mkdirSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { from as copyFrom } from 'pg-copy-streams';
import { defer } from './cleanup.js';
import { runCli } from './cli.js';
import { buildData, FIRST_DAY } from './data.js';
import { openDatabase, query, withClient } from './database.js';
import { seededRandom } from './random.js';

const DIRECTORY = fileURLToPath(new URL(`../.data/bench/import-${process.pid}`, import.meta.url));
const TANKS = { customers: 300, tanks: 1_000, readings: 0, big: 0, small: 0 };
const STEP_MS = 900_000;

/** @returns {Promise<{ rows: number, runs: Record<'import' | 'copy', { seconds: number, rate: number }[]> } | { skipped: string }>} */
export async function measureImport(server, { imported: rows, rounds }) {
  const help = await runCli(['--help'], server.urlOf('postgres'));
  if (!/^ *import /m.test(help)) return { skipped: 'this build has no import command' };
  const { url } = await openDatabase(server, 'tank_bench_import', {
    content: TANKS,
    keep: false,
    fill: (filled) => buildData(filled, TANKS),
  });
  mkdirSync(DIRECTORY, { recursive: true });
  defer(() => rmSync(DIRECTORY, { recursive: true, force: true }));
  const files = await writeFiles(await query(url, 'select key, id from tanks order by key'), rows);

  const ways = {
    import: () => runCli(['import', files.import], url),
    copy: () => copy(url, files.copy),
  };
  const runs = { import: [], copy: [] };
  for (let round = 0; round < rounds; round++) {
    for (const way of round % 2 === 0 ? ['import', 'copy'] : ['copy', 'import']) {
      await query(url, 'truncate telemetry');
      await query(url, 'vacuum analyze telemetry, telemetry_counts');
      const started = performance.now();
      await ways[way]();
      const seconds = (performance.now() - started) / 1000;
      const [{ n }] = await query(url, 'select count(*)::int as n from telemetry');
      if (n !== rows) throw new Error(`${way} wrote ${n} readings instead of ${rows}.`);
      runs[way].push({ seconds, rate: rows / seconds });
    }
  }
  return { rows, runs };
}

/** The same readings twice: as the import reads them and as COPY does. They come as devices send them: tank by tank, in time. */
async function writeFiles(tanks, rows) {
  const files = { import: join(DIRECTORY, 'telemetry.ndjson'), copy: join(DIRECTORY, 'telemetry.copy') };
  const random = seededRandom(7);
  const imported = await open(files.import, 'w');
  const copied = await open(files.copy, 'w');
  for (let written = 0; written < rows;) {
    const step = Math.floor(written / tanks.length);
    let importText = '';
    let copyText = '';
    for (const { key, id } of tanks.slice(0, rows - written)) {
      const createdAt = new Date(FIRST_DAY + step * STEP_MS + Math.floor(random() * STEP_MS)).toISOString();
      const fill = Math.floor(random() * 1000) / 10;
      importText += `{"object":"telemetry","tank_id":"${id}","created_at":"${createdAt}","fill_percentage":${fill}}\n`;
      copyText += `${key}\t${createdAt}\t${fill}\n`;
      written++;
    }
    await imported.write(importText);
    await copied.write(copyText);
  }
  await imported.close();
  await copied.close();
  return files;
}

function copy(url, file) {
  return withClient(url, (client) =>
    pipeline(
      createReadStream(file, { highWaterMark: 1024 * 1024 }),
      client.query(copyFrom('copy telemetry (tank_key, created_at, fill_percentage) from stdin')),
    ),
  );
}
