// One JSON line a request, which tells what happened and nothing the caller would not want kept.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { until } from '../faults/support/until.js';
import { startService } from '../support/app.js';
import { insertCustomer } from '../support/builders.js';

let lines: string[] = [];
const logger = pino({ level: 'info', base: null }, { write: (line: string) => void lines.push(line) });
const service = await startService({ logger });
await insertCustomer(service.sql, { id: 'ada', email: 'ada@example.com' });

beforeEach(() => {
  lines = [];
});

/** The line is written when the response has left, which may be after the client has it. */
async function lineOf(requestId: string): Promise<Record<string, unknown>> {
  for (;;) {
    const line = lines.find((text) => text.includes(`"request_id":"${requestId}"`));
    if (line !== undefined) return JSON.parse(line) as Record<string, unknown>;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('a request', () => {
  it.each([
    ['/v1/customers?email=ada@example.com', 200, '/v1/customers', undefined],
    ['/v1/customers/ada', 200, '/v1/customers/:id', undefined],
    ['/v1/customers/nobody', 404, '/v1/customers/:id', 'not_found'],
    ['/v1/tanks/secret-id/telemetry?page=0', 400, '/v1/tanks/:id/telemetry', 'invalid_parameters'],
    ['/nowhere/secret-id', 404, 'unmatched', 'not_found'],
    ['/%zz', 400, 'unmatched', 'malformed_url'],
  ])(
    'for %s leaves one line with its status, its route, its key and its problem',
    async (path, status, route, code) => {
      const { headers } = await service.raw({ path });

      expect(await lineOf(String(headers['x-request-id']))).toEqual({
        level: expect.anything(),
        time: expect.anything(),
        request_id: headers['x-request-id'],
        method: 'GET',
        route,
        status,
        duration_ms: expect.any(Number),
        database_ms: expect.any(Number),
        ...(code === undefined ? {} : { code }),
        key: service.key.slice(0, service.key.indexOf('.')),
      });
      expect(lines).toHaveLength(1);
    },
  );

  it.each([
    ['/v1/customers/ada', 1],
    ['/v1/changes?after=latest', 1],
    ['/v1/changes', 1],
    ['/v1/fleet/tanks?q=ada', 1],
    ['/health/live', 0],
  ])('for %s tells its time in the database, and not that of others', async (path, least) => {
    const tanks = Array.from({ length: 20 }, () => service.raw({ path: '/v1/tanks' }));
    const { headers } = await service.raw({ path });
    await Promise.all(tanks);

    const { database_ms, duration_ms } = await lineOf(String(headers['x-request-id']));
    expect(Number(database_ms) > 0).toBe(least > 0);
    expect(database_ms).toBeLessThanOrEqual(Number(duration_ms));
  });

  it('that waits for a lock tells so', async () => {
    const client = await service.sql.connect();
    await client.query('begin; lock table customers');
    const asked = service.raw({ path: '/v1/customers/ada' });
    await until('it waits', async () => {
      const { rows } = await client.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      return (rows[0]?.n ?? 0) > 0;
    });
    const waited = performance.now();
    await until('some time has passed', () => performance.now() > waited + 50);
    await client.query('commit');
    client.release();

    const { headers } = await asked;
    expect((await lineOf(String(headers['x-request-id'])))['database_ms']).toBeGreaterThan(50);
  });

  it('leaves no trace of what was asked for, nor of the key', async () => {
    const unknown = `tms_abcdefgh.${'s'.repeat(43)}`;
    for (const [path, key] of [
      ['/v1/customers?email=ada@example.com', service.key],
      ['/v1/customers/ada', service.key],
      ['/v1/customers?colour=ada', service.key],
      ['/v1/customers/ada', unknown],
      ['/ada', unknown],
    ] as const) {
      const { headers } = await service.raw({ path }, key);
      await lineOf(String(headers['x-request-id']));
    }

    expect(lines).toHaveLength(5);
    expect(lines.join('')).not.toMatch(/ada|colour|sss/);
    expect(lines.join('')).not.toContain(service.key.slice(service.key.indexOf('.') + 1));
  });
});

it('a defect is logged with its cause under the id of its request', async () => {
  await service.sql.query('alter function tanks_locate rename to tanks_hidden');
  await service.api.get('/v1/tanks').set('X-Request-Id', 'broken').expect(500);

  const { code, err } = (await lineOf('broken')) as { code: string; err: { message: string } };
  expect(code).toBe('internal_error');
  expect(err.message).toContain('tanks_locate');
});
