// `npm run settings`: writes .env.example and the tables in docs/configuration.md from the table of settings.
import { readFile, writeFile } from 'node:fs/promises';
import { SETTINGS } from '../build/platform/config/settings.js';

/** Each above the first setting of its part. @type {Partial<Record<string, string>>} */
const HEADINGS = {
  DATABASE_URL: 'Database',
  HOST: 'HTTP',
  OIDC_ISSUER: 'Signing in',
  RATE_LIMIT_REQUESTS: 'Rate limits',
  INGEST: 'Readings',
  MQTT_URL: 'MQTT',
  SMTP_URL: 'Mail',
  WORKER: 'Background work',
  COMPANY_NAME: 'Fleet page',
  LOG_LEVEL: 'Operation',
};
const MARKS = /(?<=<!-- settings -->\n).*(?=\n<!-- \/settings -->)/s;

const env = [
  '# Every setting, with its default. An empty one counts as unset. What each may be: docs/configuration.md',
];
/** @type {{ heading: string, rows: string[][] }[]} */
const tables = [];
for (const [name, { type, description, unset, fallback }] of Object.entries(SETTINGS)) {
  const heading = HEADINGS[name];
  if (heading !== undefined) {
    env.push(`\n# --- ${heading} ---`);
    tables.push({ heading, rows: [['Setting', 'Value', 'Default', 'Meaning']] });
  }
  env.push(`# ${description}${unset === undefined ? '' : ` Unset: ${unset}.`}`, `${name}=${fallback}`);
  const shown = unset === undefined ? `\`${fallback}\`` : `unset: ${unset}`;
  tables.at(-1)?.rows.push([`\`${name}\``, type, shown, description]);
}
await writeFile('.env.example', `${env.join('\n')}\n`);

const path = 'docs/configuration.md';
const page = await readFile(path, 'utf8');
if (!MARKS.test(page)) throw new Error(`${path} has no <!-- settings --> … <!-- /settings -->.`);
const written = tables.map(({ heading, rows }) => `\n### ${heading}\n\n${alignedTable(rows)}\n`);
await writeFile(
  path,
  page.replace(MARKS, () => written.join('')),
);

/** As Prettier would write it. @param {string[][]} rows */
function alignedTable([head = [], ...body]) {
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((row) => row[column]?.length ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width));
  return [head, rule, ...body]
    .map((cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
    .join('\n');
}
