// The text of every src/**/sql/*.sql, by its path, with the numbers of the product's rules in it. In the bundle that is deployed, bundle.js
// replaces this module by the texts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NUMBERS } from '../../rules.js';

export function sqlFiles(
  root = fileURLToPath(new URL('../..', import.meta.url)),
): Readonly<Record<string, string>> {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.sql'));
  return Object.fromEntries(
    paths.toSorted().map((path) => [path, withNumbers(readFileSync(join(root, path), 'utf8'))]),
  );
}

function withNumbers(text: string): string {
  const filled = Object.entries(NUMBERS).reduce(
    (sql, [name, n]) => sql.replaceAll(`{{${name}}}`, `${n}`),
    text,
  );
  if (filled.includes('{{')) throw new Error(`src/rules.ts lacks a number of this function: ${filled}`);
  return filled;
}
