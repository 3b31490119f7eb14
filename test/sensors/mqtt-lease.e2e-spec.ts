// The lease of whoever takes the messages of a broker.
import { expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Pool } from 'pg';
import { Lease } from '../../src/sensors/mqtt/lease.js';
import { startService } from '../support/app.js';

const { sql } = await startService();

it('is not taken again by a renewal that reaches the database late, when it was released', async () => {
  const held: (() => void)[] = [];
  const sent: string[] = [];
  const late = {
    query: async (text: string, values: unknown[]) => {
      sent.push(text);
      if (sent.length === 2) await new Promise<void>((arrive) => held.push(arrive));
      return sql.query(text, values);
    },
  } as Pick<Pool, 'query'>;
  const lease = new Lease(late);
  await lease.take();

  const renewed = lease.take();
  const released = lease.release();
  await nextTurn();
  expect(sent).toHaveLength(2); // it has not been released before the renewal
  held[0]?.();
  await Promise.all([renewed, released]);

  expect(lease.isHeld).toBe(false);
  expect((await sql.query('select holder from mqtt_lease')).rows).toEqual([{ holder: null }]);
});
