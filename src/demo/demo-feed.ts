// The demo's devices: while the service runs, each tank reports at its own interval through the public endpoints, some as uplinks of a
// network server. Readings of the time when the service was stopped are sent later, as real devices do.
import type { DataSource } from 'typeorm';
import type { Logger } from '../platform/logging/logger.js';
import { demoFleet } from './demo-fleet.js';
import { findInterval, isReporting, nextReading } from './demo-readings.js';
import type { DemoReading, ReportingTank } from './demo-readings.js';
import { writeUplink, quarantinedMessages, type Message } from './demo-sensors.js';

export interface FeedOptions {
  readonly url: string;
  readonly key: string;
  readonly logger: Logger;
}

interface Device {
  readonly tank: ReportingTank;
  readonly hasSensor: boolean;
  nextAt: number;
  fill: number;
}

const TICK_MS = 1_000;
const READINGS_PER_REQUEST = 2_000;
/** A device keeps so many readings; older ones are lost. */
const BUFFERED_READINGS = 10_000;

export class DemoFeed {
  private readonly timer: NodeJS.Timeout;
  private sending: Promise<void> | undefined;
  private isStopped = false;
  private unsent: DemoReading[] = [];

  private constructor(
    private readonly devices: readonly Device[],
    private readonly options: FeedOptions,
  ) {
    this.timer = setInterval(() => void this.tick(), TICK_MS);
    this.timer.unref();
  }

  /** Continues after the last readings in the database. */
  static async start(dataSource: DataSource, options: FeedOptions): Promise<DemoFeed> {
    const known: Known[] = await dataSource.query(KNOWN);
    const feed = new DemoFeed(findDevices(known), options);
    feed.sending = feed.sendFirst(known).finally(() => (feed.sending = undefined));
    return feed;
  }

  async tick(): Promise<void> {
    this.sending ??= this.sendAll().finally(() => (this.sending = undefined));
    return this.sending;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.sending;
  }

  private async sendFirst(known: readonly Known[]): Promise<void> {
    const unheard = new Set(known.flatMap(({ id, isUnheard }) => (isUnheard ? [id] : [])));
    const tanks = demoFleet(Date.now()).tanks.filter(({ id }) => unheard.has(id));
    if (tanks.length > 0) for (const message of quarantinedMessages(tanks)) await this.postUplink(message);
    await this.sendAll();
  }

  private async sendAll(): Promise<void> {
    while (!this.isStopped) {
      this.measure(Date.now());
      if (this.unsent.length === 0 || !(await this.send(this.unsent))) return;
      this.unsent = [];
    }
  }

  /** As many readings as fit into a request; the rest is sent in the next. */
  private measure(now: number): void {
    for (const device of this.devices) {
      while (device.nextAt <= now && this.unsent.length < READINGS_PER_REQUEST) {
        const { fill, reading } = nextReading(device.tank, device.nextAt, device.fill);
        if (reading !== undefined) this.unsent.push(reading);
        device.fill = fill;
        device.nextAt += findInterval(device.tank);
      }
    }
  }

  /**
   * False when they should be sent again; readings that are refused, of a deleted tank for example, are not. Of a sensor, the newest is
   * an uplink; what was measured before, while the service was stopped, is sent as all others: a network server keeps nothing.
   */
  private async send(measured: readonly DemoReading[]): Promise<boolean> {
    const uplinks = this.devices.flatMap(({ tank, hasSensor }) => {
      const newest = hasSensor ? measured.findLast(({ tank_id }) => tank_id === tank.id) : undefined;
      return newest === undefined || tank.sensor === undefined ? [] : [{ tank, sensor: tank.sensor, newest }];
    });
    for (const { tank, sensor, newest } of uplinks) {
      if (!(await this.postUplink(writeUplink(tank.assigned_device_id, sensor, newest)))) return false;
    }
    const readings = measured.filter((reading) => uplinks.every(({ newest }) => newest !== reading));
    return readings.length === 0 || this.post('telemetry', { readings });
  }

  private postUplink({ source, body }: Message): Promise<boolean> {
    return this.post(`uplinks/${source}`, body);
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
  /** It has a sensor of which no message has come yet. */
  readonly isUnheard: boolean;
}

/** A demo that was filled by an earlier version may have no sensors. */
const KNOWN = `
  select state.tank_id as id, state.reported_at as at, state.fill_percentage as fill, sensor.tank_key is not null as "hasSensor",
         sensor.tank_key is not null and sensor.received_at is null as "isUnheard"
  from tank_states state left join tank_sensors sensor using (tank_key) where not state.deleted`;

function findDevices(known: readonly Known[]): Device[] {
  const found = new Map(known.map((row) => [row.id, row]));
  return reportingTanks().flatMap((tank) => {
    const { at, fill, hasSensor } = found.get(tank.id) ?? {};
    if (!at || typeof fill !== 'number') return [];
    const oldestKept = Date.now() - BUFFERED_READINGS * findInterval(tank);
    const nextAt = Math.max(at.getTime() + findInterval(tank), oldestKept);
    return [{ tank, fill, nextAt, hasSensor: hasSensor === true }];
  });
}

export function reportingTanks(): ReportingTank[] {
  return demoFleet(Date.now()).tanks.filter(isReporting);
}
