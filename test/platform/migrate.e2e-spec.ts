// `migrate` beside those who write: it takes its locks in their order, so that neither waits for the other in a circle.
import { expect, it } from '@jest/globals';
import { copyTemplate, openPool } from '../support/database.js';
import { waitForLocks } from '../faults/support/own-postgres.js';
import { migrateTo, NEXT } from './next-version.js';

it('holds nothing that a writer takes later while it waits for what the writer has', async () => {
  const database = await copyTemplate();
  const sql = openPool(database.url);
  const writer = await sql.connect();
  await writer.query('begin; lock table tanks in row exclusive mode');
  const migrated = migrateTo(database.url, NEXT);
  await waitForLocks(database.url, 1, 'cli');

  const later = [
    'customers',
    'sensor_profiles',
    'tank_sensors',
    'telemetry',
    'telemetry_counts',
    'tank_states',
  ];
  await writer.query(`lock table ${later.join()} in row exclusive mode nowait`);
  await writer.query('commit');

  expect((await migrated).migrations).toEqual(['Colours9000000000000']);
  writer.release();
  await sql.end();
  await database.drop();
});
