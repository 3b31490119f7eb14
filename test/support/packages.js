// The packages of hundreds of modules, bundled into a few for the specs: Jest loads every module anew for every spec file, and one
// by one that takes longer than most specs do.
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const FOLDER = join(MODULES, '.cache/test-packages');

const RXJS = join(MODULES, 'rxjs/dist/esm'); // Node would take its CommonJS, whose exports have no names in a bundle
const ENTRIES = {
  '@nestjs/common': '@nestjs/common',
  '@nestjs/core': '@nestjs/core',
  '@nestjs/platform-express': '@nestjs/platform-express',
  '@nestjs/swagger': '@nestjs/swagger',
  '@nestjs/typeorm': '@nestjs/typeorm',
  rxjs: join(RXJS, 'index.js'),
  typeorm: 'typeorm',
};

/** For Jest: instead of each package, its bundle. */
export const moduleNameMapper = Object.fromEntries(
  Object.keys(ENTRIES).map((name) => [`^${name}$`, join(FOLDER, `${name}.mjs`)]),
);

/** Once after each npm ci and npm install. */
export async function bundlePackages() {
  if (changedAt(FOLDER) > changedAt(join(MODULES, '.package-lock.json'))) return;
  const { build } = await import('esbuild');
  const { BUNDLED_FOR_NODE, NOT_BUNDLED } = await import('../../scripts/bundle.js');
  const folder = mkdtempSync(`${MODULES}/test-packages-`);
  await build({
    ...BUNDLED_FOR_NODE,
    entryPoints: ENTRIES,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    external: [...NOT_BUNDLED, 'express'],
    mainFields: ['module', 'main'],
    alias: { rxjs: join(RXJS, 'index.js'), 'rxjs/operators': join(RXJS, 'operators/index.js') },
  });
  replace(folder);
}

/** Another run may have done the same in the meantime. */
function replace(folder) {
  rmSync(FOLDER, { recursive: true, force: true });
  try {
    mkdirSync(dirname(FOLDER), { recursive: true });
    renameSync(folder, FOLDER);
  } catch {
    rmSync(folder, { recursive: true });
  }
}

function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
