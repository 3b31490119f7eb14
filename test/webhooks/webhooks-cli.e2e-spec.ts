// `tank-monitoring webhooks`, as operators run it: what goes to stdout and stderr, what is refused and why.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import type { DataSource } from 'typeorm';
import { Background } from '../../src/background/background.js';
import type { DeliveryRecord } from '../../src/webhooks/delivery-log.js';
import { SecretBox } from '../../src/webhooks/secrets.js';
import { until } from '../faults/support/until.js';
import {
  aCustomer,
  aTank,
  clear,
  insertCustomers,
  insertReadings,
  insertTanks,
} from '../support/builders.js';
import { startProgram, type CliResult } from '../support/cli.js';
import { createTestDatabase, openPool, type TestDatabase } from '../support/database.js';
import { endpointsOf, openOperator, type TestEndpoints } from '../support/operator.js';
import { Receiver, type Reply } from '../support/receiver.js';

const SECRET = /^whsec_[A-Za-z0-9+/]{32,}={0,2}\n$/;
const secretKey = randomBytes(32).toString('base64');

let database: TestDatabase;
let sql: Pool;
let operator: DataSource;
/** What the commands work on, for what a test needs besides its command. */
let endpoints: TestEndpoints;
let receiver: Receiver;
let reply: Reply;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = openPool(database.url, { max: 4 });
  operator = await openOperator(database.url);
  endpoints = endpointsOf(operator, new SecretBox([secretKey]));
});
afterAll(async () => {
  await operator.destroy();
  await sql.end();
  await database.drop();
});
beforeEach(async () => {
  await sql.query('delete from events; delete from webhook_endpoints; delete from tank_alerts');
  await clear(sql);
  await insertCustomers(sql, [aCustomer({ id: 'ours' })]);
  await insertTanks(sql, [aTank('ours', { id: 'tank' })]);
  reply = { status: 204 };
  receiver = await Receiver.start(() => reply);
});
afterEach(() => receiver.stop());

type Environment = Readonly<Record<string, string>>;

const closedNetwork = { WEBHOOK_SECRET_KEY: secretKey, WEBHOOK_ALLOW_PRIVATE: 'true' };

async function runWith(environment: Environment, ...args: string[]): Promise<CliResult> {
  const { result } = startProgram({ DATABASE_URL: database.url, ...environment }, 'webhooks', ...args);
  const { stderr, ...rest } = await result;
  return { ...rest, stderr: stderr.replace(/^Database: .*\n/, '') };
}

const webhooks = (...args: string[]): Promise<CliResult> => runWith(closedNetwork, ...args);

async function add(...options: string[]): Promise<{ id: string; secret: string }> {
  const { code, stdout, stderr } = await webhooks('add', receiver.url, ...options);
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: expect.stringMatching(SECRET),
    stderr: expect.stringMatching(/^[0-9a-f-]{36}\n$/),
  });
  return { id: stderr.trim(), secret: stdout.trim() };
}

/** An endpoint that is there already. */
function given(): Promise<{ id: string; secret: string }> {
  return endpoints.add({ url: receiver.url, customerId: null, types: null, description: null });
}

async function deliveries(id: string, ...options: string[]): Promise<DeliveryRecord[]> {
  return JSON.parse((await webhooks('deliveries', id, '--json', ...options)).stdout) as DeliveryRecord[];
}

/** The tank runs low, and a worker sends what is due. */
async function deliver(): Promise<void> {
  await insertReadings(sql, 'tank', [{ created_at: new Date().toISOString(), fill_percentage: 5 }]);
  await work();
}

async function work(): Promise<void> {
  const sent = receiver.received.length;
  const config = {
    webhooks: { secretKeys: [secretKey], allowPrivate: true, nameServers: [] },
    eventRetentionDays: 90,
    telemetryRetentionMonths: undefined,
  };
  const worker = new Background(sql, config, pino({ level: 'silent' }));
  worker.start();
  await until('something is sent', () => receiver.received.length > sent);
  await worker.stop();
}

function verify(secret: string): void {
  const { body, headers } = receiver.received.at(-1) ?? { body: '', headers: {} };
  new Webhook(secret).verify(body, headers as Record<string, string>);
}

describe('webhooks add', () => {
  it('prints the secret alone on stdout and the id on stderr', async () => {
    const { id, secret } = await add();

    const [endpoint] = await endpoints.list();
    expect(endpoint?.id).toBe(id);
    await deliver();
    verify(secret);
  });

  it('takes a customer, types and a description', async () => {
    await add('--customer', 'ours', '--type', 'tank.low', 'tank.low', '--description', 'the pager');

    expect(await endpoints.list()).toMatchObject([
      { customer: 'ours', types: ['tank.low'], description: 'the pager', state: 'enabled', pending: 0 },
    ]);
  });

  it.each([
    ['all zero', Buffer.alloc(32).toString('base64'), 'is an example, not random'],
    ['one repeated byte', Buffer.alloc(32, 7).toString('base64'), 'is an example, not random'],
    ['too short', randomBytes(16).toString('base64'), 'must be 32 random bytes in base64'],
  ])('refuses a key that is %s', async (_, key, reason) => {
    const result = await runWith({ WEBHOOK_SECRET_KEY: key }, 'add', 'https://example.com/hook');

    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toContain(`WEBHOOK_SECRET_KEY ${reason}`);
    expect(result.stderr).not.toContain(key);
  });

  it.each([
    ['http://example.com/hook', 'Webhooks go to https addresses only.'],
    [
      'https://10.0.0.7/hook',
      '10.0.0.7 is not a public address (WEBHOOK_ALLOW_PRIVATE=true would allow it).',
    ],
    [
      'https://2130706433/hook',
      '127.0.0.1 is not a public address (WEBHOOK_ALLOW_PRIVATE=true would allow it).',
    ],
    ['https://[::1]/hook', '::1 is not a public address (WEBHOOK_ALLOW_PRIVATE=true would allow it).'],
    [
      'https://user:pass@example.com/hook',
      'A URL must not hold a user name or password: lists would show it.',
    ],
    ['example.com', 'This is not a URL; give one such as https://example.com/hook.'],
  ])('refuses %s at once, and says why', async (url, reason) => {
    const result = await runWith({ WEBHOOK_SECRET_KEY: secretKey }, 'add', url);

    expect(result).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(reason) });
    expect(await endpoints.list()).toEqual([]);
  });

  it.each([
    [['--type', 'tank.empty'], "'tank.empty' is invalid. Allowed choices are tank.low, tank.recovered,", 2],
    [['--customer', 'nobody'], 'There is no customer with the id "nobody".', 1],
  ])('refuses %j, and says why', async (options, reason, code) => {
    const result = await webhooks('add', receiver.url, ...options);

    expect(result).toEqual({ code, stdout: '', stderr: expect.stringContaining(reason) });
    expect(await endpoints.list()).toEqual([]);
  });
});

describe('webhooks list', () => {
  it('is a table for people, without a secret', async () => {
    const { id, secret } = await given();

    const { code, stdout } = await webhooks('list');

    const [head = '', row = ''] = stdout.split('\n');
    expect(code).toBe(0);
    expect(head.split(/ {2,}/)).toEqual(
      expect.arrayContaining(['id', 'url', 'state', 'types', 'pending', 'failing since']),
    );
    expect(row.split(/ {2,}/).slice(0, 6)).toEqual([id, receiver.url, 'enabled', '-', 'all', '0']);
    expect(stdout).not.toContain(secret.slice(6));
  });

  it('is JSON for programs', async () => {
    await given();

    const { stdout } = await webhooks('list', '--json');

    expect(stdout).toBe(`${JSON.stringify(await endpoints.list(), null, 2)}\n`);
  });

  it('tells of a secret that the key does not open, which roll-secret repairs', async () => {
    const { id } = await given();
    const other = { ...closedNetwork, WEBHOOK_SECRET_KEY: randomBytes(32).toString('base64') };

    const { stdout } = await runWith(other, 'list');
    expect(stdout).toContain('waiting: WEBHOOK_SECRET_KEY does not open its secret');
    await runWith(other, 'roll-secret', id);

    expect((await runWith(other, 'list')).stdout).toContain('  enabled  ');
  });
});

describe('webhooks test', () => {
  it('sends a signed ping at once and says what came back', async () => {
    const { id, secret } = await given();

    expect(await webhooks('test', id)).toEqual({ code: 0, stdout: '', stderr: 'Answered 204.\n' });

    verify(secret);
    expect(receiver.received).toMatchObject([{ event: { type: 'ping', tank_id: null } }]);
  });

  it('exits 1 unless it got a 2xx', async () => {
    const { id } = await given();
    reply = { status: 302, headers: { Location: receiver.url } };

    const { code, stderr } = await webhooks('test', id);

    expect(code).toBe(1);
    expect(stderr).toMatch(/^Not delivered: .*302.*\.\n$/);
    expect(receiver.received).toHaveLength(1);
  });
});

describe('webhooks deliveries', () => {
  it('tells what was sent and how it was answered, the failed ones alone when asked', async () => {
    const { id } = await given();
    await deliver();
    reply = { status: 500 };
    await insertTanks(sql, [aTank('ours', { id: 'second' })]);
    await insertReadings(sql, 'second', [{ created_at: new Date().toISOString(), fill_percentage: 5 }]);
    await work();

    const sent = await deliveries(id);
    const failed = await deliveries(id, '--failed');
    const { stdout } = await webhooks('deliveries', id);

    expect(sent).toMatchObject([
      { type: 'tank.low', tank_id: 'second', status: 'pending', tries: 1, last_status: 500 },
      { type: 'tank.low', tank_id: 'tank', status: 'delivered', tries: 1, last_status: 204 },
    ]);
    expect(failed).toEqual(sent.slice(0, 1));
    expect(stdout.split('\n')[1]).toMatch(/ {2}tank\.low {2}second {2}pending {4}1 /);
  });
});

describe('webhooks deliveries of an endpoint with many', () => {
  it.each([
    ['', [], 200],
    [' with --json', ['--json'], 200],
    [' with --limit', ['--limit', '3'], 3],
    [' with --failed and --limit', ['--failed', '--limit', '2'], 2, 100],
  ])('shows the newest%s, and says how many there are', async (_, options, shown, total = 300) => {
    const { id } = await given();
    await fillWith300(id);

    const { code, stdout, stderr } = await webhooks('deliveries', id, ...options);

    expect(code).toBe(0);
    expect(stderr).toBe(`The newest ${shown} of ${total}; --limit 0 shows all.\n`);
    expect(stdout.match(/tank\.low/g)).toHaveLength(shown);
  });

  it('shows all with --limit 0, and says nothing more', async () => {
    const { id } = await given();
    await fillWith300(id);

    expect(await deliveries(id, '--limit', '0')).toHaveLength(300);
    expect(await webhooks('deliveries', id, '--limit', '300')).toMatchObject({ code: 0, stderr: '' });
    expect(await webhooks('deliveries', id, '--limit', '-1')).toMatchObject({ code: 2 });
  });
});

/** A third of them failed. */
async function fillWith300(endpoint: string): Promise<void> {
  await insertReadings(sql, 'tank', [{ created_at: new Date().toISOString(), fill_percentage: 5 }]);
  await sql.query(
    `insert into webhook_deliveries (endpoint_id, event_id, tank_id, status)
     select $1, event.id, 'tank', (array['pending', 'delivered', 'failed'])[n % 3 + 1]
     from (select id from events limit 1) event, generate_series(1, 299) n`,
    [endpoint],
  );
}

describe('webhooks replay', () => {
  it('sends the events since a time once more, with their first ids', async () => {
    const { id } = await given();
    await deliver();

    expect(await webhooks('replay', id, '--since', '1h')).toEqual({
      code: 0,
      stdout: '',
      stderr: '1 event is sent again.\n',
    });
    await work();

    const ids = receiver.received.map((one) => one.id);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe(ids[1]);
    expect((await webhooks('replay', id, '--since', '2999-01-01')).stderr).toBe('0 events are sent again.\n');
  });

  it('needs to know since when', async () => {
    const { id } = await given();

    const { code, stderr } = await webhooks('replay', id);

    expect(code).toBe(2);
    expect(stderr).toContain("required option '--since <when>' not specified");
  });
});

describe('webhooks roll-secret', () => {
  it('prints a new secret alone; both sign', async () => {
    const { id, secret } = await given();

    const { stdout, stderr } = await webhooks('roll-secret', id);
    await deliver();

    expect(stdout).toMatch(SECRET);
    expect(stderr).toBe('');
    expect(stdout.trim()).not.toBe(secret);
    verify(secret);
    verify(stdout.trim());
  });
});

describe('webhooks disable, enable and remove', () => {
  it('say what they did, and list shows it', async () => {
    const { id } = await given();

    expect((await webhooks('disable', id)).stderr).toBe(`${id} is disabled.\n`);
    expect(await endpoints.list()).toMatchObject([{ state: 'disabled: the operator disabled it' }]);
    expect((await webhooks('enable', id)).stderr).toBe(`${id} is enabled.\n`);
    expect(await endpoints.list()).toMatchObject([{ state: 'enabled' }]);
    expect((await webhooks('remove', id, '--yes')).stderr).toBe(
      `This removes the webhook to ${receiver.url}, with 0 pending deliveries.\n${id} is removed.\n`,
    );
    expect(await endpoints.list()).toEqual([]);
  });
});

describe('every command', () => {
  const ofOne = ['remove', 'enable', 'disable', 'roll-secret', 'test', 'deliveries'].map((name) => [
    name,
    'x',
  ]);

  it.each([...ofOne, ['replay', 'x', '--since', '1h']])(
    'knows no webhook of another id: %s',
    async (...args) => {
      expect(await webhooks(...args)).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('There is no webhook with the id "x"; "webhooks list" shows them.'),
      });
    },
  );

  it.each([['add', 'https://example.com/hook'], ['list'], ...ofOne, ['replay', 'x', '--since', '1h']])(
    'is off without WEBHOOK_SECRET_KEY, and says how to turn it on: %s',
    async (...args) => {
      expect(await runWith({}, ...args)).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(
          'Webhooks are off: set WEBHOOK_SECRET_KEY, here and for the service, to 32 random bytes in base64 (openssl rand -base64 32).',
        ),
      });
    },
  );
});

describe('webhooks resume', () => {
  it('delivers from a restored copy, once the operator says so', async () => {
    const { secret } = await given();
    await insertReadings(sql, 'tank', [{ created_at: new Date().toISOString(), fill_percentage: 5 }]);
    await sql.query(`update webhook_endpoints set made_in = 'another database'`);
    expect((await webhooks('list')).stdout).toContain('waiting: this database was restored');

    expect(await webhooks('resume')).toEqual({
      code: 0,
      stdout: '',
      stderr: '1 webhook resumed; 1 pending event sent, perhaps for the second time.\n',
    });
    expect(await endpoints.list()).toMatchObject([{ state: 'enabled', pending: 1 }]);
    await work();
    verify(secret);
  });

  it('can leave out what was pending', async () => {
    await given();
    await insertReadings(sql, 'tank', [{ created_at: new Date().toISOString(), fill_percentage: 5 }]);
    await sql.query(`update webhook_endpoints set made_in = 'another database'`);

    const { stderr } = await webhooks('resume', '--discard');

    expect(stderr).toBe('1 webhook resumed; 1 pending event discarded.\n');
    expect(await endpoints.list()).toMatchObject([{ state: 'enabled', pending: 0 }]);
  });
});

describe('webhooks reencrypt', () => {
  const nextKey = randomBytes(32).toString('base64');
  const withNext = { ...closedNetwork, WEBHOOK_SECRET_KEY: nextKey };
  const withBoth = { ...closedNetwork, WEBHOOK_SECRET_KEY: `${nextKey},${secretKey}` };

  it('lets a new key take over from the old one, while both secrets of a rolled webhook go on signing', async () => {
    const { id } = await given();
    await endpoints.rollSecret(id);
    expect((await runWith(withNext, 'list')).stdout).toContain('does not open its secret');
    expect((await runWith(withBoth, 'list')).stdout).toContain('enabled');

    expect(await runWith(withBoth, 'reencrypt')).toEqual({
      code: 0,
      stdout: '',
      stderr: '1 secret encrypted with the first key.\n',
    });

    expect(await runWith(withNext, 'test', id)).toMatchObject({ code: 0 });
    const signatures = String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ');
    expect(signatures).toHaveLength(2);
    expect((await webhooks('list')).stdout).toContain('does not open its secret');
  });

  it('says which secrets no key opens', async () => {
    const { id } = await given();

    const result = await runWith(withNext, 'reencrypt');

    expect(result.code).toBe(1);
    expect(result.stderr).toContain(`No key decrypts ${id}`);
  });
});
