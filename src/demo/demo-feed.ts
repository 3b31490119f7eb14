// The demo's devices: while the service runs, each tank reports at its own interval through the public endpoints, some as uplinks of a
// network server. Readings of the time when the service was stopped are sent later, as real devices do.
import type { DataSource } from 'typeorm';
import { Scheduler } from '../platform/lifecycle/scheduler.js';
import type { Logger } from '../platform/logging/logger.js';
import { readFleet, readLines, type DemoMessage } from './demo-fleet.js';
import { isReporting, MOST_LATE_MS, readings } from './demo-readings.js';
import type { Moment, ReportingTank } from './demo-readings.js';
import { writeUplink } from './demo-sensors.js';

export interface FeedOptions {
  readonly url: string;
  readonly key: string;
  readonly logger: Logger;
}

export interface DemoFeed {
  /** When all is sent that was measured before the start. */
  readonly caughtUp: Promise<void>;
  stop(): Promise<void>;
}

interface Device {
  readonly tank: ReportingTank;
  readonly hasSensor: boolean;
  /** Up to here, all is sent. */
  sent: Moment;
}

/** A device keeps so many readings, which fit into a request; older ones are lost. */
const BUFFERED_READINGS = 10_000;

/** Continues after the last readings in the database. */
export async function startFeed(dataSource: DataSource, options: FeedOptions): Promise<DemoFeed> {
  const known: Known[] = await dataSource.query(KNOWN);
  const sensors = known.filter(({ hasSensor }) => hasSensor);
  const isFirst = sensors.length > 0 && sensors.every(({ isHeard }) => !isHeard);
  const waiting = isFirst ? readLines<DemoMessage>('quarantine', Date.now()) : [];
  const tanks = reportingTanks();
  const devices = known.flatMap(({ id, at, fill, hasSensor }): Device[] => {
    const tank = tanks.find((one) => one.id === id);
    return tank === undefined ? [] : [{ tank, hasSensor, sent: { at: at.getTime(), fill } }];
  });
  const post = (path: string, body: object): Promise<void> => send(path, body, options);
  const sendAll = async (stopped: AbortSignal): Promise<void> => {
    for (const { source, message } of waiting.splice(0)) await post(`uplinks/${source}`, message);
    for (const device of devices) if (!stopped.aborted) await sendMeasured(device, post);
  };
  const scheduler = new Scheduler(options.logger);
  const caughtUp = scheduler.start({
    name: 'demo devices',
    everyMs: 1_000,
    run: (stopped) =>
      sendAll(stopped).catch((error: unknown) =>
        options.logger.debug({ err: error }, 'the demo could not send its readings'),
      ),
  });
  return { caughtUp, stop: () => scheduler.stop() };
}

/**
 * What could not be sent is measured again, as it was, and sent later. Of a sensor, the newest is an uplink; what was measured before,
 * while the service was stopped, is sent as all others: a network server keeps nothing.
 */
async function sendMeasured(
  device: Device,
  post: (path: string, body: object) => Promise<void>,
): Promise<void> {
  const { tank, hasSensor, sent } = device;
  const measured = [...readings(tank, sent, 1, Date.now() - MOST_LATE_MS)];
  const newest = measured.at(-1);
  if (newest === undefined) return;
  const due = measured.slice(-BUFFERED_READINGS).map(({ reading }) => reading);
  if (hasSensor && tank.sensor !== undefined) {
    const { source, message } = writeUplink(tank.sensor, newest.reading);
    await post(`uplinks/${source}`, message);
    due.pop();
  }
  if (due.length > 0) await post('telemetry', { readings: due });
  device.sent = newest;
}

/** What is refused, of a deleted tank for example, is not sent again. */
async function send(path: string, body: object, { url, key }: FeedOptions): Promise<void> {
  const response = await fetch(`${url}/v1/${path}`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  if (!response.ok && response.status !== 400) throw new Error(`The answer was ${response.status}.`);
}

interface Known {
  readonly id: string;
  readonly at: Date;
  readonly fill: number;
  readonly hasSensor: boolean;
  /** A message of its sensor has come. */
  readonly isHeard: boolean;
}

/** A demo that was filled by an earlier version may have no sensors. */
const KNOWN = `
  select state.tank_id as id, state.reported_at as at, state.fill_percentage as fill,
         sensor.tank_key is not null as "hasSensor", sensor.received_at is not null as "isHeard"
  from tank_states state left join tank_sensors sensor using (tank_key)
  where not state.deleted and state.reported_at is not null`;

export function reportingTanks(): ReportingTank[] {
  return readFleet(Date.now()).tanks.filter(isReporting);
}
