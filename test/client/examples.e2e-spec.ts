// The programs in examples/, run as their first lines say.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sqlite from 'node-sqlite3-wasm';
import { freePort } from '../faults/support/ports.js';
import { until } from '../faults/support/until.js';
import { aTank, insertCustomer, insertReadings, insertTank, insertTanks } from '../support/builders.js';
import { insertFleet, reading, stored } from '../support/ingest.js';
import { startFronted } from './support/front.js';

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

const { service, sql, front, key } = await startFronted(['read', 'telemetry:write'], {
  environment: { WORKER: 'true' },
});
const environment = { TANKS_URL: front.url, TANKS_KEY: key };
let folder: string;
const programs: Program[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tank-examples-'));
  await insertFleet(sql);
});
afterEach(async () => {
  for (const program of programs.splice(0)) if (program.isRunning) await program.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function run(name: string, more: Readonly<Record<string, string>> = {}, ...parameters: string[]): Program {
  const program = new Program(name, { ...environment, ...more }, ...parameters);
  programs.push(program);
  return program;
}

const at = (n: number): string => new Date(Date.UTC(2026, 1, 3) + n * 60_000).toISOString();

/** Where the program keeps what it must not forget. */
const file = (): string => join(folder, 'kept');
/** Of the gateway, which keeps apart what it is sending. */
const linesWaiting = (): number =>
  [file(), `${file()}.sending`]
    .filter(existsSync)
    .reduce((sum, name) => sum + readFileSync(name, 'utf8').split('\n').length - 1, 0);
const storedCount = async () => Object.keys(await stored(sql)).length;

describe('the gateway', () => {
  it('keeps readings while the service is out of reach, also when it is killed, and sends them later', async () => {
    front.reset(() => 'lost');
    const offline = run('buffering-gateway.js', {}, file());
    offline.write(reading('a', at(1)), reading('a', at(2)));
    await until('it has tried to send them', () => offline.stderr.includes('They wait'));
    offline.write(reading('a', at(3)));
    await until('the third waits, too', () => linesWaiting() === 3);
    expect(await offline.end('SIGKILL')).toBe('SIGKILL');
    expect(await storedCount()).toBe(0);

    front.reset();
    const online = run('buffering-gateway.js', {}, file());
    online.write(reading('b', at(4)));
    expect(await online.end()).toBe(0);
    expect(await storedCount()).toBe(4);
    expect(linesWaiting()).toBe(0);
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

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

/** A new tank gets from 30 % to another level. */
async function reach(id: string, name: string, fill: number): Promise<void> {
  const location = { city: 'Rotterdam', country: null };
  await insertTanks(sql, [aTank('ours', { id, name, ...location })]);
  await insertReadings(sql, id, [
    { created_at: ago(60), fill_percentage: 30 },
    { created_at: ago(1), fill_percentage: fill },
  ]);
}

const sentence = (name: string): string => `${name} (Harbor Hotel, Rotterdam) is at 12.5 %.\n`;

/** All that has happened has its place in the feed. */
const placed = () =>
  until('every change is placed', async () => {
    const { rowCount } = await sql.query('select from change_notes limit 1');
    return rowCount === 0;
  });

describe('the notifier', () => {
  it('reports tanks that run low, each once, also what happened while it was not running', async () => {
    await sql.query(`update customers set name = 'Harbor Hotel' where id = 'ours'`);
    await reach('before', 'Before', 12.5);
    await placed();
    const first = run('low-fill-notifier.js', {}, file());
    await until('it follows', () => existsSync(file()));
    const from = readFileSync(file(), 'utf8');
    await reach('full', 'Refilled', 90);
    await reach('boiler', 'Boiler house', 12.5);
    await until('it reports', () => first.stdout !== '');
    await until('it has stored how far it is', () => readFileSync(file(), 'utf8') !== from);
    expect(await first.end('SIGTERM')).toBe(0);
    expect(first.stdout).toBe(sentence('Boiler house'));

    await reach('kitchen', 'Kitchen', 12.5);
    const second = run('low-fill-notifier.js', {}, file());
    await until('it reports', () => second.stdout !== '');
    expect(second.stdout).toBe(sentence('Kitchen'));
  });

  it('says so when it may have missed some, and goes on', async () => {
    const first = run('low-fill-notifier.js', {}, file());
    await until('it follows', () => existsSync(file()));
    await placed();
    expect(await first.end('SIGTERM')).toBe(0);
    await sql.query('select restart_changes()');
    const second = run('low-fill-notifier.js', {}, file());
    await until('it reports that', () => second.stderr.includes('some events may be missing'));
    await until('it follows', () => front.open === 1 && front.seen.at(-1)?.path.includes('latest') === false);
    await sql.query(`update customers set name = 'Harbor Hotel' where id = 'ours'`);
    await reach('attic', 'Attic', 12.5);
    await until('it reports', () => second.stdout !== '');
    expect(second.stdout).toBe(sentence('Attic'));
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

/** The program has all that has happened, and waits for more. */
async function hasFollowed(): Promise<void> {
  await placed();
  const { body } = await service.api.get('/v1/changes?after=latest');
  const { next } = body as { next: string };
  await until('it waits for what comes next', () => {
    const last = front.seen.at(-1)?.path ?? '';
    return front.open === 1 && new URL(last, front.url).searchParams.get('after') === next;
  });
}

describe('the mirror', () => {
  it('copies the fleet, follows its changes, and goes on where it was', async () => {
    await sql.query('delete from tanks where id not in ($1, $2, $3)', ['a', 'b', 'c']);
    await insertReadings(sql, 'a', [{ created_at: at(1), fill_percentage: 40 }]);
    await insertReadings(sql, 'c', [{ created_at: at(2), fill_percentage: 70 }]);
    const first = run('mirror-fleet.js', {}, file());
    await until('it has copied', () => first.stdout === 'Copied.\n');
    await insertReadings(sql, 'b', [
      { created_at: at(5), fill_percentage: 55 },
      { created_at: at(4), fill_percentage: 56 },
    ]);
    await hasFollowed();
    expect(await first.end('SIGKILL')).toBe('SIGKILL');
    expect(copied()).toEqual([
      { id: 'a', fill: 40 },
      { id: 'b', fill: 55 },
      { id: 'c', fill: 70 },
    ]);

    await insertCustomer(sql, { id: 'new' });
    await insertTank(sql, 'new', { id: 'd' });
    await insertReadings(sql, 'a', [
      { created_at: at(0), fill_percentage: 99 }, // before the newest
      { created_at: at(3), fill_percentage: 35.5 },
    ]);
    await sql.query("update tanks set deleted = true where id = 'b'");
    await sql.query("delete from telemetry using tanks where key = tank_key and id = 'c'");
    const second = run('mirror-fleet.js', {}, file());
    await hasFollowed();
    await insertReadings(sql, 'a', [{ created_at: at(2), fill_percentage: 98 }]);
    await hasFollowed();
    expect(await second.end('SIGTERM')).toBe(0);
    expect(second).toMatchObject({ stdout: '', stderr: '' });
    expect(copied()).toEqual([
      { id: 'a', fill: 35.5 },
      { id: 'c', fill: null },
      { id: 'd', fill: null },
    ]);
  });

  it('is made anew when it is too old to be brought up to date', async () => {
    const first = run('mirror-fleet.js', {}, file());
    await until('it has copied', () => first.stdout === 'Copied.\n');
    await hasFollowed();
    expect(await first.end('SIGTERM')).toBe(0);
    await sql.query('select restart_changes()');
    const second = run('mirror-fleet.js', {}, file());
    await until('it has copied again', () => second.stdout === 'Copied.\n');
    expect(second.stderr).toContain('made anew');
    expect(await second.end('SIGTERM')).toBe(0);
  });
});

describe('protobuf-to-source.js', () => {
  /** {gateway: 'gw-7', sent: 1770120000, tanks: [{name: '1', level_mm: 42, celsius: -3}]}, by hand. */
  const REPORT = Buffer.from('0a0467772d3710c0c687cc061a0a0a013115000028421805', 'hex');

  it('hands on what a sender posts, which hears what became of it', async () => {
    const source = {
      name: 'G',
      device: { path: 'gateway' },
      time: { path: 'sent' },
      channels: [{ name: '1', path: 'tanks[name=1]' }],
    };
    const manager = service.agent(await service.createKey({ scopes: ['tanks:write'] }));
    await manager.put('/v1/sources/my-gateway').send(source).expect(201);
    await manager
      .put('/v1/sensor_profiles/part')
      .send({ name: 'P', level: { path: 'level_mm', unit: 'percent' } });
    await sql.query("update tanks set assigned_device_id = 'gw-7#1' where id = 'a'");
    await manager.put('/v1/tanks/a/sensor').send({ profile_id: 'part' }).expect(201);
    const PORT = String(await freePort());
    const program = run('protobuf-to-source.js', { PORT });
    await until('it is ready', () => Promise.resolve(program.stdout.includes('Ready.')));
    const post = (body: Buffer) =>
      fetch(`http://127.0.0.1:${PORT}/`, { method: 'POST', body: new Uint8Array(body) });

    expect(await (await post(REPORT)).json()).toMatchObject({
      data: [
        {
          outcome: 'stored',
          device_id: 'gw-7#1',
          fill_percentage: 42,
          created_at: '2026-02-03T12:00:00.000Z',
        },
      ],
    });
    expect((await post(REPORT.subarray(0, 9))).status).toBe(400);
  });
});
