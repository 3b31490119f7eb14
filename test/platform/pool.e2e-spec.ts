// A connection that breaks costs what it was busy with, and never the process.
import { afterAll, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { loadConfig } from '../../src/platform/config/config.js';
import { manageOptions, openDataSource, workerPoolOptions } from '../../src/platform/database/data-source.js';
import { findPool, openPool, withClient } from '../../src/platform/database/pool.js';
import { openDatabase } from '../support/operator.js';

const { url } = await openDatabase({ max: 1 });
const config = loadConfig({ DATABASE_URL: url });
const dataSource = await openDataSource(manageOptions(url, config));
const worker = openPool(workerPoolOptions(url, config));
afterAll(() => Promise.all([worker.end(), dataSource.destroy()]));

/** By another process, for as long as which this one reads nothing. */
function terminate(pid: number): void {
  const script = `
    import { Client } from 'pg';
    const client = new Client(process.argv[1]);
    await client.connect();
    await client.query('select pg_terminate_backend($1, 10000)', [process.argv[2]]);
    await client.end();`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', script, url, String(pid)]);
}

it.each([
  ['the background work', worker],
  ['TypeORM', findPool(dataSource)],
])('a connection of %s may be handed on in the moment in which it breaks', async (_, pool) => {
  pool.options.max = 1;
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const answer = pool.query('select 1 as one');
  const next = withClient(pool, (client) => client.query('select 2 as two'));
  await new Promise<void>((asked) => process.nextTick(asked)); // the question is on its way
  terminate(rows[0]?.pid ?? 0); // its answer and the end are read together

  expect((await answer).rows).toEqual([{ one: 1 }]);
  await expect(next).rejects.toThrow(/terminat|not queryable/);
  await nextTurn();
  expect((await pool.query('select 3 as three')).rows).toEqual([{ three: 3 }]);
});
