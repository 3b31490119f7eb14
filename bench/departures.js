// The service with one departure from stock taken out: for each, what stands in its place is in departures/, and a build is made
// in which the one module is replaced by the other.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../scripts/bundle.js';
import { workDirectory } from './servers.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The module of each departure, and what the table calls it. */
const DEPARTURES = {
  'common/http/prototypes-at-birth': 'prototypes at birth',
  'platform/database/named-query': 'reads together, columns asked for once',
  'platform/lifecycle/memory': 'a heap that grows slowly and rests',
};

/** @returns {Promise<{ name: string, program: string }[]>} */
export async function buildWithoutEach(tell) {
  const folder = workDirectory();
  copyFileSync(here('../package.json'), join(folder, 'package.json')); // a build looks for it one folder up
  const builds = [];
  for (const [module, name] of Object.entries(DEPARTURES)) {
    tell(`building without: ${name}`);
    const out = join(folder, `without-${module.split('/').at(-1)}`);
    mkdirSync(out, { recursive: true });
    await bundle(relative('.', out), [withoutModule(module)]);
    builds.push({ name, program: join(out, 'main.js') });
  }
  return builds;
}

/** @returns {import('esbuild').Plugin} */
function withoutModule(module) {
  const departure = here(`../build/${module}.js`);
  const replacement = here(`departures/${module.split('/').at(-1)}.js`);
  return {
    name: `without ${module}`,
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ path, resolveDir, importer }) =>
        importer !== replacement && join(resolveDir, path) === departure ? { path: replacement } : undefined,
      );
    },
  };
}
