// A connection to the database that breaks while the service has it, whatever for, ends nothing but that piece of work.
import { describe, expect, it } from '@jest/globals';
import { createFleet } from './support/fleet.js';
import { expectOnly, expectSound } from './support/judgement.js';
import { OwnPostgres } from './support/own-postgres.js';
import { ask } from './support/requests.js';
import { ServiceProcess } from './support/service-process.js';
import { until } from './support/until.js';

const postgres = await OwnPostgres.start();
const fleet = await createFleet(postgres.url);

/** The process's own clock for what it does once a minute: once a second. */
const HURRY = `const wait = setInterval;
  globalThis.setInterval = (work, ms, ...rest) => wait(work, ms === 60_000 ? 1_000 : ms, ...rest);`;

async function startService(): Promise<ServiceProcess> {
  return await ServiceProcess.start({
    DATABASE_URL: postgres.url,
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(HURRY)}`,
    ANSWER_TIMEOUT_MS: '60000', // so the write waits long enough for our lock
  });
}

async function writerOfKeyUse(): Promise<number | undefined> {
  const [writer] = await postgres.query<{ pid: number }>(
    `select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%update api_keys%'`,
  );
  return writer?.pid;
}

/** As the system does when memory runs out: no farewell, just a reset; all other connections are cut as well. */
async function killWriter(): Promise<void> {
  let writer: number | undefined;
  await until('the last use of the key is being written', async () => {
    writer = await writerOfKeyUse();
    return writer !== undefined;
  });
  process.kill(writer ?? 0, 'SIGKILL');
}

async function lastUse(): Promise<Date | null> {
  const [row] = await postgres.query<{ last_used_at: Date | null }>('select last_used_at from api_keys');
  return row?.last_used_at ?? null;
}

const isUpAgain = () =>
  postgres.query('select 1').then(
    () => true,
    () => false,
  );

describe('the backend that writes down the last use of keys is killed', () => {
  it('is a warning; the service goes on, and writes it down the next time', async () => {
    const service = await startService();
    const unlock = await postgres.lock('api_keys', 'share');
    expectOnly([200], [await ask(service.url, { path: '/v1/tanks', headers: fleet.headers })]);
    await postgres.cutConnections(); // so that the write has a new one, which nothing was read on before

    await killWriter();
    await unlock();
    await until('PostgreSQL has recovered', isUpAgain);
    await until('the last use is written after all', async () => (await lastUse()) !== null);

    expectOnly([200], [await ask(service.url, { path: '/v1/tanks', headers: fleet.headers })]);
    await expectSound(service);
    const warnings = (await service.logLines()).filter(({ level }) => level === 'warn');
    expect(warnings.map(({ msg }) => msg)).toContain(
      'the last use of keys could not be written down; trying again in a minute',
    );
  });
});
