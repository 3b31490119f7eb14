// How the service starts to listen and how it stops: politely on the first signal, at once on the second.
import type { NestExpressApplication } from '@nestjs/platform-express';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from './config/config.js';
import { HealthService } from './health/health.service.js';
import { InFlight } from './http/in-flight.js';
import type { Logger } from './logging/logger.js';

export class StartError extends Error {}

/** How many connections may wait to be accepted: Node's own 511 turns a crowd away that the service can serve. */
const BACKLOG = 4096;

export async function listen(app: NestExpressApplication, { host, port }: Config): Promise<string> {
  const missing = await app.get(HealthService).missingMigrations();
  if (missing.length > 0) {
    throw new StartError(
      `The database lacks ${missing.length} ${missing.length === 1 ? 'migration' : 'migrations'}. ` +
        'Run: npx tank-monitoring migrate (in the image: node dist/cli.js migrate)',
    );
  }
  const server: Server = app.getHttpServer();
  try {
    await once(server.listen({ port, host, backlog: BACKLOG }), 'listening');
  } catch (error) {
    throw new StartError(listenFailure(error, host, port), { cause: error });
  }
  return urlOf(server);
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

/** Runs `stop` on the first SIGTERM or SIGINT and ends the process; a second signal ends it at once. */
export function stopOnSignal(stop: () => Promise<void>, logger: Logger): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    logger.info({ signal }, 'stopping');
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'could not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

/**
 * Not ready any more, but still serving for a moment, while load balancers notice and callers are told to close their
 * connections; then no new connection, the requests in flight to their end, and last the pools. All within the grace.
 */
export async function stopService(
  app: NestExpressApplication,
  { shutdown }: Config,
  logger: Logger,
): Promise<void> {
  app.get(HealthService).announceShutdown();
  app.get(InFlight).closeConnections();
  await wait(shutdown.delayMs);

  const outOfPatience = Symbol('out of patience');
  const winner = await Promise.race([drain(app), wait(shutdown.graceMs, outOfPatience)]);
  if (winner === outOfPatience) logger.warn('the grace period is over; leaving what is unfinished');
}

async function drain(app: NestExpressApplication): Promise<void> {
  const server: Server = app.getHttpServer();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection whose last answer is out may still look busy to close(); it is let go as soon as it is idle.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  await closed;
  clearInterval(sweep);
  await app.close();
}
