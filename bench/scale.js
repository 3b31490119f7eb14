// `npm run bench -- --scale`: what it costs to go past one machine, as ratios on this one. Each part says what it needs, and is
// left out with a message where that is not installed.
import { measureCluster } from './scale-cluster.js';
import { measureDisk } from './scale-disk.js';
import { measurePartitions } from './scale-partitions.js';
import { measureStandbys } from './scale-standbys.js';

/** @param {(lines: string) => void} print is called for each part as soon as it is measured */
export async function measureScale(server, tell, print) {
  const parts = [
    ['one reading on the disk / its 24 bytes', () => measureDisk(server)],
    ['monthly partitions, 120 of them / one table', () => measurePartitions(server.urlOf('postgres'))],
    ['reads from two standbys / from the primary', measureStandbys],
    ['Citus, coordinator and two workers / plain PostgreSQL', measureCluster],
  ];
  const results = [];
  for (const [part, measure] of parts) {
    tell(part);
    const rows = await measure();
    const result = rows.skipped === undefined ? { part, rows } : { part, skipped: rows.skipped };
    print(report(result));
    results.push(result);
  }
  return results;
}

function report({ part, rows, skipped }) {
  const lines =
    skipped === undefined
      ? rows.map(
          ({ what, ratio, detail }) => `  ${what.padEnd(36)} ${ratio.toFixed(2).padStart(6)}   ${detail}`,
        )
      : [`  not measured: ${skipped}`];
  return `\n${[part, ...lines].join('\n')}\n`;
}
