// The demo's devices: while the service runs, each tank reports at its own interval through the public endpoints, some as uplinks of a
// network server. Readings of the time when the service was stopped are sent later, as real devices do.
import type { DataSource } from 'typeorm';
import type { Logger } from '../platform/logging/logger.js';
import { readFleet, readLines, type DemoMessage } from './demo-fleet.js';
import { isReporting, MOST_LATE_MS, readings } from './demo-readings.js';
import type { DemoReading, Moment, ReportingTank } from './demo-readings.js';
import { writeUplink } from './demo-sensors.js';

export interface FeedOptions {
  readonly url: string;
  readonly key: string;
  readonly logger: Logger;
}

interface Device {
  readonly tank: ReportingTank;
  readonly hasSensor: boolean;
  /** Up to here, all is sent. */
  sent: Moment;
}

const TICK_MS = 1_000;
/** A device keeps so many readings, which fit into a request; older ones are lost. */
const BUFFERED_READINGS = 10_000;

export class DemoFeed {
  private readonly timer = setInterval(() => void this.tick(), TICK_MS).unref();
  private sending: Promise<void> | undefined;
  private isStopped = false;

  private constructor(
    private readonly devices: readonly Device[],
    /** What waits in quarantine from the start. */
    private readonly waiting: DemoMessage[],
    private readonly options: FeedOptions,
  ) {}

  /** Continues after the last readings in the database. */
  static async start(dataSource: DataSource, options: FeedOptions): Promise<DemoFeed> {
    const known: Known[] = await dataSource.query(KNOWN);
    const sensors = known.filter(({ hasSensor }) => hasSensor);
    const isFirst = sensors.length > 0 && sensors.every(({ isHeard }) => !isHeard);
    const waiting = isFirst ? readLines<DemoMessage>('quarantine', Date.now()) : [];
    const feed = new DemoFeed(findDevices(known), waiting, options);
    void feed.tick();
    return feed;
  }

  tick(): Promise<void> {
    this.sending ??= this.sendAll().finally(() => (this.sending = undefined));
    return this.sending;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.sending;
  }

  /** What could not be sent is measured again, as it was, and sent later. */
  private async sendAll(): Promise<void> {
    for (const message of this.waiting.splice(0)) await this.postUplink(message);
    for (const device of this.devices) {
      const measured = [...readings(device.tank, device.sent, 1, Date.now() - MOST_LATE_MS)];
      const newest = measured.at(-1);
      if (newest === undefined) continue;
      const due = measured.slice(-BUFFERED_READINGS).map(({ reading }) => reading);
      if (this.isStopped || !(await this.send(device, due))) return;
      device.sent = newest;
    }
  }

  /**
   * False when they should be sent again; readings that are refused, of a deleted tank for example, are not. Of a sensor, the newest is
   * an uplink; what was measured before, while the service was stopped, is sent as all others: a network server keeps nothing.
   */
  private async send({ tank, hasSensor }: Device, due: DemoReading[]): Promise<boolean> {
    const newest = hasSensor && tank.sensor !== undefined ? due.pop() : undefined;
    if (tank.sensor !== undefined && newest !== undefined) {
      if (!(await this.postUplink(writeUplink(tank.sensor, newest)))) return false;
    }
    return due.length === 0 || this.post('telemetry', { readings: due });
  }

  private postUplink({ source, message }: DemoMessage): Promise<boolean> {
    return this.post(`uplinks/${source}`, message);
  }

  private async post(path: string, body: object): Promise<boolean> {
    const { url, key, logger } = this.options;
    try {
      const response = await fetch(`${url}/v1/${path}`, {
        method: 'POST',
        headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      await response.arrayBuffer();
      return response.ok || response.status === 400;
    } catch (error) {
      if (!this.isStopped) logger.debug({ err: error }, 'the demo could not send its readings');
      return false;
    }
  }
}

interface Known {
  readonly id: string;
  readonly at: Date | null;
  readonly fill: number | null;
  readonly hasSensor: boolean;
  /** A message of its sensor has come. */
  readonly isHeard: boolean;
}

/** A demo that was filled by an earlier version may have no sensors. */
const KNOWN = `
  select state.tank_id as id, state.reported_at as at, state.fill_percentage as fill,
         sensor.tank_key is not null as "hasSensor", sensor.received_at is not null as "isHeard"
  from tank_states state left join tank_sensors sensor using (tank_key) where not state.deleted`;

function findDevices(known: readonly Known[]): Device[] {
  const found = new Map(known.map((row) => [row.id, row]));
  return reportingTanks().flatMap((tank) => {
    const { at, fill, hasSensor = false } = found.get(tank.id) ?? {};
    if (!at || typeof fill !== 'number') return [];
    return [{ tank, hasSensor, sent: { at: at.getTime(), fill } }];
  });
}

export function reportingTanks(): ReportingTank[] {
  return readFleet(Date.now()).tanks.filter(isReporting);
}
