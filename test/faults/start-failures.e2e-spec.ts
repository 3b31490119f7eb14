// A service that cannot start says why in words an operator can act on, and ends with 1.
import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { execute } from '../support/database.js';
import { OwnPostgres } from './support/own-postgres.js';
import { freePort } from './support/ports.js';
import { ServiceProcess, startInVain, type Environment } from './support/service-process.js';
import { newDatabase, stage } from './support/stage.js';

const database = await newDatabase();
const empty = await OwnPostgres.startEmpty();

const taken: Server = createServer().listen(0, '127.0.0.1');
stage.add({ stop: async () => void taken.close() });
await once(taken, 'listening');
const takenPort = String((taken.address() as AddressInfo).port);
const freeOne = String(await freePort());

/** The database's URL with something else in it. */
const at = (changes: { hostname?: string; port?: string; password?: string }): string =>
  Object.assign(new URL(database.url), changes).href;

/** The one thing it said, on either stream; a stack trace would be more than one line. */
async function lastWords(environment: Environment): Promise<string> {
  const { code, signal, stdout, stderr } = await startInVain(environment);
  expect({ code, signal, stdout }).toEqual({ code: 1, signal: null, stdout: '' });
  expect(stderr).toMatch(/^[^\n]+\n$/);
  return stderr.trimEnd();
}

describe('a service that cannot start', () => {
  it('names the port that is in use', async () => {
    const words = await lastWords({ DATABASE_URL: database.url, PORT: takenPort });
    expect(words).toBe(
      `Port ${takenPort} on 127.0.0.1 is in use. Stop what uses it, or set PORT to another one.`,
    );
  });

  it('lists everything that is wrong with its environment, and repeats no password', async () => {
    const DATABASE_URL = 'mysql://someone:very-secret@db/tanks';
    const { code, stdout, stderr } = await startInVain({ DATABASE_URL, PORT: '70000' });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n {2}- DATABASE_URL must [^\n]+\n {2}- PORT must [^\n]+\n$/);
    expect(stderr).not.toContain('very-secret');
  });

  it('names the command that brings the database up to date', async () => {
    expect(await lastWords({ DATABASE_URL: empty.url })).toMatch(
      /^The database lacks \d+ migrations?\. Run: npx tank-monitoring migrate/,
    );
  });

  it('names a function that is missing, and starts with one of another version, as after a roll-back', async () => {
    const other = await newDatabase();
    await execute(
      other.url,
      `update installed_functions set hash = 'of another version' where name = 'write_readings'`,
    );
    const service = await ServiceProcess.start({ DATABASE_URL: other.url });
    expect(await service.output()).toContain(
      'the database has functions of another version: write_readings. Run: npx',
    );
    await execute(other.url, `delete from installed_functions where name = 'telemetry_page'`);
    expect(await lastWords({ DATABASE_URL: other.url })).toMatch(
      /^The database lacks the functions telemetry_page\. Run: npx/,
    );
  });

  describe('with a database out of reach', () => {
    const refused = new RegExp(`^The database at \\S+:${freeOne} .*ECONNREFUSED`);
    const wrongPassword = /^The database at .*password authentication failed/;

    it.each([
      ['nobody listens', { port: freeOne }, refused],
      ['there is no such host', { hostname: 'nowhere.invalid' }, /database.*nowhere\.invalid/i],
      ['somebody listens who never answers', { port: takenPort }, /database/i],
      ['the password is wrong', { password: 'not-the-password' }, wrongPassword],
    ])('says so when %s, and repeats no password', async (_, changes, words) => {
      const said = await lastWords({ DATABASE_URL: at(changes) });
      expect(said).toMatch(words);
      expect(said).not.toContain('not-the-password');
    });

    it.each([
      ['port', { port: freeOne }, refused],
      ['password', { password: 'not-the-password' }, wrongPassword],
    ])('says so when it is only the one for writing, by its %s', async (_, changes, words) => {
      const said = await lastWords({ DATABASE_URL: database.url, INGEST_DATABASE_URL: at(changes) });
      expect(said).toMatch(words);
      expect(said).toMatch(/ Check INGEST_DATABASE_URL\b/);
      expect(said).not.toContain('not-the-password');
    });
  });
});
