// What every operator command does alike: it says which database it works on, and never changes the demo's by accident.
import { describe, expect, it } from '@jest/globals';
import { createKey } from '../faults/support/fleet.js';
import { runCli, runProgram } from '../support/cli.js';
import { query } from '../support/database.js';
import { openDatabase } from '../support/operator.js';

const { url: databaseUrl } = await openDatabase();
const { host, pathname, password } = new URL(databaseUrl);

const run = (environment: Readonly<Record<string, string>>, ...args: string[]) =>
  runProgram(environment, '', ...args);

const CHANGING = [
  ['migrate'],
  ['keys', 'create', '--name', 'a'],
  ['keys', 'roll', 'tms_12345678'],
  ['keys', 'revoke', 'tms_12345678'],
  ['import', '-'],
  ['counts', 'rebuild'],
  ['retention', '--months', '1200'],
  ['partition', 'off'],
];

describe('an operator command', () => {
  it.each([['migrate'], ['keys', 'list'], ['import', '-'], ['export'], ['partition', 'status']])(
    'says first which database it uses, without its password: %s %s',
    async (...args) => {
      const { stderr } = await run({ DATABASE_URL: databaseUrl }, ...args);
      expect(stderr.split('\n')[0]).toBe(`Database: ${host}${pathname}`);
      expect(stderr).not.toContain(password || 'nothing to hide');
    },
  );

  it.each(CHANGING)('does not fall back to the demo database in production: %s %s', async (...args) => {
    expect(await run({ NODE_ENV: 'production' }, ...args)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'error: DATABASE_URL is not set. Set it, or add --demo to work on the embedded demo database.\n',
    });
  });

  it('does not choose between --demo and a DATABASE_URL', async () => {
    const { code, stderr } = await run({ DATABASE_URL: databaseUrl }, 'migrate', '--demo');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: --demo is for the embedded demo database, but DATABASE_URL is set\./);
  });

  it.each(['--help', 'keys --help', 'keys create --help', 'import --help'])(
    'shows with %s a line that can be pasted',
    async (words) => {
      const { code, stdout } = await run({}, ...words.split(' '));
      expect(code).toBe(0);
      expect(stdout).toContain(`Usage: npx tank-monitoring ${words.replace('--help', '')}`.trimEnd());
    },
  );
});

it('worker --help names all that it does', async () => {
  const { stdout } = await run({}, 'worker', '--help');
  for (const work of [/judge/, /forecasts/, /changes/, /webhooks/, /MQTT/, /partitions/])
    expect(stdout).toMatch(work);
});

const key = await createKey(databaseUrl, { name: 'leaked' });
const prefix = key.slice(0, key.indexOf('.'));

describe('keys revoke and keys roll', () => {
  it('take a whole key, and repeat its prefix and nothing more of it', async () => {
    const rolled = await runCli(databaseUrl, 'keys', 'roll', key);
    expect(rolled).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^tms_.+\n$/) });
    expect(await runCli(databaseUrl, 'keys', 'revoke', key, '--yes')).toEqual({
      code: 0,
      stdout: '',
      stderr: `This ends the key ${prefix}, "leaked", never used.\n${prefix} is revoked.\n`,
    });
    const [row] = await query<{ revoked: boolean }>(
      databaseUrl,
      'select revoked_at is not null as revoked from api_keys where prefix = $1',
      [prefix],
    );
    expect(row).toEqual({ revoked: true });
  });

  it.each(['a secret alone', 'an unknown key'])('do not repeat %s', async (what) => {
    const secret = key.slice(key.indexOf('.') + 1);
    const given = what === 'a secret alone' ? secret : `tms_unknown1.${secret}`;
    const { code, stderr } = await runCli(databaseUrl, 'keys', 'revoke', '--', given);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: .+\n$/);
    expect(stderr).not.toContain(secret);
  });
});

describe('a table for people', () => {
  const HOSTILE = 'a\u001b[2J\u009b\r\nb\u202e';

  it('shows control characters of names as escapes; JSON has them exactly', async () => {
    await runCli(databaseUrl, 'keys', 'create', '--name', HOSTILE);

    const table = await runCli(databaseUrl, 'keys', 'list');
    const json = await runCli(databaseUrl, 'keys', 'list', '--json');

    expect(table.stdout).toContain('  a\\u001b[2J\\u009b\\u000d\\u000ab\\u202e  ');
    expect(table.stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(JSON.parse(json.stdout)).toContainEqual(expect.objectContaining({ name: HOSTILE }));
  });
});
