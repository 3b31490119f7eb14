// What an import does to the data: which lines it takes, which it refuses, and that a file is all or nothing.
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importLines, type ImportOptions } from '../../src/operator/import/import-lines.js';
import type { ImportReport } from '../../src/operator/import/report.js';
import { lockTable } from '../faults/support/own-postgres.js';
import { until } from '../faults/support/until.js';
import { clear } from '../support/builders.js';
import { runCli, runCliOn, startCli } from '../support/cli.js';
import { contentsOf } from '../support/contents.js';
import { customerLine, ndjson, readingLine, tankLine, without, type Line } from '../support/lines.js';
import { openDatabase } from '../support/operator.js';

const { url: databaseUrl, sql, operator } = await openDatabase();
const folder = await mkdtemp(join(tmpdir(), 'import-'));
afterAll(() => rm(folder, { recursive: true }));

beforeEach(() => clear(sql));

interface Imported extends ImportReport {
  readonly messages: string[];
}

async function loadText(text: string, options: ImportOptions = {}): Promise<Imported> {
  const messages: string[] = [];
  const onRefused = (message: string) => messages.push(message);
  async function* bytes(): AsyncGenerator<Buffer> {
    yield Buffer.from(text);
  }
  return { ...(await importLines(operator, bytes(), { name: 'f', onRefused, ...options })), messages };
}

const load = (lines: readonly (Line | string)[]) => loadText(ndjson(lines));
const loadCsv = (text: string) => loadText(text, { format: 'csv' });

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function column(statement: string): Promise<unknown[]> {
  const { rows } = await sql.query<{ value: unknown }>(statement);
  return rows.map(({ value }) => value);
}

const OWNER = customerLine('c1');
const TANK = tankLine('t1', 'c1');

const updated = (): Promise<unknown[]> => column('select updated_at::text as value from customers');

function tankWith(id: string, device: string, fields: Line = {}): Line {
  return tankLine(id, 'c1', { assigned_device_id: device, ...fields });
}

describe('lines', () => {
  it('leave PostgreSQL knowing how many there are, so that reads of them are planned well at once', async () => {
    const tanks = [2, 3].map((n) => tankWith(`t${n}`, `d${n}`));
    const readings = [1, 2].map((hour) => readingLine('t1', `2026-01-01T0${hour}:00:00Z`, 10));
    await load([OWNER, TANK, ...tanks, ...readings]);
    const known = `
      select relname || ': ' || reltuples as value from pg_class
      where relname in ('customers', 'tanks', 'tank_states', 'telemetry') order by relname`;
    expect(await column(known)).toEqual(['customers: 1', 'tank_states: 3', 'tanks: 3', 'telemetry: 2']);
  });

  it('change nothing the second time, updated_at included', async () => {
    const lines = [
      without(OWNER, 'created_at', 'updated_at'),
      customerLine('c2', { deleted: true }),
      customerLine('c3'),
      { id: 'c3', object: 'customer', deleted: true },
      TANK,
      without(tankLine('t2', 'c2'), 'updated_at'),
      readingLine('t1', '2026-01-01T00:00:00Z', 10),
      readingLine('t1', '2026-01-01T00:00:00Z', 11),
      readingLine('t2', '2026-01-02T00:00:00Z', 12),
    ];
    await load(lines);
    const before = await contentsOf(sql);
    expect(await load(lines)).toMatchObject({
      customers: { inserted: 0, updated: 0, deleted: 0, unchanged: 3, superseded: 1 },
      tanks: { inserted: 0, updated: 0, unchanged: 2 },
      telemetry: { inserted: 0, updated: 0, unchanged: 2, superseded: 1 },
    });
    expect(await contentsOf(sql)).toEqual(before);
  });

  it.each([{}, null])('are whole objects: what is left out is null (location %j)', async (location) => {
    await load([customerLine('c1', { phone: '1', last_seen_at: '2026-01-01T00:00:00Z' }), TANK]);
    await load([without(OWNER, 'phone', 'last_seen_at'), tankLine('t1', 'c1', { location })]);
    const kept =
      'select coalesce(phone, last_seen_at::text, city, latitude::text) as value from customers, tanks';
    expect(await column(kept)).toEqual([null]);
  });

  it('keep created_at when they leave it out, and updated_at unless they change something; what is new is of now', async () => {
    const isNew = (name: string) =>
      column(`select now() - ${name} < interval '1 minute' as value from customers order by id`);
    await load([OWNER]);
    expect(await load([without(OWNER, 'created_at', 'updated_at')])).toMatchObject({
      customers: { unchanged: 1 },
    });
    expect(await isNew('updated_at')).toEqual([false]);
    const renamed = customerLine('c1', { name: 'new' });
    await load([renamed, customerLine('c2')].map((line) => without(line, 'created_at', 'updated_at')));
    expect([await isNew('created_at'), await isNew('updated_at')]).toEqual([
      [false, true],
      [true, true],
    ]);
    const equal = `select created_at = updated_at as value from customers where id = 'c2'`;
    expect(await column(equal)).toEqual([true]);
  });

  it('are obeyed about updated_at for a new object, and when it is newer than the stored one', async () => {
    await load([customerLine('c1', { updated_at: '2020-01-01T00:00:00Z' })]);
    expect(await updated()).toEqual(['2020-01-01 00:00:00+00']);
    await load([customerLine('c1', { updated_at: '2020-01-02T00:00:00Z', name: 'new' })]);
    expect(await updated()).toEqual(['2020-01-02 00:00:00+00']);
    const newer = customerLine('c1', { updated_at: '2020-01-03T00:00:00Z', name: 'new' });
    expect(await load([newer])).toMatchObject({ customers: { updated: 1 } });
    expect(await updated()).toEqual(['2020-01-03 00:00:00+00']);
  });

  it('that change something under an old updated_at are in an export of what was updated since', async () => {
    await load([OWNER, customerLine('c2'), TANK, tankLine('t2', 'c1'), tankLine('t3', 'c1')]);
    const since = new Date().toISOString();
    const older = { updated_at: '2020-01-01T00:00:00Z' };
    const changes = [
      customerLine('c1', { name: 'new' }),
      tankLine('t1', 'c1', { ...older, capacity: 1 }),
      tankLine('t2', 'c1', { deleted: true }),
      tankLine('t3', 'c1', older), // changes nothing
    ];
    expect(await load(changes)).toMatchObject({ tanks: { updated: 1, deleted: 1, unchanged: 1 } });

    const { stdout } = await runCli(databaseUrl, 'export', 'customers', 'tanks', '--since', since);
    const exported = stdout.trimEnd().split('\n');
    expect(exported.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(['c1', 't1', 't2']);

    const contents = await contentsOf(sql);
    const again = await load(changes);
    expect(again).toMatchObject({ customers: { unchanged: 1 }, tanks: { unchanged: 3 } });
    expect(await contentsOf(sql)).toEqual(contents);
  });

  it('that give a live tank the device of another are reported, and taken', async () => {
    const others = [tankWith('t2', 'd2', { deleted: true }), tankWith('t3', ''), tankWith('t4', 'd4')];
    await load([OWNER, tankWith('t1', 'd1'), ...others]);
    const none = { tanks: 0, devices: 0, first: [] };
    // Deleted ones do not count, nor does an empty device, nor one that moves on.
    const live = Object.entries({ t5: 'd2', t6: '', t7: 'd4', t4: 'd7' }).map(([id, of]) => tankWith(id, of));
    const apart = [...live, tankWith('t8', 'd1', { deleted: true })];
    expect((await load(apart)).shared_devices).toEqual(none);

    const alone = tankWith('t4', 'd7', { name: 'still alone' });
    const report = await load([tankWith('t2', 'd2'), tankWith('t9', 'd1'), alone]);
    expect(report).toMatchObject({ refused: 0, tanks: { inserted: 1, updated: 2 } });
    expect(report.shared_devices).toEqual({
      tanks: 2,
      devices: 2,
      first: [
        { device_id: 'd1', tanks: 2, tank_ids: ['t1', 't9'] },
        { device_id: 'd2', tanks: 2, tank_ids: ['t2', 't5'] },
      ],
    });
    expect((await load([tankWith('t9', 'd1', { name: 'as before' })])).shared_devices).toEqual(none);
  });

  it('mean the same in any order of fields and with any blanks', async () => {
    const report = await load([
      OWNER,
      TANK,
      '{"object":"telemetry","tank_id":"t1","created_at":"2026-01-01T00:00:00Z","fill_percentage":1.5}',
      '{"object": "telemetry", "tank_id": "t1", "created_at": "2026-01-02T00:00:00Z", "fill_percentage": 2}',
      ' { "fill_percentage" : 3e0 , "created_at" : "2026-01-03T00:00:00Z" , "tank_id" : "\\u00741", "object":"telemetry" } ',
    ]);
    expect(report).toMatchObject({ refused: 0, telemetry: { inserted: 3 } });
    expect(await column('select fill_percentage as value from telemetry order by created_at')).toEqual([
      1.5, 2, 3,
    ]);
  });
});

const NOON = '2026-01-01T12:00:00.000Z';

describe('deleted objects', () => {
  const DELETE = { id: 'c1', object: 'customer', deleted: true };

  it('are made by the short form, which keeps everything else', async () => {
    await load([customerLine('c1', { name: 'kept' }), TANK]);
    const report = await load([DELETE, { id: 't1', object: 'tank', deleted: true }]);
    expect(report).toMatchObject({ refused: 0, customers: { deleted: 1 }, tanks: { deleted: 1 } });
    expect(
      await column(`select name || deleted || (now() - updated_at < '1 minute') as value from customers`),
    ).toEqual(['kepttruetrue']);
    expect(await load([DELETE])).toMatchObject({ customers: { unchanged: 1 } });
  });

  it('may be new in the same file: the last line wins, and a short form only deletes', async () => {
    await load([customerLine('c1', { name: 'a' }), DELETE, { ...DELETE, id: 'c2' }, customerLine('c2')]);
    expect(await column('select name || deleted as value from customers order by id')).toEqual([
      'atrue',
      'Customer c2false',
    ]);
  });

  it('come back with a line that does not say deleted, or says false', async () => {
    await load([customerLine('c1', { deleted: true }), customerLine('c2', { deleted: true })]);
    const report = await load([OWNER, customerLine('c2', { deleted: false })]);
    expect(report).toMatchObject({ customers: { updated: 2 } });
    expect(await column('select deleted as value from customers')).toEqual([false, false]);
  });

  it('keep their tanks, and deleted tanks take readings', async () => {
    await load([customerLine('c1', { deleted: true }), tankLine('t1', 'c1', { deleted: true })]);
    expect(await load([tankLine('t2', 'c1'), readingLine('t1', NOON, 1)])).toMatchObject({ refused: 0 });
  });

  it('must exist for the short form', async () => {
    const report = await load([DELETE, { id: 't1', object: 'tank', deleted: true }]);
    expect(report.messages).toEqual([
      'f:1: no such customer to delete: "c1"',
      'f:2: no such tank to delete: "t1"',
    ]);
  });
});

describe('refused lines', () => {
  it.each<[string, Line | string]>([
    ['bad JSON', '{"object": "customer"'],
    ['the line must be a JSON object', '[1]'],
    ['object must be customer, tank or telemetry', { ...OWNER, object: 'list' }],
    ['id is missing', without(OWNER, 'id')],
    [
      'name holds half a surrogate pair',
      String.raw`{"id":"x","object":"customer","email":"e","is_verified":false,"name":"\ud800"}`,
    ],
    ['unknown field', readingLine('t1', NOON, 1, { deleted: true })],
    ['location is missing', without(TANK, 'location')],
    ['capacity must be a number above 0', JSON.stringify(TANK).replace('2700', '1e999')],
    ['fill_percentage must be a number', readingLine('t1', NOON, 1, { fill_percentage: '1' })],
    [
      'created_at must be a datetime such as 2026-01-31T08:15:30Z',
      readingLine('t1', '2026-02-30T00:00:00Z', 1),
    ],
  ])('say why: %s', async (reason, line) => {
    const report = await load([OWNER, '', line, TANK]);
    expect(report.reasons).toEqual([{ reason, lines: 1 }]);
    expect(report.messages).toEqual([expect.stringMatching(new RegExp(`^f:3: ${reason}`))]);
    expect(report).toMatchObject({
      lines: 3,
      refused: 1,
      customers: { inserted: 1 },
      tanks: { inserted: 1 },
      telemetry: { inserted: 0 },
    });
  });

  it('tell all that is wrong with an object at once, and count under each reason', async () => {
    const verified = { is_verified: false, verified_at: NOON };
    const report = await load([
      { object: 'customer', id: '', email: 7, name: 'a', ...verified, colour: 'red', shape: 1 },
      { ...TANK, capacity: 0, capacity_unit: 'pints', location: { latitude: 91, town: 'x' } },
      { object: 'telemetry', created_at: 'noon', fill_percentage: 101, colour: 1 },
    ]);
    const known = report.messages.map((message) =>
      message.replaceAll(/; (there are|did you mean)[^;]*/g, ''),
    );
    expect(known).toEqual([
      'f:1: id must not be empty; email must be a string: 7; verified_at must be null unless is_verified is true; ' +
        'unknown field: "colour"; unknown field: "shape"',
      'f:2: capacity must be a number above 0: 0; capacity_unit must be one of liters, gallons: "pints"; ' +
        'location.latitude must be from -90 to 90: 91; unknown field: "location.town"',
      'f:3: tank_id is missing; created_at must be a datetime such as 2026-01-31T08:15:30Z: "noon"; ' +
        'fill_percentage must be from 0 to 100: 101; unknown field: "colour"',
    ]);
    expect(report.refused).toBe(3);
    expect(report.reasons[0]).toEqual({ reason: 'unknown field', lines: 3 });
  });

  it('are pointed to by the lines that need what they describe', async () => {
    const { messages } = await load([
      { ...OWNER, is_verified: 'no' },
      tankLine('t1', 'c1'),
      { ...tankLine('t2', 'c1'), capacity: -1 },
      readingLine('t1', NOON, 1),
      readingLine('t2', NOON, 1),
      readingLine('t3', NOON, 1),
    ]);
    expect(messages).toEqual([
      'f:1: is_verified must be true or false: "no"',
      'f:3: capacity must be a number above 0: -1',
      'f:2: unknown owner: "c1", whose own line 1 was refused',
      'f:4: unknown tank: "t1", whose own line 2 was refused',
      'f:5: unknown tank: "t2", whose own line 3 was refused',
      'f:6: unknown tank: "t3"',
    ]);
  });

  it('do not win over a good line before them', async () => {
    await load([OWNER, tankLine('t1', 'c1', { name: 'good' }), tankLine('t1', 'nobody', { name: 'bad' })]);
    expect(await column('select name as value from tanks')).toEqual(['good']);
  });

  it('are told up to 20, and all counted', async () => {
    const lines = Array.from({ length: 50 }, (_, i) => readingLine('nothing', NOON, i));
    const report = await load(['oops', ...lines]);
    expect(report.messages).toHaveLength(20);
    expect(report.reasons).toEqual([
      { reason: 'unknown tank', lines: 50 },
      { reason: 'bad JSON', lines: 1 },
    ]);
  });
});

it('a file may have a byte order mark, CRLF, blank lines and no newline at its end', async () => {
  const text = ndjson([customerLine('c1', { name: 'Zoë 日本 🛢' }), TANK, readingLine('t1', NOON, 1)]);

  const written = `\uFEFF\n  \n${text.replaceAll('\n', '\r\n\n\r\n').trimEnd()}`;
  expect(await loadText(written)).toMatchObject({ lines: 3, refused: 0 });
  expect(await column('select name as value from customers')).toEqual(['Zoë 日本 🛢']);
});

describe('a line made to be hard to read', () => {
  it('that nests hundreds of thousands of levels deep refuses itself only, with its number', async () => {
    const nested = '['.repeat(400_000) + ']'.repeat(400_000);
    const line = `{"object":"telemetry","tank_id":"t1","created_at":"${NOON}","fill_percentage":${nested}}`;
    const report = await load([OWNER, nested, line, TANK]);

    expect(report.messages).toEqual([2, 3].map((n) => `f:${n}: nested more than 20 levels deep`));
    expect(report).toMatchObject({
      lines: 4,
      refused: 2,
      customers: { inserted: 1 },
      tanks: { inserted: 1 },
    });
  });

  it('names the first of its many thousand unknown fields', async () => {
    const fields = Array.from({ length: 50_000 }, (_, i) => `"f${i}":1`).join();
    const report = await load([OWNER, `{"object":"tank",${fields}}`]);

    expect(report).toMatchObject({ lines: 2, refused: 1 });
    expect(report.messages).toEqual([expect.stringMatching(/^f:2: .*unknown field: "f0".*"f19"/)]);
    expect(report.messages[0]).not.toContain('f20');
  });
});

describe('customers and tanks as CSV', () => {
  it('come in by their header, with commas or semicolons, quotes, a BOM and rows of nothing', async () => {
    const customers = await loadCsv(
      '\uFEFFid;email;name;is_verified;verified_at;phone\r\n' +
        'c1;a@example.com;"Straße 1; ""Hof""";true;2026-01-31T08:15:30Z;+43 1\r\n;;;;;\r\n' +
        'c2;b@example.com;B;;;\r\n',
    );
    const tanks = await loadCsv(
      'id,owner_id,name,capacity,capacity_unit,location_city,location_latitude,min_fill_alert_percentage,custom_id\n' +
        't1,c1,Boiler,1e3,liters,"Graz, Süd",47.1,35,7\nt2,c2,Other,2.5,gallons,,,,\n',
    );

    expect(customers).toMatchObject({ lines: 2, refused: 0, customers: { inserted: 2 } });
    expect(tanks).toMatchObject({ lines: 2, refused: 0, tanks: { inserted: 2 } });
    expect((await sql.query('select id, name, is_verified, phone from customers order by id')).rows).toEqual([
      { id: 'c1', name: 'Straße 1; "Hof"', is_verified: true, phone: '+43 1' },
      { id: 'c2', name: 'B', is_verified: false, phone: null },
    ]);
    const stored = `select id, capacity, city, latitude, min_fill_alert_percentage as min, custom_id, assigned_device_id as device
                    from tanks order by id`;
    expect((await sql.query(stored)).rows).toEqual([
      { id: 't1', capacity: 1000, city: 'Graz, Süd', latitude: 47.1, min: 35, custom_id: '7', device: '' },
      { id: 't2', capacity: 2.5, city: null, latitude: null, min: 20, custom_id: null, device: '' },
    ]);
  });

  it('give a field that is left out its default where the object exists, too, and change nothing the second time', async () => {
    await load([OWNER, { ...TANK, custom_id: 'K', min_fill_alert_percentage: 50 }]);
    const text = 'id,owner_id,name,capacity,capacity_unit,custom_id\nt1,c1,Boiler,10,liters,\n';

    expect(await loadCsv(text)).toMatchObject({ tanks: { updated: 1 } });
    expect(await loadCsv(text)).toMatchObject({ tanks: { updated: 0, unchanged: 1 } });
    expect((await sql.query('select custom_id, min_fill_alert_percentage from tanks')).rows).toEqual([
      { custom_id: null, min_fill_alert_percentage: 20 },
    ]);
  });

  it('are refused line by line, with all that is wrong', async () => {
    const { messages, tanks } = await loadCsv(
      'id;owner_id;name;capacity;capacity_unit\nt1;c1;;12,5;litres\nt2;c1;B\nt3;nobody;C;1;liters\n"t4;x\n',
    );

    expect(tanks).toMatchObject({ inserted: 0, refused: 4 });
    expect(messages).toEqual([
      'f:2: capacity must be a number: "12,5"; capacity_unit must be one of liters, gallons: "litres"; name is missing',
      'f:3: the line must have 5 columns, as the header has: it has 3',
      expect.stringMatching(/^f:5: bad CSV: /),
      'f:4: unknown owner: "nobody"',
    ]);
  });

  it.each([
    ['id,email,owner_id,name', 'has both email, which makes customers, and owner_id, which makes tanks'],
    ['id,name', 'must be tank_id,created_at,fill_percentage, or have email'],
    ['id,email,name,__proto__,constructor', 'unknown column "__proto__"; there are: id,'],
    ['id,owner_id,name,capacity,capacity_units', 'capacity_unit is missing; unknown column "capacity_units"'],
    ['id,id,email,name', 'id is there more than once'],
    ['email', 'id is missing; name is missing'],
    ['id,email,"name', 'must be tank_id,created_at,fill_percentage, or have email'],
  ])('under the header %s are not imported at all', async (header, reason) => {
    const loading = loadCsv(`${header}\nc1,a@example.com,A\n`);
    await expect(loading).rejects.toThrow(`line 1: the CSV header`);
    await expect(loading).rejects.toThrow(reason);
    expect(await column('select count(*)::int as value from customers')).toEqual([0]);
  });

  it('have templates that can be imported, printed without a database', async () => {
    const unreachable = 'postgres://nobody@127.0.0.1:1/none';
    const [customers, tanks] = await Promise.all(
      ['customers', 'tanks'].map((kind) => runCli(unreachable, 'import', '--template', kind)),
    );

    expect(customers).toEqual({
      code: 0,
      stderr: '',
      stdout:
        'id,email,is_verified,last_seen_at,name,phone,verified_at\r\n' +
        'C-1001,office@example.com,false,,Example Ltd,+1 206 555 0142,\r\n',
    });
    expect(tanks?.stdout.split('\r\n')[0]).toMatch(/^id,assigned_device_id,.*owner_id/);
    expect(await loadCsv(customers?.stdout ?? '')).toMatchObject({ customers: { inserted: 1 }, refused: 0 });
    expect(await loadCsv(tanks?.stdout ?? '')).toMatchObject({ tanks: { inserted: 1 }, refused: 0 });
    expect(await runCli(unreachable, 'import', '--template', 'readings')).toMatchObject({
      code: 2,
      stdout: '',
    });
  });
});

describe('tank-monitoring import', () => {
  it('tells the result on stdout, refused lines on stderr, and exits 1 when there are any', async () => {
    const path = await file('fleet.ndjson', ndjson([OWNER, TANK, 'oops', readingLine('x', NOON, 1)]));
    const result = await runCli(databaseUrl, 'import', path);
    expect(result.code).toBe(1);
    const table = result.stdout.replaceAll(path, 'FILE').replaceAll(/ +/g, ' ');
    expect(table.split('\n')).toEqual([
      'file kind inserted updated deleted unchanged superseded refused',
      'FILE customers 1 0 0 0 0 0',
      'FILE tanks 1 0 0 0 0 0',
      'FILE telemetry 0 0 0 0 0 1',
      'FILE unreadable 0 0 0 0 0 1',
      '',
    ]);
    const said = result.stderr.split('\n').filter((line) => !line.endsWith(' s so far')); // on a busy machine
    expect(said).toEqual([
      expect.stringContaining(`${path}:3: bad JSON: `),
      `${path}:4: unknown tank: "x"`,
      `${path}: 2 lines were refused`,
      '        1  bad JSON',
      '        1  unknown tank',
      expect.stringMatching(/^What was changed is in the activity with request_id [\w-]{36}\.$/),
      '',
    ]);
  });

  it('takes several files and stdin, a transaction each, and tells each as JSON', async () => {
    const objects = await file('fleet.ndjson', ndjson([OWNER, TANK]));
    const readings = await file('readings.csv', `tank_id,created_at,fill_percentage\nt1,${NOON},1\n`);
    const more = ndjson([readingLine('t1', '2026-01-02T00:00:00Z', 1)]);
    const result = await runCliOn(more, databaseUrl, 'import', '--json', objects, readings, '-');
    expect(result).toMatchObject({ code: 0, stderr: '' });
    const reports = result.stdout.trimEnd().split('\n');
    expect(reports.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { file: objects, dry_run: false, lines: 2, customers: { inserted: 1 }, tanks: { inserted: 1 } },
      { file: readings, telemetry: { inserted: 1 }, reasons: [] },
      { file: 'stdin', telemetry: { inserted: 1 } },
    ]);
  });

  it('warns of devices that tanks share now, and exits 0', async () => {
    const twins = Array.from({ length: 7 }, (_, i) => tankLine(`t${i}`, 'c1', { assigned_device_id: 'd' }));
    const path = await file('fleet.ndjson', ndjson([OWNER, ...twins]));
    const result = await runCli(databaseUrl, 'import', path);
    expect(result.code).toBe(0);
    expect(result.stderr).toContain(
      `${path}: 7 tanks now share a device with another live tank, so readings that name only the device are refused: ` +
        '"d" ("t0", "t1", "t2", "t3", "t4", … 7 in all)\n',
    );
  });

  it('checks everything and writes nothing with --dry-run', async () => {
    const path = await file('fleet.ndjson', ndjson([OWNER, TANK, tankLine('t2', 'nobody')]));
    const result = await runCli(databaseUrl, 'import', '--dry-run', '--json', path);
    expect(result.code).toBe(1);
    expect(JSON.parse(result.stdout)).toMatchObject({
      dry_run: true,
      refused: 1,
      customers: { inserted: 1 },
      tanks: { inserted: 1 },
    });
    expect(await contentsOf(sql)).toEqual({ customers: [], tanks: [], telemetry: [] });
  });

  it('hands refused lines back in a file that can be fixed and imported', async () => {
    const refused = [
      '{"id": "c9", "object": "customer"',
      JSON.stringify({ ...tankLine('t2', 'c9'), custom_id: 'as it came' }),
      JSON.stringify({ id: 't8', object: 'tank', deleted: true }),
      JSON.stringify(readingLine('t2', NOON, 1)),
    ];
    const path = await file('fleet.ndjson', ndjson([OWNER, ...refused.toReversed(), TANK]));
    const rejects = join(folder, 'rejects.ndjson');
    await writeFile(rejects, 'of an earlier run', { mode: 0o644 });
    await runCli(databaseUrl, 'import', '--rejects', rejects, path);
    for (const made of [rejects, `${rejects}.reasons`]) expect((await stat(made)).mode & 0o777).toBe(0o600);
    expect(await readFile(rejects, 'utf8')).toBe(ndjson(refused));
    expect((await readFile(`${rejects}.reasons`, 'utf8')).split('\n')).toEqual([
      expect.stringContaining(`${path}:5: bad JSON: `),
      `${path}:4: unknown owner: "c9"`,
      `${path}:3: no such tank to delete: "t8"`,
      `${path}:2: unknown tank: "t2", whose own line 4 was refused`,
      '',
    ]);
    const fixed = (await readFile(rejects, 'utf8'))
      .replace(/^.*\n/, ndjson([customerLine('c9')]))
      .replace('t8', 't1');
    expect(await runCliOn(fixed, databaseUrl, 'import', '-')).toMatchObject({ code: 0 });
  });

  it('says in one line what it cannot do, before it does anything', async () => {
    const path = await file('fleet.ndjson', ndjson([OWNER]));
    const missing = await runCli(databaseUrl, 'import', path, join(folder, 'nothing.ndjson'));
    expect(missing).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: ${join(folder, 'nothing.ndjson')}: there is no such file\n`,
    });
    const overwriting = await runCli(databaseUrl, 'import', '--rejects', path, path);
    expect(overwriting).toMatchObject({ code: 2, stdout: '' });
    expect(overwriting.stderr).toContain('--rejects would overwrite');
    expect(await runCli(databaseUrl, 'import')).toMatchObject({ code: 2 });
    expect(await runCli(databaseUrl, 'import', '--format', 'xml', path)).toMatchObject({ code: 2 });
    expect(await column('select count(*)::int as value from customers')).toEqual([0]);
  });
});

describe('one file is all or nothing', () => {
  it('after a kill -9 half-way, and a second run completes it', async () => {
    const lines = fleet();
    const half = startCli(databaseUrl, 'import', '-');
    await write(half.child.stdin, lines.slice(0, lines.length / 2).join(''));
    await untilSessions((queries) => queries.some((query) => query.startsWith('copy staged_readings')));
    half.child.kill('SIGKILL');
    expect(await half.result).toMatchObject({ code: null, stdout: '' });
    await untilSessions((queries) => queries.length === 0);
    expect(await contentsOf(sql)).toEqual({ customers: [], tanks: [], telemetry: [] });

    expect(await runCliOn(lines.join(''), databaseUrl, 'import', '-')).toMatchObject({ code: 0 });
    expect(await column('select count(*)::int as value from telemetry')).toEqual([READINGS]);
    expect(await runCli(databaseUrl, 'counts', 'verify')).toMatchObject({ code: 0 });
  });

  it('after a lost connection, which is told in one line', async () => {
    const unlock = await lockTable(databaseUrl, 'tanks', 'row exclusive');
    const running = startCli(databaseUrl, 'import', '-');
    running.child.stdin?.end(ndjson([OWNER, TANK, readingLine('t1', NOON, 1)]));
    await untilSessions((queries) => queries.some((query) => query.startsWith('lock table')));
    await sql.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'tank-monitoring-cli' and datname = current_database() and query like 'lock table%'`,
    );
    const { code, stdout, stderr } = await running.result;
    await unlock();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^error: stdin: nothing was imported: .*\n$/);
    expect(await contentsOf(sql)).toEqual({ customers: [], tanks: [], telemetry: [] });
  });

  it('with two imports of the same objects at once, one after the other', async () => {
    const lines = fleet(4_000);
    const other = lines.map((line) => line.replace(/"fill_percentage":\d+/, '"fill_percentage":7'));
    const results = await Promise.all([
      runCliOn(lines.join(''), databaseUrl, 'import', '--json', '-'),
      runCliOn(other.toReversed().join(''), databaseUrl, 'import', '--json', '-'),
    ]);
    expect(results).toMatchObject([{ code: 0 }, { code: 0 }]);
    const inserted = results.map(({ stdout }) => (JSON.parse(stdout) as ImportReport).telemetry.inserted);
    expect(inserted.toSorted((a, b) => a - b)).toEqual([0, 4_000]);
    const kinds = await column('select count(distinct fill_percentage)::int as value from telemetry');
    expect(kinds).toEqual([inserted[0] === 0 ? 100 : 1]);
    expect(await runCli(databaseUrl, 'counts', 'verify')).toMatchObject({ code: 0 });
  });

  it('but for the readings of a tank that is removed while they are written', async () => {
    await load([OWNER, TANK, tankLine('t2', 'c1')]);
    const remover = await sql.connect();
    await remover.query(`begin; delete from tanks where id = 't1'`);
    const loading = load([readingLine('t1', NOON, 1), readingLine('t2', NOON, 2)]);
    await untilSessions((queries) => queries.some((query) => query.includes('insert into telemetry')));
    await remover.query('commit');
    remover.release();

    const report = await loading;
    expect(report.messages).toEqual(['f:1: unknown tank: "t1"']);
    expect(report.telemetry).toMatchObject({ inserted: 1, superseded: 0, unchanged: 0, refused: 1 });
    expect(await column('select fill_percentage as value from telemetry')).toEqual([2]);
  });
});

const TANKS = 20;
const READINGS = 40_000; // half of them are more than is staged at once

/** Lines of a fleet with readings at one a minute. */
function fleet(count = READINGS): string[] {
  const tanks = Array.from({ length: TANKS }, (_, tank) => tankLine(`t${tank}`, 'c1'));
  const readings = Array.from({ length: count }, (_, n) =>
    readingLine(`t${n % TANKS}`, minuteOf2026(Math.floor(n / TANKS)), n % 100),
  );
  return [OWNER, ...tanks, ...readings].map((line) => `${JSON.stringify(line)}\n`);
}

function minuteOf2026(minute: number): string {
  return new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
}

async function write(stream: NodeJS.WritableStream | null, text: string): Promise<void> {
  await new Promise<void>((resolve) => stream?.write(text, () => resolve()));
}

/** Waits until the statements of the command line's sessions are as they should be. */
async function untilSessions(isRight: (queries: string[]) => boolean): Promise<void> {
  const active = `select trim(query) as value from pg_stat_activity
                  where application_name = 'tank-monitoring-cli' and datname = current_database() and state <> 'idle'`;
  await until('they do it', async () => isRight((await column(active)).map(String)));
}
