// How the service starts to listen, and how it stops.
import type { NestExpressApplication } from '@nestjs/platform-express';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { BackgroundService } from './alerts/background.service.js';
import { KeyUse } from './auth/key-use.js';
import type { Config } from './config/config.js';
import { isDenied } from './database/failures.js';
import { HealthService } from './health/health.service.js';
import { WriteGrant } from './health/write-grant.js';
import { Connections } from './http/connections.js';
import { InFlight } from './http/in-flight.js';
import { Turns } from './http/turns.js';
import { LOGGER, type Logger } from './logging/logger.js';

export class StartError extends Error {}

/** How many connections may wait to be accepted: Node's own 511 turns a crowd away that the service can serve. */
const BACKLOG = 4096;

/** How long requests are held back at most while the last connections are accepted. */
const MAX_HOLD_MS = 1_000;
/** How long a connection without a request may still bring one when nothing new is accepted any more. */
const UNUSED_MS = 1_000;
/** What is kept of the grace for what comes after the answers, at most. */
const MAX_RESERVE_MS = 2_000;

export async function listen(app: NestExpressApplication, { host, port }: Config): Promise<string> {
  const missing = await app
    .get(HealthService)
    .missingMigrations()
    .catch((error: unknown) => {
      throw isDenied(error) ? new StartError(lackOfGrants(error)) : error;
    });
  if (missing.length > 0) {
    throw new StartError(
      `The database lacks ${missing.length} ${missing.length === 1 ? 'migration' : 'migrations'}. ` +
        'Run: npx tank-monitoring migrate (in the image: node dist/cli.js migrate)',
    );
  }
  const outdated = await app.get(HealthService).outdatedFunctions();
  if (outdated.length > 0) {
    throw new StartError(
      `The database has functions of another version (${outdated[0]}${outdated.length > 1 ? `, and ${outdated.length - 1} more` : ''}). ` +
        'Run: npx tank-monitoring migrate (in the image: node dist/cli.js migrate)',
    );
  }
  await app.get(WriteGrant).look();
  const server: Server = app.getHttpServer();
  try {
    await once(server.listen({ port, host, backlog: BACKLOG }), 'listening');
  } catch (error) {
    throw new StartError(listenFailure(error, host, port), { cause: error });
  }
  const logger = app.get<Logger>(LOGGER);
  server.on('error', (error) => logger.error({ err: error }, 'a connection could not be accepted'));
  app.get(BackgroundService).start();
  return urlOf(server);
}

function lackOfGrants({ message }: Error): string {
  return `The database role may not read what the service needs: ${message}. Run docs/least-privilege.sql again, as a superuser: after migrate it grants the rights.`;
}

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server does not listen on a port.');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

function listenFailure(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use. Stop what uses it, or set PORT to another one.`;
  if (code === 'EACCES') return `Port ${port} may not be used by this user. Set PORT to 1024 or above.`;
  return `Could not listen on ${host}:${port}: ${String(error)}`;
}

/**
 * Not ready any more, but still serving for a moment, while load balancers notice and callers are told to close their
 * connections; then no new connection. Within the grace: the requests in flight to their end, the connections, what is left to
 * write down, the pools. Says whether everything was done.
 */
export async function stopService(
  app: NestExpressApplication,
  { delayMs, graceMs }: Config['shutdown'],
  logger: Logger,
): Promise<boolean> {
  app.get(HealthService).announceShutdown();
  app.get(InFlight).closeConnections();
  void app.get(BackgroundService).stop(); // so that what it delivers has all the time there is to end
  await wait(delayMs);
  const graceEnds = performance.now() + graceMs;
  await stopListening(app);
  const undone = await drain(app, graceEnds, Math.min(graceMs / 4, MAX_RESERVE_MS));
  if (undone.length > 0) logger.warn({ undone }, 'the grace period is over; leaving what is unfinished');
  return undone.length === 0;
}

/**
 * The system resets connections that wait to be accepted when the listener closes. So nothing is served for a moment, which
 * makes the turns of the loop short, until two of them have brought no connection.
 */
async function stopListening(app: NestExpressApplication): Promise<void> {
  const server: Server = app.getHttpServer();
  const [turns, connections] = [app.get(Turns), app.get(Connections)];
  turns.holdBack();
  const patience = performance.now() + MAX_HOLD_MS;
  for (let quiet = 0; quiet < 2 && performance.now() < patience;) {
    const { accepted } = connections;
    await nextTurn();
    quiet = connections.accepted === accepted ? quiet + 1 : 0;
  }
  server.close();
  turns.release();
}

/** Returns what could not be done by then. */
async function drain(app: NestExpressApplication, graceEnds: number, reserveMs: number): Promise<string[]> {
  const server: Server = app.getHttpServer();
  const [turns, connections, inFlight] = [app.get(Turns), app.get(Connections), app.get(InFlight)];
  const unusedUntil = performance.now() + UNUSED_MS;
  const sweep = setInterval(() => {
    server.closeIdleConnections();
    if (performance.now() > unusedUntil) connections.closeUnused(0);
  }, 25);
  const undone: string[] = [];

  if (!(await until(graceEnds - reserveMs, () => turns.areTaken && inFlight.areAnswered)))
    undone.push('requests');
  if (!(await until(graceEnds - reserveMs / 2, () => connections.size === 0))) undone.push('unread answers');
  connections.destroyAll();
  clearInterval(sweep);
  // Not before: a connection accepted in the last moment may still have brought a request. Writes down what is left to, then
  // ends the pools.
  let isClosed = false;
  const closing = app.close().finally(() => (isClosed = true));
  if (await until(graceEnds, () => isClosed)) await closing;
  else undone.push('connections to the database');
  if (!app.get(KeyUse).isWrittenDown) undone.push('the last use of keys');
  return undone;
}

async function until(deadline: number, isTrue: () => boolean): Promise<boolean> {
  while (!isTrue()) {
    if (performance.now() >= deadline) return false;
    await wait(10);
  }
  return true;
}
