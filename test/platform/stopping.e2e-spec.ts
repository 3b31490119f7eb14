// What SIGTERM must not cost, in a process of its own; more of it, with failures, is in test/faults/shutdown.
import { expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFleet } from '../faults/support/fleet.js';
import { temporaryFolder } from '../faults/support/folder.js';
import { ServiceProcess } from '../faults/support/service-process.js';
import { newDatabase } from '../faults/support/stage.js';
import { until } from '../faults/support/until.js';
import { Wire } from '../faults/support/wire.js';

const database = await newDatabase();
const fleet = await createFleet(database.url);
const ASKED = `GET /v1/tanks HTTP/1.1\r\nHost: tanks\r\nX-API-Key: ${fleet.key}\r\n\r\n`;

/** A module that holds the process up at the moment when the listener is about to close, until there is a file. */
async function heldUpAtClosing(folder: string): Promise<string> {
  const module = join(folder, 'hold-up.mjs');
  await writeFile(
    module,
    `import { existsSync, writeFileSync } from 'node:fs';
     const holdUp = () => {
       writeFileSync('${folder}/closing', '');
       while (!existsSync('${folder}/go')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
     };
     // Before the service's own timer of that time.
     process.once('SIGTERM', () => setTimeout(holdUp, process.env.SHUTDOWN_GRACE_MS / 15));`,
  );
  return module;
}

it('resets no connection that waits to be accepted when the listener closes', async () => {
  const folder = await temporaryFolder();
  const service = await ServiceProcess.start({
    DATABASE_URL: database.url,
    SHUTDOWN_GRACE_MS: '30000',
    NODE_OPTIONS: `--import ${await heldUpAtClosing(folder)}`,
  });
  service.child.signal('SIGTERM');
  await until('it is about to close', () => existsSync(join(folder, 'closing')));
  const clients = Array.from({ length: 16 }, () => new Wire(service.url, ASKED));
  await until('all are connected, by the system', () => clients.every(({ wasConnected }) => wasConnected));
  await writeFile(join(folder, 'go'), '');

  expect(await service.child.ended).toEqual({ code: 0, signal: null });
  await Promise.all(clients.map((client) => client.ended()));
  expect(clients.map(({ error, statuses }) => error ?? statuses[0])).toEqual(Array(16).fill(200));
});
