// A page of CSV against PostgreSQL's own COPY of the same rows, each over one connection, taking turns.
import { pipeline } from 'node:stream/promises';
import { Writable } from 'node:stream';
import { to as copyTo } from 'pg-copy-streams';
import { BIG_TANK_KEY } from './data.js';
import { withClient } from './database.js';

const ROWS = 10_000;
const COPY = `
  copy (select tanks.id, to_char(reading.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), reading.fill_percentage
        from telemetry reading join tanks on tanks.key = reading.tank_key
        where tank_key = ${BIG_TANK_KEY} order by reading.created_at desc limit ${ROWS})
  to stdout with (format csv)`;

/** @returns {Promise<{ csv: number, copy: number }[]>} rows a second, round by round */
export async function measureCsv({ generator, service, cases, options, databaseUrl }) {
  const entry = cases.find(({ name }) => name === 'csv-10000');
  if (entry === undefined) return [];
  const { paths, accept } = entry;
  return withClient(databaseUrl, async (client) => {
    const rounds = [];
    for (let round = 0; round < options.rounds; round++) {
      const { rate } = await generator.load(service, {
        paths,
        accept,
        expected: [],
        connections: 1,
        seconds: options.seconds,
      });
      rounds.push({ csv: rate * ROWS, copy: (await copyFor(client, options.seconds)) * ROWS });
    }
    return rounds;
  });
}

/** How many whole copies a second. */
async function copyFor(client, seconds) {
  const started = performance.now();
  let copies = 0;
  while (performance.now() - started < seconds * 1000) {
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
    await pipeline(client.query(copyTo(COPY)), nowhere);
    copies += 1;
  }
  return copies / ((performance.now() - started) / 1000);
}
