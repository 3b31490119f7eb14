// `tank-monitoring webhooks`, as operators run it: what goes to stdout and stderr, what is refused and why.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { SecretBox } from '../../src/webhooks/secrets.js';
import type { SentDelivery } from '../../src/webhooks/webhook-deliveries.service.js';
import { until } from '../faults/support/until.js';
import { insertFleetOf, insertReadings } from '../support/builders.js';
import { runProgram, withoutDatabase, type CliResult } from '../support/cli.js';
import { endpointsOf, openDatabase } from '../support/operator.js';
import { isSignedWith, Receiver, type Reply } from '../support/receiver.js';
import { startWorker } from '../support/worker.js';

const SECRET = /^whsec_[A-Za-z0-9+/]{32,}={0,2}\n$/;
const secretKey = randomBytes(32).toString('base64');

const { url: databaseUrl, sql, operator } = await openDatabase();
/** What the commands work on, for what a test needs besides its command. */
const endpoints = endpointsOf(operator, new SecretBox([secretKey]));
let receiver: Receiver;
let reply: Reply;

beforeEach(async () => {
  await sql.query('delete from events; delete from webhook_endpoints; delete from tank_alerts');
  await insertFleetOf(sql, { ours: ['tank', 'second'] });
  reply = { status: 204 };
  receiver = await Receiver.start(() => reply);
});
afterEach(() => receiver.stop());

type Environment = Readonly<Record<string, string>>;

const closedNetwork = { WEBHOOK_SECRET_KEY: secretKey, WEBHOOK_ALLOW_PRIVATE: 'true' };

async function runWith(environment: Environment, ...args: string[]): Promise<CliResult> {
  return withoutDatabase(
    await runProgram({ DATABASE_URL: databaseUrl, ...environment }, '', 'webhooks', ...args),
  );
}

const webhooks = (...args: string[]): Promise<CliResult> => runWith(closedNetwork, ...args);

/** An endpoint that is there already. */
function given(): Promise<{ id: string; secret: string }> {
  return endpoints.add({ url: receiver.url, customerId: null, types: null, description: null });
}

const runLow = (tank = 'tank') =>
  insertReadings(sql, tank, [{ created_at: new Date().toISOString(), fill_percentage: 5 }]);

/** What is due. */
async function sendByWorker(): Promise<void> {
  const sent = receiver.received.length;
  const worker = startWorker(sql, secretKey);
  await until('something is sent', () => receiver.received.length > sent);
  await worker.stop();
}

const signs = (secret: string): boolean => isSignedWith(secret, receiver.received.at(-1));

describe('webhooks add', () => {
  it('prints the secret alone on stdout and the id on stderr; takes a customer, types and a description', async () => {
    const options = ['--customer', 'ours', '--type', 'tank.low', 'tank.low', '--description', 'the pager'];
    const { code, stdout, stderr } = await webhooks('add', receiver.url, ...options);

    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(SECRET) });
    expect(await endpoints.list()).toMatchObject([
      {
        id: stderr.trimEnd(),
        customer: 'ours',
        types: ['tank.low'],
        description: 'the pager',
        state: 'enabled',
        pending: 0,
      },
    ]);
    await runLow();
    await sendByWorker();
    expect(signs(stdout.trim())).toBe(true);
  });

  it('refuses a key that is an example', async () => {
    const key = Buffer.alloc(32).toString('base64');
    const result = await runWith({ WEBHOOK_SECRET_KEY: key }, 'add', 'https://example.com/hook');

    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toContain('WEBHOOK_SECRET_KEY is an example, not random');
    expect(result.stderr).not.toContain(key);
  });
});

it('webhooks list is a table for people and JSON for programs, without a secret', async () => {
  const { id, secret } = await given();

  const { code, stdout } = await webhooks('list');

  const [head = '', row = ''] = stdout.split('\n');
  const columns = ['id', 'url', 'state', 'types', 'pending', 'failing since'];
  expect([code, head.split(/ {2,}/)]).toEqual([0, expect.arrayContaining(columns)]);
  expect(row.split(/ {2,}/).slice(0, 6)).toEqual([id, receiver.url, 'enabled', '-', 'all', '0']);
  expect(stdout).not.toContain(secret.slice(6));
  const json = await webhooks('list', '--json');
  expect(json.stdout).toBe(`${JSON.stringify(await endpoints.list(), null, 2)}\n`);
});

it('webhooks test sends a signed ping at once and says what came back', async () => {
  const { id, secret } = await given();

  expect(await webhooks('test', id)).toEqual({ code: 0, stdout: '', stderr: 'Answered 204.\n' });

  expect(signs(secret)).toBe(true);
  expect(receiver.received).toMatchObject([{ event: { type: 'ping', tank_id: null } }]);
});

it('webhooks deliveries tells what was sent and how it was answered, the failed ones alone when asked', async () => {
  const { id } = await given();
  const deliveries = async (...options: string[]) =>
    JSON.parse((await webhooks('deliveries', id, '--json', ...options)).stdout) as SentDelivery[];
  await runLow();
  await sendByWorker();
  reply = { status: 500 };
  await runLow('second');
  await sendByWorker();

  const sent = await deliveries();
  const { stdout } = await webhooks('deliveries', id);

  expect(sent).toMatchObject([
    { type: 'tank.low', tank_id: 'second', status: 'pending', tries: 1, last_status: 500 },
    { type: 'tank.low', tank_id: 'tank', status: 'delivered', tries: 1, last_status: 204 },
  ]);
  expect(await deliveries('--failed')).toEqual(sent.slice(0, 1));
  expect(stdout.split('\n')[1]).toMatch(/ {2}tank\.low {2}second {2}pending {4}1 /);
});

it('webhooks replay sends the events since a time once more, with their first ids', async () => {
  const { id } = await given();
  await runLow();
  await sendByWorker();

  expect(await webhooks('replay', id, '--since', '1h')).toEqual({
    code: 0,
    stdout: '',
    stderr: '1 event is sent again.\n',
  });
  await sendByWorker();

  const ids = receiver.received.map((one) => one.id);
  expect(ids).toEqual([ids[0], ids[0]]);
  expect((await webhooks('replay', id, '--since', '2999-01-01')).stderr).toBe('0 events are sent again.\n');
  expect(await webhooks('replay', id)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("required option '--since <when>' not specified"),
  });
});

it('webhooks disable, enable and remove say what they did, and list shows it', async () => {
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

describe('every command', () => {
  const ofOne = [
    ...['remove', 'enable', 'disable', 'roll-secret', 'test', 'deliveries'].map((name) => [name, 'x']),
    ['replay', 'x', '--since', '1h'],
  ];

  it.each([
    ['knows no webhook of another id', closedNetwork, 'There is no webhook with the id "x"; ', ofOne],
    [
      'is off without WEBHOOK_SECRET_KEY, and says how to turn it on',
      {},
      'Webhooks are off: set WEBHOOK_SECRET_KEY, here and for the service, to 32 random bytes in base64 (openssl rand -base64 32).',
      [['add', 'https://example.com/hook'], ['list'], ...ofOne],
    ],
  ])('%s', async (_, environment, reason, commands) => {
    for (const args of commands)
      expect([args, await runWith(environment, ...args)]).toEqual([
        args,
        { code: 1, stdout: '', stderr: expect.stringContaining(reason) },
      ]);
  });
});

it('webhooks reencrypt lets a new key take over, while both secrets of a rolled webhook go on signing', async () => {
  const nextKey = randomBytes(32).toString('base64');
  const withNext = { ...closedNetwork, WEBHOOK_SECRET_KEY: nextKey };
  const withBoth = { ...closedNetwork, WEBHOOK_SECRET_KEY: `${nextKey},${secretKey}` };
  const { id } = await given();
  await endpoints.rollSecret(id);
  expect((await runWith(withNext, 'list')).stdout).toContain('does not open its secret');
  expect((await runWith(withBoth, 'list')).stdout).toContain('enabled');

  const stderr = '1 secret encrypted with the first key.\n';
  expect(await runWith(withBoth, 'reencrypt')).toEqual({ code: 0, stdout: '', stderr });

  expect(await runWith(withNext, 'test', id)).toMatchObject({ code: 0 });
  const signatures = String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ');
  expect(signatures).toHaveLength(2);
  expect((await webhooks('list')).stdout).toContain('does not open its secret');
});
