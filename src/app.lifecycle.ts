// How the service starts to listen, and how it stops.
import type { NestExpressApplication } from '@nestjs/platform-express';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { Background } from './background/background.js';
import { LastUse } from './common/auth/last-use.js';
import { ChangeWatch } from './changes/change-watch.js';
import type { Config } from './platform/config/config.js';
import { findCode } from './platform/database/failures.js';
import { ClockCheck } from './health/clock-check.js';
import { HealthService } from './health/health.service.js';
import { checkAtStart, StartError } from './health/start-check.js';
import { MqttKey } from './sensors/mqtt/key.js';
import { WriteCheck } from './health/write-check.js';
import { Connections } from './common/http/connections.js';
import { LOGGER, type Logger } from './platform/logging/logger.js';

/** How many connections may wait to be accepted: more than Node's 511. */
const BACKLOG = 4096;

/** How long new connections may be held while the listener closes, and after which time without one it does. */
const MAX_HOLD_MS = 1_000;
const QUIET_MS = 100;
/** How long an open connection may still send its first request after the listener has closed. */
const UNUSED_MS = 1_000;
/** The part of the grace that is kept for what comes after the answers, at most. */
const MAX_RESERVE_MS = 1_000;

export async function listen(
  app: NestExpressApplication,
  { host, port, worker, mqtt }: Config,
): Promise<string> {
  const logger = app.get<Logger>(LOGGER);
  await checkAtStart(app.get(HealthService), logger);
  await app.get(WriteCheck).checkAtStart();
  await app.get(ClockCheck).start();
  if (worker && mqtt !== undefined) await app.get(MqttKey).checkAtStart();
  const server: Server = app.getHttpServer();
  try {
    await once(server.listen({ port, host, backlog: BACKLOG }), 'listening');
  } catch (error) {
    throw new StartError(listenFailure(error, host, port), { cause: error });
  }
  server.on('error', (error) => logger.error({ err: error }, 'a connection could not be accepted'));
  if (worker) void app.get(Background).startWhenAllowed();
  return describeAddress(server);
}

function describeAddress(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo; // it listens on a port, not on a pipe
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function listenFailure(error: unknown, host: string, port: number): string {
  const code = findCode(error);
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use. Stop what uses it, or set PORT to another one.`;
  if (code === 'EACCES') return `Port ${port} may not be used by this user. Set PORT to 1024 or above.`;
  return `Could not listen on ${host}:${port}: ${String(error)}`;
}

/** Serves on for a moment, not ready, while load balancers notice; then drains. Returns whether everything was done. */
export async function stopService(
  app: NestExpressApplication,
  { delayMs, graceMs }: Config['shutdown'],
  logger: Logger,
): Promise<boolean> {
  app.get(HealthService).announceShutdown();
  app.get(Connections).stopKeepingAlive();
  app.get(ChangeWatch).stop();
  void app.get(Background).stop(); // not waited for: its deliveries may take the whole grace
  await wait(delayMs);
  const undone = await drain(app, performance.now() + graceMs, Math.min(graceMs / 8, MAX_RESERVE_MS));
  if (undone.length > 0) logger.warn({ undone }, 'the grace period is over before everything was done');
  return undone.length === 0;
}

/** Answers what is in flight, closes the connections, writes what is left, ends the pools. Returns what was not done in time. */
async function drain(app: NestExpressApplication, graceEnds: number, reserveMs: number): Promise<string[]> {
  const connections = app.get(Connections);
  const server: Server = app.getHttpServer();
  let isEmpty = false;
  server.once('close', () => (isEmpty = true));
  await closeListener(server, connections, graceEnds - reserveMs);
  const unusedUntil = performance.now() + UNUSED_MS;
  const isAnswered = () => isEmpty || (connections.areAnswered && performance.now() > unusedUntil);
  const undone: string[] = [];
  if (!(await until(graceEnds - reserveMs, isAnswered))) undone.push('requests');
  server.closeAllConnections();
  // Writes what is left, then ends the pools; not before, since open connections may still have sent requests.
  let isClosed = false;
  const closed = app.close().finally(() => (isClosed = true));
  if (await until(graceEnds, () => isClosed)) await closed;
  else undone.push('connections to the database');
  if (!app.get(LastUse, { strict: false, each: true }).every(({ isFlushed }) => isFlushed))
    undone.push('the last use of keys');
  return undone;
}

/**
 * The system resets what waits to be accepted when a listener closes, and a turn of the event loop accepts one connection. So new ones are
 * accepted and held until a turn, up to the end of its poll phase, accepts none, and no answer in progress may bring the next.
 */
async function closeListener(server: Server, connections: Connections, graceEnds: number): Promise<void> {
  const mustClose = Math.min(performance.now() + MAX_HOLD_MS, graceEnds);
  const held: Socket[] = [];
  let lastAccepted = performance.now();
  server.on('connection', (socket: Socket) => {
    held.push(socket);
    lastAccepted = performance.now();
    process.nextTick(() => socket.pause()); // after the HTTP server has begun to read
  });
  const mayBringMore = () => !connections.areAnswered && performance.now() < lastAccepted + QUIET_MS;
  let before: number;
  do {
    before = held.length;
    await nextTurn();
  } while (performance.now() < mustClose && (held.length > before || mayBringMore()));
  NetServer.prototype.close.call(server); // the HTTP server's own also cuts clients that are still reading their answers
  for (const socket of held) socket.resume();
}

async function until(deadline: number, isTrue: () => boolean): Promise<boolean> {
  while (!isTrue()) {
    if (performance.now() >= deadline) return false;
    await wait(10);
  }
  return true;
}
