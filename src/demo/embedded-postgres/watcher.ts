// A process of its own, started with the server, that outlives whoever uses it. However they end (a second Ctrl-C, a closed
// terminal, kill -9), it notices within seconds that no lease is left, and stops the server.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { serverUrl, stopIfUnused, WATCHER_NAME } from './leases.js';
import { isAlive } from './process-lock.js';
import { readPassword, runningServer, type Watch } from './server.js';

const LOOK_EVERY_MS = 500;
/** After a start, or a crash of one of the server's processes, leases are taken within this time. */
const LEASES_TAKEN_MS = 1_500;

const [, , described] = process.argv;
if (described !== undefined) await watch(JSON.parse(described) as Watch);

async function watch({ home, pid }: Watch): Promise<void> {
  let client: Client | undefined;
  for (let isStopped = false; !isStopped && isAlive(pid); await sleep(LOOK_EVERY_MS)) {
    const server = await runningServer(home);
    if (server === undefined || server.pid !== pid || server.status !== 'ready') continue;
    try {
      client ??= await connect(serverUrl(await readPassword(home), server.port));
      isStopped = await stopIfUnused(client, home);
    } catch {
      client = undefined; // the connection is lost
    }
  }
  await client?.end();
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: WATCHER_NAME });
  client.on('error', () => undefined);
  await client.connect();
  await sleep(LEASES_TAKEN_MS);
  return client;
}
