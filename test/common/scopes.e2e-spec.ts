// Scopes: what a key may do, who is told which one is missing, and how operators give them.
import { afterEach, describe, expect, it } from '@jest/globals';
import { NEEDED_SCOPE } from '../../src/common/auth/caller.js';
import { SCOPES, type Scope } from '../../src/common/auth/scope.js';
import { TanksController } from '../../src/tanks/tanks.controller.js';
import { startService } from '../support/app.js';
import { insertCustomer } from '../support/builders.js';
import { runCli } from '../support/cli.js';
import { operationsOf, requestTo, scopeOf } from '../support/operations.js';
import { problem } from '../support/problems.js';

const service = await startService();
const { sql, database } = service;

const OPERATIONS = operationsOf(service.document, '1').map((operation) => ({
  name: `${operation.method} ${operation.template}`,
  request: requestTo(operation),
  needed: scopeOf(operation),
}));
/** What a key needs that may do one kind of thing only. */
const NEEDED = Object.fromEntries(OPERATIONS.map(({ name, needed }) => [name, needed ?? 'any key']));

const prefixOf = (key: string) => key.slice(0, key.indexOf('.'));

function expectedScope(name: string): string {
  if (name === 'GET /v1/key' || name === 'GET /v1/me') return 'any key';
  if (/ \/v1\/(keys|users|recipients)/.test(name)) return /keys|users|recipients/.exec(name)?.[0] ?? '';
  if (name === 'GET /v1/activity') return 'activity';
  if (name.includes('/v1/webhook_endpoints')) return 'webhooks';
  if (name.startsWith('GET ') || name === 'POST /v1/runs/suggest') return 'read';
  if (name === 'DELETE /v1/tanks/{id}/telemetry') return 'telemetry:write';
  const kind = / \/v1\/(\w+)/.exec(name)?.[1] ?? '';
  return `${{ uplinks: 'telemetry', sensor_profiles: 'tanks', sources: 'tanks' }[kind] ?? kind}:write`;
}

async function storedScopes(key: string): Promise<Scope[] | undefined> {
  const { rows } = await sql.query<{ scopes: Scope[] }>('select scopes from api_keys where prefix = $1', [
    prefixOf(key),
  ]);
  return rows[0]?.scopes;
}

describe('a key without the scope of an operation', () => {
  it('is each one that writes, and each that reads', () => {
    for (const [name, needed] of Object.entries(NEEDED)) {
      expect([name, needed]).toEqual([name, expectedScope(name)]);
    }
  });

  it.each(OPERATIONS.filter(({ needed }) => needed !== undefined))(
    'is refused and told which one it lacks: $name',
    async ({ request, needed }) => {
      const others = SCOPES.filter((scope) => scope !== needed);
      const key = await service.createKey({ scopes: others });

      const { status, text } = await service.raw(request, key);

      expect(status).toBe(403);
      const detail = `This needs a key with the scope ${needed}; yours has ${others.join(', ')}. Ask your operator for one.`;
      expect(JSON.parse(text)).toEqual(problem(403, 'insufficient_scope', detail));
      if (request.method !== 'GET') return;
      expect((await service.raw({ ...request, method: 'HEAD' }, key)).status).toBe(403);
    },
  );

  it('still hears of an unknown address, an unknown method, and what is allowed', async () => {
    const writer = await service.createKey({ scopes: ['telemetry:write'] });
    const status = async (method: string, path: string) =>
      (await service.raw({ method, path }, writer)).status;

    expect(await status('GET', '/v1/nothing')).toBe(404);
    expect(await status('DELETE', '/v1/tanks')).toBe(405);
    expect(await status('DELETE', '/v1/tanks/1')).toBe(403);
    expect(await status('OPTIONS', '/v1/tanks')).toBe(204);
  });
});

it('a key that may write and not read sees what it wrote, also when it changes nothing: docs/api.md says so', async () => {
  await insertCustomer(sql, { id: 'written', email: 'office@example.com' });
  const shown: unknown = (await service.api.get('/v1/customers/written').expect(200)).body;
  const writer = service.agent(await service.createKey({ scopes: ['customers:write'] }));

  await writer.get('/v1/customers/written').expect(403);
  const { body } = await writer.patch('/v1/customers/written').send({}).expect(200);

  expect(body).toEqual(shown);
});

describe('a route that does not say which scope it needs', () => {
  afterEach(() => Reflect.defineMetadata(NEEDED_SCOPE, ['read'], TanksController));

  it('lets no key in', async () => {
    Reflect.deleteMetadata(NEEDED_SCOPE, TanksController);
    const forgetful = await startService();
    const everything = await forgetful.createKey({ scopes: SCOPES });

    const { status, text } = await forgetful.raw({ path: '/v1/tanks' }, everything);

    expect(status).toBe(403);
    expect(JSON.parse(text)).toEqual(problem(403, 'insufficient_scope', 'No key may call this address.'));
    expect(await forgetful.status('/v1/customers', everything)).toBe(200);
  });
});

async function create(...options: string[]): Promise<{ code: number | null; key: string; stderr: string }> {
  const command = ['keys', 'create', '--name', 'test', ...options];
  const { code, stdout, stderr } = await runCli(database.url, ...command);
  return { code, key: stdout.trim(), stderr };
}

describe('the command line', () => {
  it.each([
    [[], ['read']],
    [
      ['--scope', 'read', '--scope', 'telemetry:write', '--scope', 'read'],
      ['read', 'telemetry:write'],
    ],
  ])('creates a key with %j that has %j', async (options, scopes) => {
    const { code, key } = await create(...options);

    expect(code).toBe(0);
    expect(await storedScopes(key)).toEqual(scopes);
  });

  it('refuses a scope that does not exist, and names those that do', async () => {
    const { code, key, stderr } = await create('--scope', 'write');

    expect({ code, key }).toEqual({ code: 2, key: '' });
    expect(stderr).toContain(`Allowed choices are ${SCOPES.join(', ')}.`);
  });
});

it('INGEST=off leaves out every operation that writes, and nothing else', async () => {
  const readOnly = await startService({ database, environment: { INGEST: 'off' } });
  const all = await readOnly.createKey({ scopes: SCOPES });
  const [reads, writes] = [true, false].map((isRead) =>
    OPERATIONS.filter(({ name, needed }) => (name.startsWith('GET ') || needed === 'read') === isRead),
  );
  const left = operationsOf(readOnly.document, '1').map(({ method, template }) => `${method} ${template}`);
  expect(new Set(left)).toEqual(new Set(reads?.map(({ name }) => name)));
  const other = await readOnly.createKey({ scopes: ['activity'] });
  for (const { name, request } of writes ?? []) {
    for (const key of [all, other]) {
      const { status } = await readOnly.raw(request, key); // what is not there needs no scope
      expect([name, status === 405 || status === 404]).toEqual([name, true]);
    }
  }
  expect(await readOnly.status('/v1/tanks', all)).toBe(200);
  expect(await readOnly.status('/v1/uplinks/retry', all)).toBe(404); // not a 405 that offers GET
  // What is open to anybody with INGEST=on.
  const headers = [['WebHook-Request-Origin', 'grid']] as const;
  expect(await readOnly.status('/mail/confirm/x', null)).toBe(401);
  const handshake = { method: 'OPTIONS', path: '/v1/uplinks/sources/loriot', headers };
  expect((await readOnly.raw(handshake, null)).status).toBe(401);
});
