// Supertest and what it needs, some two hundred modules, as one file: Jest loads it for every spec file, since what it gives must be
// made of the objects and errors of the spec's own realm.
import { mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
export const SUPERTEST = join(MODULES, '.cache/test-packages/supertest.cjs');

/** Once after each npm ci and npm install. */
export async function bundlePackages() {
  if (changedAt(SUPERTEST) > changedAt(join(MODULES, '.package-lock.json'))) return;
  const { build } = await import('esbuild');
  mkdirSync(dirname(SUPERTEST), { recursive: true });
  const made = `${SUPERTEST}.${process.pid}`; // another run may do the same in this moment
  await build({
    entryPoints: [join(MODULES, 'supertest/index.js')],
    outfile: made,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  });
  renameSync(made, SUPERTEST);
}

function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
