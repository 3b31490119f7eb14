// The text of every .sql file of src, by its path: functions (src/**/sql) and migrations. The numbers of the product's rules and the names of locks are filled in, and a file
// named LIST is one for each list that is counted by day. In the bundle that is deployed, bundle.js replaces this module by the texts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NUMBERS } from '../../rules.js';
import { LOCKS } from './locks.js';

const SOURCES = fileURLToPath(new URL('../..', import.meta.url));
const LOCK_NAMES = Object.fromEntries(Object.entries(LOCKS).map(([name, lock]) => [`LOCK_${name}`, lock]));
const COUNTED_LISTS = ['customers', 'tanks'];

let texts: Readonly<Record<string, string>> | undefined;

export function sqlFiles(): Readonly<Record<string, string>> {
  return (texts ??= Object.fromEntries(readTexts()));
}

/** The script that grants the roles of a production database their rights. */
export function leastPrivilege(): string {
  return readFileSync(join(SOURCES, '../docs/least-privilege.sql'), 'utf8');
}

function readTexts(): [path: string, text: string][] {
  const paths = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.sql'));
  return paths.toSorted().flatMap((path) => {
    const text = readFileSync(join(SOURCES, path), 'utf8');
    const lists = path.includes('LIST') ? COUNTED_LISTS : [''];
    return lists.map((LIST): [string, string] => [
      path.replace('LIST', LIST),
      filled(text, { ...NUMBERS, ...LOCK_NAMES, LIST }),
    ]);
  });
}

function filled(text: string, values: Readonly<Record<string, number | string>>): string {
  return text.replaceAll(/\{\{(\w{1,40})\}\}/g, (_, name: string) => {
    if (values[name] === undefined)
      throw new Error(`neither src/rules.ts nor locks.ts has ${name} of this function: ${text}`);
    return `${values[name]}`;
  });
}
