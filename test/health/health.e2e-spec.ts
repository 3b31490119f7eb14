// The probes: open to everyone, JSON, and honest about the database. That ready turns 503 and back with the database is
// in errors.e2e-spec.ts.
import { describe, expect, it } from '@jest/globals';
import { startService } from '../support/app.js';
import { problem } from '../support/problems.js';

const service = await startService();
const open = service.agent();

describe.each(['/health/live', '/health/ready'])('GET %s', (path) => {
  it('says ok, without a key, and is never kept', async () => {
    const { body, headers } = await open.get(path).expect(200);

    expect(body).toStrictEqual({ status: 'ok' });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
  });

  it('does not mind a key that is none', async () => {
    expect(await service.status(path, 'garbage')).toBe(200);
  });
});

it('GET /health/ready is a 503 while the database lacks a migration, and the process is alive all the same', async () => {
  const own = await startService();
  await own.sql.query('delete from migrations where id = (select max(id) from migrations)');

  const { body } = await own.agent().get('/health/ready').expect(503);

  expect(body).toEqual(problem(503, 'database_unavailable', 'The database lacks migrations.'));
  await own.agent().get('/health/live').expect(200);
});
