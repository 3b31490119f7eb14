// The programs in examples/, run as their first lines say.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sqlite from 'node-sqlite3-wasm';
import { until } from '../faults/support/until.js';
import { startService, type TestService } from '../support/app.js';
import { insertCustomer, insertReadings, insertTank } from '../support/builders.js';
import { insertFleet, reading, stored } from '../support/ingest.js';
import { Feed } from './support/feed.js';
import { Front } from './support/front.js';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));

class Program {
  stdout = '';
  stderr = '';
  readonly ended: Promise<unknown>;
  private readonly child: ChildProcessWithoutNullStreams;

  constructor(name: string, environment: Readonly<Record<string, string>>, ...parameters: string[]) {
    this.child = spawn(process.execPath, [join(EXAMPLES, name), ...parameters], {
      env: { PATH: process.env['PATH'], ...environment },
    });
    this.ended = once(this.child, 'exit');
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  write(...lines: readonly object[]): void {
    this.child.stdin.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }

  /** And waits for its end: 0, or how it ended otherwise. */
  async end(signal?: NodeJS.Signals): Promise<unknown> {
    this.child.stdin.end();
    if (signal !== undefined) this.child.kill(signal);
    await this.ended;
    return this.child.exitCode ?? this.child.signalCode;
  }
}

let service: TestService;
let front: Front;
let feed: Feed;
let folder: string;
let environment: Readonly<Record<string, string>>;
const programs: Program[] = [];

beforeAll(async () => {
  service = await startService();
  front = await Front.start(service.url);
  const key = await service.createKey({ scopes: ['read', 'telemetry:write'] });
  environment = { TANKS_URL: front.url, TANKS_KEY: key };
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tank-examples-'));
  await insertFleet(service.sql);
  feed = new Feed();
  front.reset(async (_, seen) => (await feed.answer(seen)) ?? 'answered');
});
afterEach(async () => {
  for (const program of programs.splice(0)) if (program.isRunning) await program.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => front.stop());

function run(name: string, more: Readonly<Record<string, string>> = {}, ...parameters: string[]): Program {
  const program = new Program(name, { ...environment, ...more }, ...parameters);
  programs.push(program);
  return program;
}

const at = (n: number): string => new Date(Date.UTC(2026, 1, 3) + n * 60_000).toISOString();

/** Where the program keeps what it must not forget. */
const file = (): string => join(folder, 'kept');
const storedCount = async () => Object.keys(await stored(service.sql)).length;

describe('the gateway', () => {
  it('keeps readings while the service is out of reach, also when it is killed, and sends them later', async () => {
    front.reset(() => 'lost');
    const offline = run('buffering-gateway.js', {}, file());
    offline.write(reading('a', at(1)), reading('a', at(2)));
    await until('it has tried to send them', () => offline.stderr.includes('They wait'));
    offline.write(reading('a', at(3)));
    await until('the third waits, too', () => existsSync(file()));
    expect(await offline.end('SIGKILL')).toBe('SIGKILL');
    expect(await storedCount()).toBe(0);

    front.reset();
    const online = run('buffering-gateway.js', {}, file());
    online.write(reading('b', at(4)));
    expect(await online.end()).toBe(0);
    expect(await storedCount()).toBe(4);
    expect([file(), `${file()}.sending`].filter(existsSync)).toEqual([]);
  });

  it('puts aside what is refused, for a person to look at, and goes on', async () => {
    const gateway = run('buffering-gateway.js', {}, file());
    gateway.write(reading('a', at(1)), reading('nobody', at(2)), reading('a', at(3)));
    expect(await gateway.end()).toBe(0);
    expect(await storedCount()).toBe(2);
    const lines = readFileSync(`${file()}.refused`, 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      { index: 1, code: 'unknown_tank', detail: expect.any(String), reading: reading('nobody', at(2)) },
    ]);
  });
});

const lowTank = (name: string, type = 'tank.low'): object => ({
  object: 'change',
  type: 'event',
  id: name,
  data: {
    type,
    data: {
      tank: { name },
      owner: { name: 'Harbor Hotel' },
      reading: { fill_percentage: 12.5 },
      location: { city: 'Rotterdam', country: null },
    },
  },
});

describe('the notifier', () => {
  it('reports tanks that run low, each once, also what happened while it was not running', async () => {
    feed.push(lowTank('Before'));
    const first = run('low-fill-notifier.js', {}, file());
    await until('it follows', () => existsSync(file()));
    feed.push(lowTank('Boiler house'), lowTank('Refilled', 'tank.refilled'));
    await until('it reports', () => first.stdout !== '');
    await until('it has stored how far it is', () => readFileSync(file(), 'utf8') === '3');
    expect(await first.end('SIGTERM')).toBe(0);
    expect(first.stdout).toBe('Boiler house (Harbor Hotel, Rotterdam) is at 12.5 %.\n');

    feed.push(lowTank('Kitchen'));
    const second = run('low-fill-notifier.js', {}, file());
    await until('it reports', () => second.stdout !== '');
    expect(second.stdout).toBe('Kitchen (Harbor Hotel, Rotterdam) is at 12.5 %.\n');
  });
});

interface Level {
  readonly id: string;
  readonly fill: number | null;
}

function copied(): Level[] {
  rmSync(`${file()}.lock`, { recursive: true, force: true });
  const db = new sqlite.Database(file());
  const rows = db.all(
    'select id, fill_percentage as fill from tanks left join levels on tank_id = id order by id',
  ) as unknown as Level[];
  db.close();
  return rows;
}

async function changed(type: 'tank' | 'customer', id: string): Promise<object> {
  const { body } = (await service.api.get(`/v1/${type}s/${id}`)) as { body: object };
  return { object: 'change', type, id, data: body };
}

describe('the mirror', () => {
  it('copies the fleet, follows its changes, and goes on where it was', async () => {
    await service.sql.query('delete from tanks where id not in ($1, $2)', ['a', 'b']);
    await insertReadings(service.sql, 'a', [{ created_at: at(1), fill_percentage: 40 }]);
    const first = run('mirror-fleet.js', {}, file());
    await until('it has copied', () => first.stdout === 'Copied.\n');
    feed.push(await changed('customer', 'ours'));
    await until('it asks for what comes next', () => front.seen.at(-1)?.path.includes('after=1&') === true);
    expect(await first.end('SIGKILL')).toBe('SIGKILL');
    expect(copied()).toEqual([
      { id: 'a', fill: 40 },
      { id: 'b', fill: null },
    ]);

    await insertCustomer(service.sql, { id: 'new' });
    await insertTank(service.sql, 'new', { id: 'c' });
    await insertReadings(service.sql, 'a', [{ created_at: at(2), fill_percentage: 35.5 }]);
    await service.sql.query("update tanks set deleted = true where id = 'b'");
    const telemetry = { object: 'change', type: 'telemetry', id: 'a', data: {} };
    feed.push(
      await changed('customer', 'new'),
      await changed('tank', 'c'),
      await changed('tank', 'b'),
      telemetry,
    );
    const second = run('mirror-fleet.js', {}, file());
    await until('it has followed', () => front.seen.at(-1)?.path.includes('after=5&') === true);
    expect(await second.end('SIGTERM')).toBe(0);
    expect(second.stdout).toBe('');
    expect(copied()).toEqual([
      { id: 'a', fill: 35.5 },
      { id: 'c', fill: null },
    ]);
  });

  it('is made anew when it is too old to be brought up to date', async () => {
    const first = run('mirror-fleet.js', {}, file());
    await until('it has copied', () => first.stdout === 'Copied.\n');
    expect(await first.end('SIGTERM')).toBe(0);
    feed.push({}, {}, {});
    feed.keptFrom = 3;
    const second = run('mirror-fleet.js', {}, file());
    await until('it has copied again', () => second.stdout === 'Copied.\n');
    expect(second.stderr).toContain('made anew');
    expect(await second.end('SIGTERM')).toBe(0);
  });
});
