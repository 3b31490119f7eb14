// How a read reaches PostgreSQL: on the pool of TypeORM's data source, as a statement that is prepared once per connection.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Connection, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { loadConfig } from '../src/config/config.js';
import { openDataSource, serviceOptions } from '../src/database/data-source.js';
import { poolOf } from '../src/database/pool.js';
import { Reads } from '../src/database/reads.js';
import { createTestDatabase } from './support/database.js';

const database = await createTestDatabase();
const config = loadConfig({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: '1' });
let dataSource: DataSource;
let reads: Reads;
beforeAll(async () => {
  dataSource = await openDataSource(serviceOptions(database.url, config));
  reads = new Reads(poolOf(dataSource), config.limits.maxWaitingRequests);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const ADD = { name: 'add', text: 'select $1::int + 1 as sum, $2::text as word' };
const PREPARED = { name: 'prepared', text: 'select name from pg_prepared_statements order by name' };

describe('a read', () => {
  it("runs on the connections of TypeORM's pool, prepared under its name", async () => {
    expect(await reads.rows(ADD, [1, 'a'])).toEqual([{ sum: 2, word: 'a' }]);
    expect(await reads.rows(ADD, [2, null])).toEqual([{ sum: 3, word: null }]);

    expect(await reads.rows(PREPARED, [])).toEqual([{ name: 'add' }, { name: 'prepared' }]);
    expect(poolOf(dataSource).totalCount).toBe(1);
  });

  it('asks what its columns are when it is prepared, and never again', async () => {
    const client = (await poolOf(dataSource).connect()) as PoolClient & { readonly connection: Connection };
    let asked = 0;
    const describeAsBefore = client.connection.describe.bind(client.connection);
    client.connection.describe = (...about: Parameters<Connection['describe']>) => {
      asked++;
      describeAsBefore(...about);
    };
    client.release();

    const once = { name: 'once', text: 'select $1::text as word' };
    for (const word of ['a', 'b', 'c']) expect(await reads.rows(once, [word])).toEqual([{ word }]);
    expect(asked).toBe(1);
  });
});
