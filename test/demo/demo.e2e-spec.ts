// The living demo: a history that ends when it is told, and devices that go on from there through the public endpoint.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import { ApiKey } from '../../src/people/api-key.entity.js';
import { SCOPES } from '../../src/common/auth/scope.js';
import { makeWritableExamples } from '../../src/demo/demo-examples.js';
import { DemoFeed, reportingTanks } from '../../src/demo/demo-feed.js';
import { keptKey } from '../../src/demo/demo-keys.js';
import { findInterval } from '../../src/demo/demo-readings.js';
import { fillWithDemoFleet, isEmpty } from '../../src/demo/fill.js';
import { startService } from '../support/app.js';
import { openOperator } from '../support/operator.js';

const DAY_MS = 86_400_000;
/** The demo was filled and stopped three days ago. */
const END = Date.now() - 3 * DAY_MS;

const service = await startService();
const folder = await mkdtemp(join(tmpdir(), 'tank-demo-'));
let operator: DataSource;

beforeAll(async () => {
  operator = await openOperator(service.database.url);
  if (await isEmpty(operator)) await fillWithDemoFleet(operator, END);
}, 400_000);

afterAll(async () => {
  await operator.destroy();
  await rm(folder, { recursive: true, force: true });
});

it('the history of the demo fleet ends with as many low and silent tanks as the README shows, and one that never reported', async () => {
  const { rows } = await service.sql.query(
    `select count(*) filter (where low)::int as low, count(*) filter (where is_silent)::int as silent,
              count(*) filter (where low and is_silent)::int as low_and_silent,
              count(*) filter (where reported_at is null)::int as never_reported
       from tank_states, lateral (select reported_at < $1::timestamptz - interval '3 days' as is_silent) judged
       where not deleted`,
    [new Date(END)],
  );
  expect(rows).toEqual([{ ...(await shownCounts()), never_reported: 1 }]);
});

it('the devices of the demo send after days of rest what they have measured meanwhile, each at its own pace', async () => {
  const key = await service.createKey({ scopes: ['telemetry:write'] });
  const options = { url: service.url, key, logger: pino({ level: 'silent' }) };
  const feed = await DemoFeed.start(operator, options);
  await feed.tick();
  await feed.stop();
  const { rows } = await service.sql.query<{ id: string; longest: number; latest: Date }>(
    `select id, max(extract(epoch from gap) * 1000)::float8 as longest, max(at) as latest from (
         select tank.id, reading.created_at as at,
                reading.created_at - lag(reading.created_at) over (partition by tank.key order by reading.created_at) as gap
         from telemetry reading join tanks tank on tank.key = reading.tank_key where reading.created_at >= $1
       ) gaps group by id`,
    [new Date(END - DAY_MS)],
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  for (const tank of reportingTanks()) {
    const [tankId, intervalMs] = [tank.id, findInterval(tank)];
    const { longest, latest } = found.get(tankId) ?? { longest: Infinity, latest: new Date(0) };
    // One reading in a hundred gets lost on its way, so some paces: five in a row are never lost.
    expect({ tankId, isSteady: longest < 6 * intervalMs }).toEqual({ tankId, isSteady: true });
    expect(Date.now() - latest.getTime()).toBeLessThan(30 * intervalMs);
  }
}, 400_000);

it('the sensors of the demo take the message of docs/sensors.md, and answer as it shows', async () => {
  const page = await readDoc('sensors.md');
  const steps = [
    ...page.matchAll(
      /^NOW=\$\(node -p 'new Date\(\)\.toISOString\(\)'\)\ncurl [^\n]*"\$URL([^"]+)" \\\n {2}-d '([^\n]+)' \| jq\n```\n\n```json\n(.*?)^```$/gms,
    ),
  ];
  expect(steps).toHaveLength(1);
  const agent = service.agent(await service.createKey({ scopes: ['telemetry:write'] }));
  for (const [, path = '', message = '', shown = ''] of steps) {
    const { body } = await agent
      .post(path)
      .set('Content-Type', 'application/json')
      .send(message.replaceAll(`'$NOW'`, new Date().toISOString()))
      .expect(200);
    expect({ ...(body as object), created_at: '' }).toEqual({
      ...(JSON.parse(shown) as object),
      created_at: '',
    });
  }
});

describe("the demo's key", () => {
  const file = join(folder, 'demo-key');

  it('is kept, and one from an earlier start is given both scopes', async () => {
    const before = await keptKey(operator.getRepository(ApiKey), { file, name: 'demo', scopes: ['read'] });
    expect(await keptKey(operator.getRepository(ApiKey), { file, name: 'demo', scopes: SCOPES })).toBe(
      before,
    );
    expect((await readFile(file, 'utf8')).trim()).toBe(before);
    const kept = (await service.keys.list()).find(({ prefix }) => before.startsWith(`${prefix}.`));
    expect(kept).toMatchObject({ name: 'demo', scopes: SCOPES });
  });
});

const readDoc = (file: string): Promise<string> =>
  readFile(new URL(`../../docs/${file}`, import.meta.url), 'utf8');
const readReadme = (): Promise<string> => readDoc('../README.md');

/** What is asked and what is shown, of every question that is a plain GET. */
async function tour(): Promise<{ path: string; leftOut: string | undefined; shown: unknown }[]> {
  const readme = await readReadme();
  const since = new Date(Date.now() - 7 * DAY_MS).toISOString().slice(0, 10);
  const steps = readme.matchAll(
    /^curl -s -H "X-API-Key: \$KEY" "\$URL([^"]+)" \| jq(?: 'del\(\.(\w+)\)')?\n```\n\n```json\n(.*?)^```$/gms,
  );
  return [...steps].map(([, path = '', leftOut, json = '']) => ({
    path: path.replace('$SINCE', since),
    leftOut,
    shown: JSON.parse(json) as unknown,
  }));
}

type Counts = Record<'low' | 'silent' | 'low_and_silent', number>;

async function shownCounts(): Promise<Counts> {
  const [summary] = await tour();
  const { low, silent, low_and_silent } = { ...(summary?.shown as Counts) };
  return { low, silent, low_and_silent };
}

describe("the README's tour", () => {
  // As at every start of the demo; the fleet's count includes them.
  beforeAll(async () => {
    await makeWritableExamples(operator);
  });

  it('shows what the demo answers, but for times, levels, totals and request ids', async () => {
    const steps = await tour();
    expect(steps.length).toBeGreaterThanOrEqual(4);
    for (const { path, leftOut, shown } of steps) {
      const { text } = await service.raw({ path });
      const answer = JSON.parse(text, (name, value: unknown) =>
        name === leftOut ? undefined : value,
      ) as unknown;
      expect(timeless(answer)).toEqual(timeless(shown));
    }
  });

  it.each(['others.md', 'grafana-tanks.json'])('and docs/%s ask for what there is', async (file) => {
    const text = await readDoc(file);
    const paths = new Set(text.match(/v1\/(?:fleet|tanks)(?![\w])[^\s"`']*/g));
    expect(paths.size).toBeGreaterThanOrEqual(3);
    for (const path of paths) {
      const filled = path
        .replace('${tank}', 'example-tank')
        .replaceAll(/\$\{__(from|to):date:iso\}/g, new Date().toISOString());
      const { status } = await service.raw({ path: `/${filled}`, headers: [['Accept', 'text/csv']] });
      expect({ path, status }).toEqual({ path, status: 200 });
    }
  });

  it('and the columns that docs/others.md and the dashboard name are there', async () => {
    const head = async (path: string): Promise<string[]> =>
      (await service.raw({ path, headers: [['Accept', 'text/csv']] })).text.split('\r\n', 1)[0]?.split(',') ??
      [];
    const ofTanks = await head('/v1/fleet/tanks');
    const ofSeries = await head('/v1/tanks/example-tank/telemetry/series');
    const typed = (await readDoc('others.md')).matchAll(/\{"(\w+)", type \w+\}/g);
    const { panels } = JSON.parse(await readDoc('grafana-tanks.json')) as Dashboard;
    const [summary = [], series = [], tanks = []] = panels.map(({ targets }) =>
      targets.flatMap(({ columns }) => columns.map(({ selector }) => selector)),
    );

    expect([...typed].map(([, name = '']) => name).filter((name) => !ofTanks.includes(name))).toEqual([]);
    expect(tanks.filter((name) => !ofTanks.includes(name))).toEqual([]);
    expect(series.filter((name) => !ofSeries.includes(name))).toEqual([]);
    const { body } = await service.api.get('/v1/fleet').expect(200);
    expect(summary.filter((name) => !(name in (body as object)))).toEqual([]);
  });

  it('sends a reading of now, whenever that is, and is answered as it shows', async () => {
    const [, program = '', shown] =
      /^node --input-type=module -e '\n(.+?)' "\$URL" "\$KEY"\n```\n\n```\n(.*?)^```$/ms.exec(
        await readReadme(),
      ) ?? [];
    const key = await service.createKey({ scopes: SCOPES });

    const parameters = ['--input-type=module', '-e', program, service.url, key];
    const { stdout } = await promisify(execFile)(process.execPath, parameters);

    expect(stdout).toBe(shown);
  });
});

interface Dashboard {
  readonly panels: readonly {
    readonly targets: readonly { readonly columns: readonly { readonly selector: string }[] }[];
  }[];
}

const OF_THE_MOMENT = new Set([
  'fill_percentage',
  'total_items',
  'total_pages',
  'request_id',
  'low',
  'silent',
  'low_and_silent',
]);

function timeless(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (name: string, value: unknown) => {
    if (OF_THE_MOMENT.has(name)) return typeof value;
    return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? 'a time' : value;
  }) as unknown;
}
