// Commands that destroy: they say what will be gone and ask on a terminal, and do nothing without a yes.
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aTank, clear, insertCustomers, insertReadings, insertTanks } from '../support/builders.js';
import { hasTerminals, runOnTerminal, runProgram } from '../support/cli.js';
import { customerLine, ndjson, tankLine, type Line } from '../support/lines.js';
import { openDatabase } from '../support/operator.js';

const { url, sql } = await openDatabase({ max: 2 });
const folder = await mkdtemp(join(tmpdir(), 'confirm-'));
const fleet = join(folder, 'fleet.ndjson');
const environment = {
  DATABASE_URL: url,
  WEBHOOK_SECRET_KEY: randomBytes(32).toString('base64'),
  HOME: folder,
};
afterAll(() => rm(folder, { recursive: true }));

const deletion = (id: string): Line => ({ id, object: 'customer', deleted: true });

beforeEach(async () => {
  await sql.query('delete from events; delete from webhook_endpoints; delete from webhook_deliveries');
  await sql.query('delete from api_keys');
  await clear(sql);
  await insertCustomers(sql, [{ id: 'ours', name: 'Harbor \u001b[2JHotel' }, { id: 'alone' }]);
  await insertTanks(sql, [aTank('ours', { id: 'a' }), aTank('ours', { id: 'b' })]);
  await insertReadings(sql, 'a', [
    { created_at: '2020-01-01T00:00:00Z', fill_percentage: 50 },
    { created_at: '2020-02-01T00:00:00Z', fill_percentage: 49 },
  ]);
  await sql.query(`
    insert into api_keys (prefix, hash, name, last_used_at)
    values ('tms_12345678', sha256(''), 'route \u001b[2Jplanner', '2026-03-01T12:00:00Z')`);
  await sql.query(
    `insert into webhook_endpoints (id, url, secret) values ('hook', 'https://example.com/hook', '')`,
  );
  await writeFile(fleet, ndjson([deletion('ours'), deletion('alone')]));
});

/** What is left of what the commands destroy. */
async function left(): Promise<unknown> {
  const { rows } = await sql.query(`
    select (select count(*)::int from telemetry) as readings,
           (select count(*)::int from api_keys where revoked_at is null) as keys,
           (select count(*)::int from webhook_endpoints) as webhooks,
           (select count(*)::int from customers where not deleted) as customers`);
  return rows[0];
}
const ALL = { readings: 2, keys: 1, webhooks: 1, customers: 2 };

const COMMANDS = {
  retention: {
    args: () => ['retention', '--months', '12'],
    says: /^Older than \d{4}-\d\d-01: 2 readings of 1 tank, 1 of which would have none left\. They cannot be brought back\.$/m,
    after: { ...ALL, readings: 0 },
  },
  'keys revoke': {
    args: () => ['keys', 'revoke', 'tms_12345678'],
    says: /^This ends the key tms_12345678, "route \\u001b\[2Jplanner", last used 2026-03-01T12:00:00\.000Z\.$/m,
    after: { ...ALL, keys: 0 },
  },
  'webhooks remove': {
    args: () => ['webhooks', 'remove', 'hook'],
    says: /^This removes the webhook to https:\/\/example\.com\/hook, with 0 pending deliveries\.$/m,
    after: { ...ALL, webhooks: 0 },
  },
  'import of deleted owners': {
    args: () => ['import', fleet],
    says: /deletes 1 customer whose 2 tanks would stay without an owner: "ours" \(Harbor \\u001b\[2JHotel, 2 tanks\)\.$/m,
    after: { ...ALL, customers: 0 },
  },
};
const EACH = Object.entries(COMMANDS);
const { 'keys revoke': revoke } = COMMANDS;

/** Without a terminal: nobody typed that. */
const run = (...args: string[]) => runProgram(environment, 'y\n', ...args);

describe.each(EACH)('%s', (_, { args, says, after }) => {
  it('without a terminal says what would go, needs --yes, and changes nothing', async () => {
    const { code, stderr } = await run(...args());

    expect(stderr).toMatch(says);
    expect(stderr).toMatch(
      /^error: .*Nothing was changed: there is no terminal to ask on\. Add --yes to do it\.$/m,
    );
    expect(code).toBe(2);
    expect(await left()).toEqual(ALL);
  });

  it('with --yes says what goes, and does it', async () => {
    const { code, stderr } = await run(...args(), '--yes');

    expect(stderr).toMatch(says);
    expect(code).toBe(0);
    expect(await left()).toEqual(after);
  });
});

const CTRL_C = '\u0003';
const onTerminals = hasTerminals ? describe : describe.skip;
onTerminals("on a terminal, which every command asks alike (skipped without util-linux's script)", () => {
  it('nothing is done but for a yes', async () => {
    for (const typed of ['\n', 'yeah\n', CTRL_C]) {
      const { code, stdout } = await runOnTerminal(environment, typed, ...revoke.args());
      expect(stdout).toMatch(revoke.says);
      expect(stdout).toMatch(/error: Nothing was changed\.$/m);
      expect(code).toBe(1);
      expect(await left()).toEqual(ALL);
    }
    const done = await runOnTerminal(environment, 'Yes\n', ...revoke.args());
    expect(done.stdout).not.toContain('error:');
    expect(done.code).toBe(0);
    expect(await left()).toEqual(revoke.after);
  });
});

it.each(['retention', 'import of deleted owners'] as const)('a dry run of %s never asks', async (name) => {
  const { code, stderr } = await run(...COMMANDS[name].args(), '--dry-run');

  expect(code).toBe(0);
  expect(stderr).toMatch(name === 'retention' ? /^Older than /m : COMMANDS[name].says);
  expect(stderr).not.toContain('--yes');
  expect(await left()).toEqual(ALL);
});

describe('nothing to destroy', () => {
  it('is no reason to ask: old readings that are not there, a key that has ended', async () => {
    await sql.query('delete from telemetry; update api_keys set revoked_at = now()');

    expect(await run('retention', '--months', '12')).toMatchObject({ code: 0 });
    expect(await run('keys', 'revoke', 'tms_12345678')).toMatchObject({ code: 0 });
  });

  it.each<[string, Line[]]>([
    [
      'their tanks go with them',
      [deletion('ours'), ...['a', 'b'].map((id) => ({ ...deletion(id), object: 'tank' }))],
    ],
    ['their tanks get another owner', [deletion('ours'), tankLine('a', 'alone'), tankLine('b', 'alone')]],
    ['a later line keeps them', [deletion('ours'), customerLine('ours')]],
    ['they own nothing', [deletion('alone')]],
    ['they come deleted, as from an export', [customerLine('new', { deleted: true }), tankLine('t', 'new')]],
  ])('is no reason to ask: owners are deleted, but %s', async (__, lines) => {
    await writeFile(fleet, ndjson(lines));

    expect(await run('import', fleet)).toMatchObject({ code: 0 });
  });

  it.each<[string, Line[]]>([
    ['the file itself gives tanks to', [deletion('alone'), tankLine('a', 'alone')]],
    [
      'own a tank that the file restores',
      [deletion('alone'), { ...deletion('c'), object: 'tank' }, tankLine('c', 'alone')],
    ],
  ])('is something else than deleting owners that %s', async (__, lines) => {
    await writeFile(fleet, ndjson(lines));

    expect(await run('import', fleet)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('deletes 1 customer whose 1 tank would'),
    });
  });
});
