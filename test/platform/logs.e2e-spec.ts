// One JSON line a request, which tells what happened and nothing the caller would not want kept.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { until } from '../faults/support/until.js';
import { startService } from '../support/app.js';
import { insertCustomer } from '../support/builders.js';

let lines: string[] = [];
const logger = pino({ level: 'info', base: null }, { write: (line: string) => void lines.push(line) });
const service = await startService({ logger });
await insertCustomer(service.sql, { id: 'owner', email: 'owner@example.com' });

beforeEach(() => {
  lines = [];
});

/** The line is written when the response has left, which may be after the client has it. */
async function lineOf(requestId: string): Promise<Record<string, unknown>> {
  const find = () => lines.find((text) => text.includes(`"request_id":"${requestId}"`));
  await until('it is logged', () => find() !== undefined);
  return JSON.parse(find() ?? '') as Record<string, unknown>;
}

describe('a request', () => {
  it.each([
    ['/v1/customers?email=owner@example.com', 200, '/v1/customers', undefined],
    ['/v1/customers/owner', 200, '/v1/customers/:id', undefined],
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
        ...(code === undefined ? {} : { code }),
        key: service.key.slice(0, service.key.indexOf('.')),
      });
      expect(lines).toHaveLength(1);
    },
  );

  it('leaves no trace of what was asked for, nor of the key', async () => {
    const unknown = `tms_abcdefgh.${'s'.repeat(43)}`;
    for (const [path, key] of [
      ['/v1/customers?email=owner@example.com', service.key],
      ['/v1/customers/owner', service.key],
      ['/v1/customers?colour=owner', service.key],
      ['/v1/customers/owner', unknown],
      ['/owner', unknown],
    ] as const) {
      const { headers } = await service.raw({ path }, key);
      await lineOf(String(headers['x-request-id']));
    }

    expect(lines).toHaveLength(5);
    expect(lines.join('')).not.toMatch(/owner|colour|s{9}/);
    expect(lines.join('')).not.toContain(service.key.slice(service.key.indexOf('.') + 1));
  });
});

it.each(['23505', '23503'])(
  'a change that a constraint refuses again and again (%s) is a 500 after a few tries, and the log names the constraint',
  async (code) => {
    await service.sql.query(`
      create sequence if not exists tries;
      create or replace function refuse() returns trigger language plpgsql as $$ begin
        perform nextval('tries');
        raise exception using errcode = '${code}', message = 'refused by our_rule', constraint = 'our_rule';
      end $$;
      create or replace trigger refusal before insert on customers for each row execute function refuse()`);
    const key = await service.createKey({ scopes: ['customers:write'] });

    const answer = await service.agent(key).put('/v1/customers/new').send({ name: 'n', email: 'e' });
    await service.sql.query('drop trigger refusal on customers');

    expect([answer.status, answer.body.code]).toEqual([500, 'internal_error']);
    const log = lines.map((line) => JSON.parse(line) as object);
    expect(log).toContainEqual(
      expect.objectContaining({
        request_id: answer.headers['x-request-id'],
        err: expect.objectContaining({
          code,
          constraint: 'our_rule',
          message: expect.stringContaining('our_rule'),
        }),
      }),
    );
    const { rows } = await service.sql.query("select nextval('tries') - 1 as tries");
    expect(Number(rows[0]?.tries)).toBeLessThan(20);
    await service.sql.query('drop sequence tries');
  },
);
