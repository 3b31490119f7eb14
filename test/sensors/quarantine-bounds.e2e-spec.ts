// How much the quarantine of uplinks keeps, and what of it.
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { until } from '../faults/support/until.js';
import { startService } from '../support/app.js';
import { quarantine } from '../support/uplinks.js';
import { startWorker } from '../support/worker.js';

const { sql } = await startService();

beforeEach(() => sql.query('truncate quarantined_uplinks'));

const dropped = async (on: Pick<Pool, 'query'> = sql) =>
  (await on.query<{ n: number }>('select drop_old_uplinks(100000) as n')).rows[0]?.n;

const kept = async (on: Pick<Pool, 'query'> = sql) =>
  (await on.query<{ n: number }>('select count(*)::integer as n from quarantined_uplinks')).rows[0]?.n;

const keptBy = async (on: Pick<Pool, 'query'> = sql) => {
  const { rows } = await on.query<{ customer: string; n: number }>(
    `select coalesce(customer_id, 'none') as customer, count(*)::integer as n from quarantined_uplinks group by 1`,
  );
  return Object.fromEntries(rows.map(({ customer, n }) => [customer, n]));
};

describe('its bounds', () => {
  it('are 30 days', async () => {
    await quarantine(sql, 1, 2, '30 days 1 minute');
    await quarantine(sql, 2, 1, '29 days 23 hours');

    expect([await dropped(), await kept()]).toEqual([2, 2]);
  });

  it('are 1,000 a device and customer, of which the newest stay', async () => {
    await quarantine(sql, 1, 1003);
    await sql.query(
      `insert into quarantined_uplinks select id || 'x', created_at, source, 'ours', device_id, sent_at, reason, payload
       from quarantined_uplinks`,
    );
    const { rows } = await sql.query<{ id: string }>(
      'select id from quarantined_uplinks where customer_id is null order by id limit 3',
    );

    expect([await dropped(), await kept()]).toEqual([6, 2000]);
    const gone = rows.map(({ id }) => id);
    expect((await sql.query('select from quarantined_uplinks where id = any ($1)', [gone])).rowCount).toBe(0);
  });

  it('are 10,000 a customer, and of those that no customer has, of what their devices leave', async () => {
    await quarantine(sql, 11, 950, '1 hour');
    await quarantine(sql, 1, 10_500, '1 hour', 'ours');
    await quarantine(sql, 11, 900, '2 hours', 'ours'); // one of them is the same device
    await quarantine(sql, 2, 900, '2 hours', 'theirs');

    expect([await dropped(), await keptBy()]).toEqual([
      450 + 10_400,
      { ours: 10_000, none: 10_000, theirs: 1_800 },
    ]);
  });

  it('are 100,000 in all, and whoever has the most gives, also while the planner takes the table for empty', async () => {
    const client = await sql.connect();
    await client.query('begin');
    for (let n = 0; n < 10; n += 1) await quarantine(client, 10, 990, '1 hour', `many ${n}`);
    await quarantine(client, 2, 600, '2 hours', 'few');
    await sql.query('vacuum analyze quarantined_uplinks');
    await client.query('commit');
    client.release();

    expect([await dropped(), await kept()]).toEqual([200, 100_000]);
    const { few, ...many } = await keptBy();
    expect([few, new Set(Object.values(many))]).toEqual([1_200, new Set([9_880])]);
  });

  it('are 100 MiB a customer, and 1 GiB in all, of which the one with the most gives', async () => {
    const client = await sql.connect();
    try {
      // Each counts as one of 256 KiB; to write a gigabyte would take the better part of a minute.
      await client.query('begin');
      await client.query('alter table quarantined_uplinks alter bytes drop expression');
      await client.query('alter table quarantined_uplinks alter bytes set default 262144');
      for (let n = 0; n < 11; n += 1) await quarantine(client, 1, 410, '1 hour', `many ${n}`);
      await quarantine(client, 1, 21, '2 hours', 'few');

      expect([await dropped(client), await kept(client)]).toEqual([11 * 410 + 21 - 4096, 4096]);
      const { few, ...many } = await keptBy(client);
      expect([few, new Set(Object.values(many))]).toEqual([21, new Set([370, 371])]);

      await client.query(`delete from quarantined_uplinks where customer_id <> 'few'`);
      await quarantine(client, 1, 410, '1 hour', 'ours');
      expect([await dropped(client), await keptBy(client)]).toEqual([10, { few: 21, ours: 400 }]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it('are kept by the background work, which counts what it drops', async () => {
    await quarantine(sql, 1, 1005);
    let counted = 0;
    const background = startWorker(sql, '', undefined, undefined, {
      count: (name, _, n) => void (counted += name === 'uplinks_dropped_total' ? (n ?? 1) : 0),
      countDelivery: () => undefined,
    });
    await until('they are dropped', async () => (await kept()) === 1000);
    await background.stop();

    expect(counted).toBe(5);
  });
});
