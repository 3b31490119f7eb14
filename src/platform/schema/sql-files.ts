// The text of every .sql file of src, by its path: functions (src/**/sql) and migrations. The numbers of the product's rules are filled in, and a file
// named LIST is one for each list that is counted by day. In the bundle that is deployed, bundle.js replaces this module by the texts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NUMBERS } from '../../rules.js';

const COUNTED_LISTS = ['customers', 'tanks'];

export function sqlFiles(
  root = fileURLToPath(new URL('../..', import.meta.url)),
): Readonly<Record<string, string>> {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.sql'));
  return Object.fromEntries(
    paths.toSorted().flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const lists = path.includes('LIST') ? COUNTED_LISTS : [''];
      return lists.map((LIST) => [path.replace('LIST', LIST), filled(text, { ...NUMBERS, LIST })]);
    }),
  );
}

function filled(text: string, values: Readonly<Record<string, number | string>>): string {
  return text.replaceAll(/\{\{(\w{1,40})\}\}/g, (_, name: string) => {
    if (values[name] === undefined)
      throw new Error(`src/rules.ts lacks the number ${name} of this function: ${text}`);
    return `${values[name]}`;
  });
}
