// The demo's devices: while the service runs, each tank reports at its own interval through the public endpoints, some as uplinks of a
// network server. Readings of the time when the service was stopped are sent later, as real devices do.
import type { DataSource } from 'typeorm';
import type { Logger } from '../logging/logger.js';
import { demoFleet } from './demo-fleet.js';
import { reportingTanks } from './demo-history.js';
import { nextReading, type DemoReading, type TankLife } from './demo-readings.js';
import { messageOf, sensorsOf, type DemoSensor } from './demo-sensors.js';

export interface FeedOptions {
  readonly url: string;
  readonly key: string;
  readonly logger: Logger;
}

interface Device {
  readonly life: TankLife;
  nextAt: number;
  fill: number;
}

const TICK_MS = 1_000;
const READINGS_PER_REQUEST = 2_000;
/** A device keeps so many readings; older ones are lost. */
const BUFFERED_READINGS = 10_000;
/** A network server keeps nothing: of those with sensors, older readings are sent as all others. */
const UPLINKS_WITHIN_MS = 3_600_000;

export class DemoFeed {
  private readonly timer: NodeJS.Timeout;
  private sending: Promise<void> | undefined;
  private isStopped = false;
  private unsent: DemoReading[] = [];

  private constructor(
    private readonly devices: readonly Device[],
    private readonly sensors: ReadonlyMap<string, DemoSensor>,
    private readonly options: FeedOptions,
  ) {
    this.timer = setInterval(() => void this.tick(), TICK_MS);
    this.timer.unref();
  }

  /** Continues after the last readings in the database. */
  static async start(dataSource: DataSource, options: FeedOptions): Promise<DemoFeed> {
    const feed = new DemoFeed(await findDevices(dataSource), await findSensors(dataSource), options);
    void feed.tick();
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
        const { fill, reading } = nextReading(device.life, device.nextAt, device.fill);
        if (reading !== undefined) this.unsent.push(reading);
        device.fill = fill;
        device.nextAt += device.life.intervalMs;
      }
    }
  }

  /** False when they should be sent again; readings that are refused, of a deleted tank for example, are not. */
  private async send(measured: readonly DemoReading[]): Promise<boolean> {
    const recently = Date.now() - UPLINKS_WITHIN_MS;
    const readings: DemoReading[] = [];
    for (const reading of measured) {
      const sensor =
        Date.parse(reading.created_at) > recently ? this.sensors.get(reading.tank_id) : undefined;
      if (sensor === undefined) readings.push(reading);
      else if (!(await this.post(`uplinks/${sensor.source}`, messageOf(sensor, reading)))) return false;
    }
    return readings.length === 0 || this.post('telemetry', { readings });
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

async function findDevices(dataSource: DataSource): Promise<Device[]> {
  const rows: { id: string; at: Date; fill: number }[] = await dataSource.query(`
    select tank_id as id, reported_at as at, fill_percentage as fill
    from tank_states where not deleted and reported_at is not null`);
  const newest = new Map(rows.map((row) => [row.id, row]));
  return reportingTanks().flatMap((life) => {
    const last = newest.get(life.tankId);
    if (last === undefined) return [];
    const oldestKept = Date.now() - BUFFERED_READINGS * life.intervalMs;
    return [{ life, fill: last.fill, nextAt: Math.max(last.at.getTime() + life.intervalMs, oldestKept) }];
  });
}

/** A demo that was filled by an earlier version has none. */
async function findSensors(dataSource: DataSource): Promise<ReadonlyMap<string, DemoSensor>> {
  const rows: { id: string }[] = await dataSource.query(
    'select tanks.id from tank_sensors join tanks on tanks.key = tank_sensors.tank_key',
  );
  const sensors = sensorsOf(demoFleet(Date.now()).tanks);
  return new Map([...sensors].filter(([tankId]) => rows.some(({ id }) => id === tankId)));
}
