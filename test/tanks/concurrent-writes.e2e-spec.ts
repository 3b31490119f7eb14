// Many writers at once, through two instances: conflicts hold, one winner for each ETag, nothing that was answered is lost.
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { SCOPES } from '../../src/common/auth/scope.js';
import { waitForLocks } from '../faults/support/own-postgres.js';
import { startService } from '../support/app.js';
import { insertFleetOf, insertTank } from '../support/builders.js';
import { NEW_TANK, outcomeOf, tagOf } from '../support/manage.js';

const first = await startService();
const { sql } = first;
const second = await startService({ database: first.database });
const key = await first.createKey({ scopes: SCOPES });
const apis = [first.agent(key), second.agent(key)] as const;
const api = apis[0];

const WRITERS = 24;

/** So many writers, half of them through each instance, all at once. */
function race(write: (one: (typeof apis)[number], n: number) => PromiseLike<Response>): Promise<Response[]> {
  return Promise.all(Array.from({ length: WRITERS }, async (_, n) => write(apis[n % 2 === 0 ? 0 : 1], n)));
}

function tally(responses: readonly Response[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const response of responses) {
    const outcome = outcomeOf(response);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

const count = async (statement: string) =>
  Number((await sql.query<{ n: string }>(`select count(*) as n ${statement}`)).rows[0]?.n);

beforeEach(() => insertFleetOf(sql, { ours: [], theirs: [] }));

describe('one device', () => {
  const SPELLINGS = [
    '0016C001F000175A',
    '0016c001f000175a',
    '00-16-c0-01-f0-00-17-5a',
    '00:16:C0:01:f0:00:17:5a',
    '0016 C001 F000 175A',
  ];

  it('is given to one of many tanks that want it, new, changed or restored, however it is written', async () => {
    for (let n = 0; n < WRITERS; n += 1) {
      if (n % 3 > 0)
        await insertTank(sql, 'ours', { id: `t${n}`, assigned_device_id: '', deleted: n % 3 === 1 });
    }
    const responses = await race((one, n) => {
      const wanted = { assigned_device_id: SPELLINGS[n % SPELLINGS.length] };
      if (n % 3 === 2) return one.patch(`/v1/tanks/t${n}`).send(wanted);
      const whole = { ...NEW_TANK, ...wanted };
      return n % 3 === 1 ? one.put(`/v1/tanks/t${n}`).send(whole) : one.post('/v1/tanks').send(whole);
    });

    expect(responses.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(tally(responses)['409 device_taken']).toBe(WRITERS - 1);
    expect(await count(`from tanks where not deleted and assigned_device_id <> ''`)).toBe(1);
  });
});

describe('one tank', () => {
  it('is changed by one of many who know it by the same ETag', async () => {
    await insertTank(sql, 'ours', { id: 't' });
    const tag = tagOf(await api.get('/v1/tanks/t'));
    const responses = await race((one, n) => {
      const name = `n${n}`;
      if (n % 3 === 0) return one.delete('/v1/tanks/t').set('If-Match', tag);
      if (n % 3 === 1) return one.patch('/v1/tanks/t').set('If-Match', tag).send({ name });
      const whole = { ...NEW_TANK, name };
      return one.put('/v1/tanks/t').set('If-Match', tag).send(whole);
    });

    expect(tally(responses)).toEqual({ '200': 1, '412 precondition_failed': WRITERS - 1 });
    const winner = responses.find(({ status }) => status === 200);
    const now = await api.get('/v1/tanks/t');
    expect([now.text, tagOf(now)]).toEqual([winner?.text, winner && tagOf(winner)]);
  });

  it('is created by one of many PUTs, the others change it or change nothing', async () => {
    const same = await race((one) => one.put('/v1/tanks/t').send(NEW_TANK));
    expect(tally(same)).toEqual({ '200': WRITERS - 1, '201': 1 });
    expect(new Set(same.map(({ text }) => text)).size).toBe(1);

    const only = await race((one) => one.put('/v1/tanks/u').set('If-None-Match', '*').send(NEW_TANK));
    expect(tally(only)).toEqual({ '201': 1, '412 precondition_failed': WRITERS - 1 });
    expect((await api.get('/v1/tanks')).body).toMatchObject({ total_items: 2 });
  });

  it('loses no change of many who each change a field of their own, and its time moves with each', async () => {
    await insertTank(sql, 'ours', { id: 't' });
    const names = ['city', 'country', 'district', 'postal_code', 'region', 'street', 'street_number'];
    const responses = await race((one, n) =>
      one.patch('/v1/tanks/t').send({ location: { [names[n % names.length] ?? '']: `v${n}` } }),
    );

    expect(tally(responses)).toEqual({ '200': WRITERS });
    const times = responses.map(({ body }) => (body as { updated_at: string }).updated_at);
    expect(new Set(times).size).toBe(WRITERS);
    const newest = responses.find(
      ({ body }) => (body as { updated_at: string }).updated_at === times.toSorted().at(-1),
    );
    expect((await api.get('/v1/tanks/t')).text).toBe(newest?.text);
    const written = Object.fromEntries(names.map((name) => [name, expect.stringMatching(/^v\d+$/)]));
    expect(newest?.body).toMatchObject({ location: written });
  });
});

it('a customer that is deleted has no live tank, whoever was first: new, moved or restored', async () => {
  for (let round = 0; round < 15; round += 1) {
    await insertFleetOf(sql, { ours: [], theirs: [] });
    await insertTank(sql, 'theirs', { id: 'moved', assigned_device_id: '' });
    await insertTank(sql, 'ours', { id: 'restored', assigned_device_id: '', deleted: true });
    const [deleted, ...tanks] = await Promise.all([
      api.delete('/v1/customers/ours'),
      apis[1].post('/v1/tanks').send(NEW_TANK),
      apis[1].patch('/v1/tanks/moved').send({ owner_id: 'ours' }),
      api.put('/v1/tanks/restored').send(NEW_TANK),
    ]);
    const refused = tanks.filter(({ status }) => status >= 300);
    expect(new Set(refused.map(outcomeOf))).toEqual(new Set(refused.map(() => '400 invalid_fields')));
    expect(outcomeOf(deleted)).toBe(refused.length < tanks.length ? '409 owns_tanks' : '200');
    const live = await count(
      `from tanks join customers owner on owner.id = owner_id where not tanks.deleted and owner.deleted`,
    );
    expect(live).toBe(0);
  }
});

const untilOneWaits = () => waitForLocks(first.database.url, 1, 'manage');

it.each(['tanks', 'customers'])(
  'who writes over HTTP while an import has the tables holds nothing that the import needs: %s',
  async (table) => {
    const id = table === 'tanks' ? 't' : 'ours';
    await insertTank(sql, 'ours', { id: 't' });
    const client = await sql.connect();
    try {
      await client.query(`begin; set local lock_timeout = '500ms'`);
      await client.query('lock table customers, tanks in share row exclusive mode');
      const patched = api
        .patch(`/v1/${table}/${id}`)
        .send({ name: 'over HTTP' })
        .then((response) => response);
      await untilOneWaits();

      await client.query(`update ${table} set name = 'import' where id = $1`, [id]);
      await client.query('commit');

      expect((await patched).body).toMatchObject({ id, name: 'over HTTP' });
    } finally {
      client.release();
    }
  },
);

it('a deadlock with somebody at the database is not noticed by the caller', async () => {
  await insertTank(sql, 'ours', { id: 't' });
  const client = await sql.connect();
  try {
    // Against the order of the service: the tank, and then its owner in a way that keeps new tanks out.
    await client.query(`begin; set local deadlock_timeout = '5s'`);
    await client.query(`select from tanks where id = 't' for update`);
    const patched = api
      .patch('/v1/tanks/t')
      .send({ name: 'changed', owner_id: 'ours' })
      .then((response) => response);
    await untilOneWaits();
    await client.query(`select from customers where id = 'ours' for update`);
    await client.query('commit');
    expect(outcomeOf(await patched)).toBe('200');
  } finally {
    client.release();
  }
});
