// Connections by TypeORM's query runners, the documented way to one, instead of from the pool of its driver.
import * as pool from '../../build/database/pool.js';

export const { PRIMARY_POOL, takeClient, withClient } = pool;

export function poolOf(dataSource) {
  const counted = pool.poolOf(dataSource);
  const connect = (taken) => {
    const runner = dataSource.createQueryRunner('slave');
    runner.connect().then(
      (client) =>
        taken(undefined, client, (failure) => (failure ? client.release(failure) : runner.release())),
      (error) => taken(error),
    );
  };
  return Object.create(counted, { connect: { value: connect } });
}
