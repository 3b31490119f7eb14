// The documentation holds together: every link leads somewhere, every operation of the API is in its page, every folder on the map,
// and what it counts is counted.
import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { SCOPES } from '../../src/common/auth/scope.js';
import { inProject } from '../../src/platform/config/project.js';

const NOT_OURS = /^(\.git|\.data|node_modules|build|dist)$/;

const read = (path: string): string => readFileSync(inProject(path), 'utf8');

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(inProject(folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.test(entry.name) ? [] : filesIn(path, ending);
    return entry.name.endsWith(ending) ? [path] : [];
  });
}

const pages = filesIn('', '.md');

/** Without what is code: a link in it is none. */
function proseOf(page: string): string {
  return read(page)
    .replaceAll(/^( *)```.*?^\1```$/gms, '')
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ' '));
}

function linksOf(page: string): string[] {
  return [...proseOf(page).matchAll(/\]\(\s*([^)\s]+)[^)]*\)/g)].map(([, target = '']) => target);
}

/** As GitHub names the headings of a page. */
function anchorsOf(page: string): Set<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading = ''] of proseOf(page).matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, '')
      .replaceAll(' ', '-');
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    anchors.add(before === 0 ? slug : `${slug}-${before}`);
  }
  return anchors;
}

function isDead(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), decodeURI(path)));
  if (!existsSync(inProject(target))) return true;
  return anchor !== undefined && !(target.endsWith('.md') && anchorsOf(target).has(anchor));
}

function roomsOf(folder: string): string[] {
  const entries = readdirSync(inProject(folder), { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? `${entry.name}/` : []));
}

interface Schema {
  readonly properties?: Readonly<
    Partial<Record<'code' | 'object', { readonly enum?: readonly (string | null)[] }>>
  >;
}

const { paths, components } = JSON.parse(read('openapi.json')) as {
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, Schema> };
};

describe('the documentation', () => {
  it.each(pages)('has no dead link in %s', (page) => {
    const own = linksOf(page).filter((link) => !/^[a-z][a-z+.-]*:/i.test(link));

    expect(own.filter((link) => isDead(page, link))).toEqual([]);
  });

  it('names every operation of the API, with its method, in docs/api.md', () => {
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map(
        (method) => `\`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}\``,
      ),
    );
    const page = read('docs/api.md');

    expect(operations.length).toBeGreaterThan(10);
    expect(operations.filter((operation) => !page.includes(operation))).toEqual([]);
  });

  it('explains every code that an error can have', () => {
    const [, section = ''] = /^## Errors$(.*?)^## /ms.exec(read('docs/api.md')) ?? [];
    const explained = [...section.matchAll(/^\| \d{3} +\| `(\w+)` /gm)].map(([, code = '']) => code);

    expect(explained.toSorted()).toEqual(
      components.schemas['ProblemResponse']?.properties?.code?.enum?.toSorted(),
    );
  });

  it('gives the first key of docs/deploy.md every scope', () => {
    const given = read('docs/deploy.md').matchAll(/"first key" \\\n +--scope (.*)/g);
    expect(new Set(Array.from(given, ([, scopes]) => scopes))).toEqual(new Set([SCOPES.join(' ')]));
  });

  it('lists every value that `object` can have', () => {
    const [, list = ''] = /names its type in `object`: (.*?)\. /s.exec(read('docs/api.md')) ?? [];
    const named = [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    const answered = Object.values(components.schemas).flatMap(
      ({ properties }) => properties?.object?.enum ?? [],
    );

    expect(new Set(named)).toEqual(new Set(answered.filter((name) => name !== null)));
  });

  it('shows ids of requests as they are: made by randomUUID()', () => {
    const shown = pages.flatMap((page) =>
      [...read(page).matchAll(/"request_id": ?"([^"]*)"/g)].map(([, id = '']) => id),
    );

    expect(shown.length).toBeGreaterThan(3);
    expect(shown.filter((id) => !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id))).toEqual([]);
  });

  it('counts the lists of the API, and shows an entry of the activity with all its fields', () => {
    const page = read('docs/api.md');
    const lists = Object.keys(components.schemas).filter((name) => name.endsWith('ListResponse'));
    const [, counted = '', named = ''] = /^The (\w+) lists \((.*?)\)/m.exec(page) ?? [];
    expect([counted, named.split(', ').length]).toEqual(['sixteen', lists.length]);

    const [, entry = '{}'] = /^An entry:\n+```json\n(.*?)```/ms.exec(page) ?? [];
    const fields = Object.keys(components.schemas['ActivityResponse']?.properties ?? {});
    expect(Object.keys(JSON.parse(entry) as object)).toEqual(fields);
  });

  it('names every resource and method of the client, every source that comes along, and every package of the page', () => {
    const table = read('client/README.md').split('\n');
    const calls = read('test/client/operations.e2e-spec.ts').matchAll(/tms\.(\w+)\.([\w.]+)\(/g);
    const missing = [...calls].filter(
      ([, resource, method]) =>
        !table.some((line) => line.startsWith(`| \`tms.${resource}\``) && line.includes(`\`${method}\``)),
    );
    expect(missing.map(([call]) => call)).toEqual([]);

    const migration = read('src/platform/schema/migrations/1795005000000-sources.sql');
    const sources = Array.from(migration.matchAll(/"id": ?"([\w-]+)"/g), ([, id = '']) => id);
    expect(sources.length).toBeGreaterThan(8);
    expect(sources.filter((id) => !read('docs/sensors.md').includes(`\`${id}\``))).toEqual([]);

    const texts = filesIn('web', '.ts').concat(filesIn('web', '.tsx')).map(read).join('\n');
    const imported = texts.matchAll(/^(?:import|export) .*from '((?:@[\w-]+\/)?[a-z][\w-]*)/gm);
    const packages = new Set(Array.from(imported, ([, name = '']) => name));
    for (const other of ['tank-monitoring-client', 'esbuild', 'playwright-core', 'node', 'map'])
      packages.delete(other);
    const reasons = read('docs/adr/0010-dependencies.md');
    expect(
      [...packages].filter((name) => !name.startsWith('@jest') && !reasons.includes(`\`${name}\``)),
    ).toEqual([]);
  });

  it.each(pages.filter((page) => page !== 'CHANGELOG.md'))(
    'names no file that is not there in %s',
    (page) => {
      const named = read(page).matchAll(
        /`((?:src|test|docs|bench|scripts|client|web)\/[\w./-]+|[\w.-]+\/[\w./-]+\.(?:ts|sql))`/g,
      );
      const missing = [...named]
        .map(([, path = '']) => path)
        .filter((path) => !existsSync(inProject(path)) && !existsSync(inProject(`src/${path}`)));

      expect(missing).toEqual([]);
    },
  );

  it('has every room of src/ on the map of docs/architecture.md, and no other', () => {
    const [, map = ''] = /^src\/\n(.*?)^```$/ms.exec(read('docs/architecture.md')) ?? [];
    const onMap = map.split('\n').flatMap((line) => line.slice(2, 36).match(/[\w.-]+(?:\/|\.ts)/g) ?? []); // before what they are for
    const files = readdirSync(inProject('src')).filter((name) => /(?<!\.spec)\.ts$/.test(name));
    const carrying = ['common', 'platform', 'operator', 'demo'].flatMap((kind) => roomsOf(`src/${kind}`));

    expect(onMap.toSorted()).toEqual([...files, ...roomsOf('src'), ...carrying].toSorted());
  });
});
