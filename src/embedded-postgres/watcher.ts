// A process of its own, started with the server, that outlives whoever uses it. However they end (a second Ctrl-C, a closed
// terminal, kill -9), it notices within seconds that no lease is left, and stops the server. Everybody else releases politely.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { countUsers, serverUrl, WATCHER_NAME } from './leases.js';
import type { Home } from './home.js';
import { withProcessLock } from './process-lock.js';
import { readPassword, runningServer, stopServer } from './server.js';

export interface Watch {
  /** Which those who open the database take. */
  readonly lock: string;
  readonly home: Home;
  /** The server's. One that is started after it has a watcher of its own. */
  readonly pid: number;
}

const LOOK_EVERY_MS = 500;
/** Before nobody is believed to be there: a lease that was lost in a crash of the server is taken again. */
const LOOKS_WITHOUT_USER = 3;
/** Before a server is believed to be gone that may not have written its pid yet. */
const LOOKS_WITHOUT_SERVER = 20;

const [, , described] = process.argv;
if (described !== undefined) await watch(JSON.parse(described) as Watch);

async function watch({ lock, home, pid }: Watch): Promise<void> {
  const password = await readPassword(home);
  let client: Client | undefined;
  for (let [withoutServer, withoutUser] = [0, 0]; withoutServer < LOOKS_WITHOUT_SERVER;) {
    await sleep(LOOK_EVERY_MS);
    const server = await runningServer(home);
    if (server !== undefined && server.pid !== pid) break;
    withoutServer = server === undefined ? withoutServer + 1 : 0;
    if (server?.status !== 'ready') continue;
    client ??= await connect(serverUrl(password, server.port));
    const users = await usersOf(client);
    if (users === undefined) client = undefined;
    withoutUser = users === 0 ? withoutUser + 1 : 0;
    if (client === undefined || withoutUser < LOOKS_WITHOUT_USER) continue;
    if (await stopUnlessUsed(client, lock, home)) break;
  }
  await client?.end().catch(() => undefined);
}

/** Whoever is about to take a lease holds the lock. */
async function stopUnlessUsed(client: Client, lock: string, home: Home): Promise<boolean> {
  return withProcessLock(lock, async () => {
    if ((await usersOf(client)) !== 0) return false;
    await stopServer(home);
    return true;
  });
}

async function connect(url: string): Promise<Client | undefined> {
  const client = new Client({ connectionString: url, application_name: WATCHER_NAME });
  client.on('error', () => undefined);
  return client.connect().then(
    () => client,
    () => undefined,
  );
}

/** Undefined when the server does not say. */
async function usersOf(client: Client | undefined): Promise<number | undefined> {
  if (client === undefined) return undefined;
  return countUsers(client).catch(() => undefined);
}
