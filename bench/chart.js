// Draws results as SVG: for every case, where the three servers stand on one logarithmic scale of requests a second.
// `node bench/chart.js results.json chart.svg`, or --chart of the benchmark. Readable on light and dark backgrounds.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const WIDTH = 860;
const LEFT = 232;
const RIGHT = 118;
const TOP = 92;
const ROW = 34;

const SERVERS = [
  { name: 'typical', text: 'typical Nest + TypeORM' },
  { name: 'bare', text: 'bare node:http + pg (the limit)' },
  { name: 'service', text: 'this service' },
];

const STYLE = `
  .page { fill: #ffffff; stroke: #d0d7de; }
  text { font: 13px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #1f2328; }
  .title { font-size: 15px; font-weight: 600; }
  .small { font-size: 11.5px; fill: #59636e; }
  .number { text-anchor: end; font-variant-numeric: tabular-nums; }
  .middle { text-anchor: middle; }
  .grid { stroke: #d0d7de; stroke-width: 1; }
  .gap { stroke: #afb8c1; stroke-width: 2; }
  .service { fill: #0969da; }
  .bare { fill: none; stroke: #59636e; stroke-width: 2; }
  .typical { fill: #bc4c00; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117; stroke: #30363d; }
    text { fill: #e6edf3; }
    .small { fill: #9198a1; }
    .grid { stroke: #30363d; }
    .gap { stroke: #484f58; }
    .service { fill: #4493f8; }
    .bare { stroke: #9198a1; }
    .typical { fill: #f0883e; }
  }`;

/** @param {object} results as written by --json @returns {string} */
export function drawChart({ cases, about, data, options }) {
  const rates = cases.flatMap(({ servers }) => SERVERS.map(({ name }) => Math.max(servers[name].rate, 0.01)));
  const low = Math.floor(Math.log10(Math.min(...rates)));
  const high = Math.ceil(Math.log10(Math.max(...rates)));
  const x = (rate) =>
    LEFT + ((Math.log10(Math.max(rate, 0.01)) - low) / Math.max(high - low, 1)) * (WIDTH - LEFT - RIGHT);
  const bottom = TOP + cases.length * ROW;
  const height = bottom + 76;

  const grid = Array.from({ length: high - low + 1 }, (_, step) => {
    const rate = 10 ** (low + step);
    return `<line class="grid" x1="${at(x(rate))}" x2="${at(x(rate))}" y1="${TOP - 6}" y2="${bottom}"/>
  <text class="small middle" x="${at(x(rate))}" y="${bottom + 16}">${count(rate)}</text>`;
  });

  const rows = cases.map(({ label, servers, toTypical }, index) => {
    const y = TOP + index * ROW + ROW / 2;
    const [first, last] = [servers.typical.rate, Math.max(servers.service.rate, servers.bare.rate)];
    const marks = SERVERS.map(
      ({ name }) =>
        `<g><title>${name}: ${shown(servers[name].rate)} requests/s</title>${mark(name, x(servers[name].rate), y)}</g>`,
    );
    return `<text class="number" x="${LEFT - 16}" y="${y + 4}">${escape(label)}</text>
  <line class="gap" x1="${at(x(first))}" x2="${at(x(last))}" y1="${y}" y2="${y}"/>
  ${marks.join('\n  ')}
  <text class="number" x="${WIDTH - 20}" y="${y + 4}">${shown(toTypical)}×</text>`;
  });

  let legendX = LEFT;
  const legend = SERVERS.toReversed().map(({ name, text }) => {
    const item = `${mark(name, legendX + 6, 56)}<text class="small" x="${legendX + 18}" y="60">${text}</text>`;
    legendX += 34 + text.length * 6.1;
    return item;
  });

  const where = [
    `${count(data.customers)} customers, ${count(data.tanks)} tanks, ${count(data.readings)} readings, ${count(data.big)} of them of the big tank`,
    `${about.processors} cores, Node ${about.node}, PostgreSQL ${about.postgres}; medians of ${options.rounds} rounds`,
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title">
  <title id="title">Requests a second of the service, a bare server and a typical one, case by case</title>
  <style>${STYLE}
  </style>
  <rect class="page" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="6"/>
  <text class="title" x="20" y="30">Requests a second (logarithmic)</text>
  <text class="small number" x="${WIDTH - 20}" y="${TOP - 14}">service / typical</text>
  ${legend.join('\n  ')}
  ${grid.join('\n  ')}
  ${rows.join('\n  ')}
  ${where.map((text, line) => `<text class="small" x="20" y="${height - 32 + line * 17}">${escape(text)}</text>`).join('\n  ')}
</svg>
`;
}

/** Shapes differ as well as colours: a disc, a ring, a square. */
function mark(name, x, y) {
  if (name === 'typical')
    return `<rect class="typical" x="${at(x - 5)}" y="${at(y - 5)}" width="10" height="10"/>`;
  return `<circle class="${name}" cx="${at(x)}" cy="${at(y)}" r="${name === 'bare' ? 7.5 : 5.5}"/>`;
}

const count = (value) => value.toLocaleString('en');
const at = (coordinate) => Number(coordinate.toFixed(1));
const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const shown = (value) => (value >= 10 ? Math.round(value).toLocaleString('en') : value.toFixed(1));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [input, output] = process.argv.slice(2);
  if (input === undefined || output === undefined) {
    process.stderr.write('Usage: node bench/chart.js results.json chart.svg\n');
    process.exitCode = 2;
  } else writeFileSync(output, drawChart(JSON.parse(readFileSync(input, 'utf8'))));
}
