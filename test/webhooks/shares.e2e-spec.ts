// One key beside another: however much one asks for at once, the other is served. Whatever must take long here waits for a lock that the
// test holds, so nothing depends on how fast the machine is.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { SCOPES } from '../../src/common/auth/scope.js';
import { until } from '../faults/support/until.js';
import { startService } from '../support/app.js';
import { aCustomer, aTank, clear, insertCustomers, insertTanks } from '../support/builders.js';

const service = await startService({
  environment: { DATABASE_POOL_SIZE: '4', ANSWER_TIMEOUT_MS: '60000' },
});
const { sql } = service;
const greedy = await service.createKey({ scopes: SCOPES });
const modest = await service.createKey({ scopes: SCOPES });

const CROWD = 20;

beforeEach(async () => {
  await clear(sql);
  await insertCustomers(sql, [aCustomer({ id: 'ours' })]);
  await insertTanks(sql, [aTank('ours', { id: 'a' }), aTank('ours', { id: 'b' })]);
});

/** Sends the same many times, and tells how many have been answered with what. */
function crowd(send: () => Promise<globalThis.Response>) {
  const statuses: number[] = [];
  const sent = Array.from({ length: CROWD }, async () => {
    const { status } = await send();
    statuses.push(status);
  });
  return { statuses, answered: Promise.all(sent) };
}

interface Asked extends Omit<RequestInit, 'headers'> {
  readonly headers?: Readonly<Record<string, string>>;
}

const ask = (key: string, path: string, { headers, ...options }: Asked = {}) =>
  fetch(`${service.url}${path}`, { ...options, headers: { 'X-API-Key': key, ...headers } });

const rename = (key: string, id: string, name: string) =>
  ask(key, `/v1/tanks/${id}`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name }),
  });

const waitingForLock = async (): Promise<number> => {
  const { rows } = await sql.query<{ n: number }>(
    `select count(*)::integer as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.n ?? 0;
};

/** Runs the work while the statement's locks are held. */
async function whileLocked(statement: string, work: () => Promise<void>): Promise<void> {
  const client = await sql.connect();
  try {
    await client.query(`begin; ${statement}`);
    await work();
  } finally {
    await client.query('rollback');
    client.release();
  }
}

describe('long reads of one key', () => {
  const CSV = { headers: { Accept: 'text/csv' } };

  it.each([
    ['pages of the feed', 'change_feed', '/v1/changes?size=1000', 1, {}],
    ['large lists', 'telemetry', '/v1/tanks/a/telemetry?size=10000', 1, CSV],
    ['series', 'telemetry', '/v1/tanks/a/telemetry/series', 2, {}],
    ['texts that are looked for', 'tank_states', '/v1/fleet/tanks?q=somewhere', 2, {}],
  ])('are few at a time: %s', async (_, table, path, few, options) => {
    let { statuses, answered } = { statuses: [] as number[], answered: Promise.resolve<void[]>([]) };
    await whileLocked(`lock table ${table} in access exclusive mode`, async () => {
      ({ statuses, answered } = crowd(() => ask(greedy, path, options)));
      await until('they wait', async () => (await waitingForLock()) >= few);
      expect((await ask(modest, '/v1/tanks/a')).status).toBe(200);
      expect([statuses, await waitingForLock()]).toEqual([[], few]);
    });
    await answered;
    expect(statuses).toEqual(Array.from({ length: CROWD }, () => 200));
  });

  it('are not held up by those who have gone', async () => {
    await whileLocked('lock table telemetry in access exclusive mode', async () => {
      const gone = new AbortController();
      const { signal } = gone;
      const { answered } = crowd(() => ask(greedy, '/v1/tanks/a/telemetry/series', { signal }));
      await until('two wait', async () => (await waitingForLock()) === 2);
      gone.abort();
      await expect(answered).rejects.toThrow('aborted');
    });
    expect((await ask(greedy, '/v1/tanks/a/telemetry/series')).status).toBe(200);
  });
});

describe('changes by one key', () => {
  it('let those of another pass', async () => {
    let [first, other] = [crowd(() => Promise.resolve(Response.json({}))), Promise.resolve({ status: 0 })];
    let [answeredBefore, n] = [Infinity, 0];
    await whileLocked(`select from tanks where id = 'a' for update`, async () => {
      first = crowd(() => rename(greedy, 'a', `n${n++}`));
      await until('its connections wait', async () => (await waitingForLock()) === 3);
      other = rename(modest, 'b', 'other').then(({ status }) => {
        answeredBefore = first.statuses.length;
        return { status };
      });
      await until('it is there', async () => (await ask(modest, '/v1/tanks/b')).status === 200);
    });
    await first.answered;
    expect((await other).status).toBe(200);
    expect(answeredBefore).toBeLessThan(CROWD / 2);
    expect(first.statuses).toEqual(Array.from({ length: CROWD }, () => 200));
  });
});
