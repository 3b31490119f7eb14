// Whatever nothing has caught is one fatal line and exit code 1, after requests in flight had their chance.
import { expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from './support/folder.js';
import { createFleet } from './support/fleet.js';
import { expectOnly } from './support/judgement.js';
import { lockTable, waitForLocks } from './support/own-postgres.js';
import { ServiceProcess } from './support/service-process.js';
import { newDatabase } from './support/stage.js';

const database = await newDatabase();
const fleet = await createFleet(database.url);

/** A defect, on demand. */
const defect = join(await temporaryFolder(), 'defect.mjs');
await writeFile(
  defect,
  `process.on('SIGUSR2', () => { throw new Error('a defect'); });
   process.on('SIGURG', () => { void Promise.reject(new Error('a defect')); });`,
);

it.each(['SIGUSR2', 'SIGURG'] as const)(
  'an error that nothing has caught is one fatal line and exit code 1, and what was asked is answered (%s)',
  async (signal) => {
    const service = await ServiceProcess.start({
      DATABASE_URL: database.url,
      NODE_OPTIONS: `--import ${defect}`,
    });
    const unlock = await lockTable(database.url, 'tanks');
    const inFlight = service.get('/v1/tanks', fleet.key);
    await waitForLocks(database.url, 1);
    service.child.signal(signal);
    await unlock();

    expectOnly([200], [await inFlight]);
    expect(await service.child.ended).toEqual({ code: 1, signal: null });
    const fatal = (await service.logLines()).filter(({ level }) => level === 'fatal');
    expect(fatal).toEqual([
      expect.objectContaining({ err: expect.objectContaining({ message: 'a defect' }) }),
    ]);
    expect(await service.child.stderr()).toBe('');
  },
);
