// Everything a spec starts, in one place, so that all of it is stopped however the spec ends. What this folder starts adds itself.
import { afterAll } from '@jest/globals';
import type { Pool, PoolConfig } from 'pg';
import { openPool, type TestDatabase } from '../../support/database.js';
import { createTestDatabase } from '../../support/test-database.js';

interface Stoppable {
  stop(): unknown;
}

export class Stage {
  private readonly things: Stoppable[] = [];

  /** Hands the thing back, to be stopped at the end, or by itself before. */
  add<Thing extends Stoppable>(thing: Thing): Thing {
    this.things.push(thing);
    return thing;
  }

  /** Last in, first out: a service goes before its database. One that fails to stop does not save the others. */
  async clear(): Promise<void> {
    const failures: unknown[] = [];
    for (const thing of this.things.splice(0).toReversed()) {
      try {
        await thing.stop();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be stopped.');
  }
}

/** Of this spec: each has modules of its own. */
export const stage = new Stage();
afterAll(() => stage.clear());

/** For a spec's own statements. */
export function openSql(url: string, config: PoolConfig = { max: 1 }): Pool {
  const sql = openPool(url, config);
  stage.add({ stop: () => sql.end() });
  return sql;
}

/** Migrated, on the server of all specs. */
export async function newDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  stage.add({ stop: () => database.drop() });
  return database;
}
