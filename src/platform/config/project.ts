// Where the project lies, and its version: package.json is looked for upwards, since bundled modules lie elsewhere than their sources.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let root = dirname(fileURLToPath(import.meta.url));
while (!existsSync(join(root, 'package.json'))) root = dirname(root);

export function inProject(path: string): string {
  return join(root, path);
}

export const { version: VERSION } = JSON.parse(readFileSync(inProject('package.json'), 'utf8')) as {
  version: string;
};
